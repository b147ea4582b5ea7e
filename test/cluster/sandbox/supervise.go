/*
Copyright 2026 The Tekton Authors

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// ErrForbidden tells that this machine does not let us make the namespaces.
var ErrForbidden = errors.New("this machine does not allow the namespaces that the pods need")

// Advice is what the user of such a machine can do.
const Advice = `One of these helps:
  - run it as root
  - allow user namespaces: sysctl -w kernel.unprivileged_userns_clone=1 (Debian),
    kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu), user.max_user_namespaces=10000 (others)
  - inside a container: start that container with --privileged`

// Supervise runs this executable with the given arguments as process 1 of namespaces of its own. The returned command
// has been started; it is killed, with all that it started, when the calling process ends in whatever way. Whether
// namespaces are allowed is found out by trying, since no setting tells it reliably.
func Supervise(args ...string) (*exec.Cmd, error) {
	var attempts []*syscall.SysProcAttr
	if os.Geteuid() == 0 {
		attempts = append(attempts, isolated(0))
	}
	attempts = append(attempts, withUser(isolated(syscall.CLONE_NEWUSER)))

	var err error
	for _, attr := range attempts {
		cmd := exec.Command("/proc/self/exe", args...)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		cmd.SysProcAttr = attr
		if err = startOnKeptThread(cmd); err == nil {
			return cmd, nil
		}
	}
	return nil, forbidden(err)
}

func isolated(flags uintptr) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Cloneflags: flags | syscall.CLONE_NEWPID | syscall.CLONE_NEWNS,
		Pdeathsig:  syscall.SIGKILL,
		Setsid:     true, // Ctrl-C is for the caller, which stops things in order
	}
}

func withUser(attr *syscall.SysProcAttr) *syscall.SysProcAttr {
	attr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Geteuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getegid(), Size: 1}}
	return attr
}

// startOnKeptThread starts cmd from a thread that lives as long as this process: the kernel sends the parent death
// signal when the thread ends that started the child.
func startOnKeptThread(cmd *exec.Cmd) error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		started <- cmd.Start()
		select {}
	}()
	return <-started
}

// OwnMounts makes the mounts of the calling process, which Supervise started, its own, and mounts a file system in
// memory on dir that nobody else sees.
func OwnMounts(dir string) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return forbidden(fmt.Errorf("failed to make mounts private: %w", err))
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0700"); err != nil {
		return forbidden(fmt.Errorf("failed to mount a tmpfs: %w", err))
	}
	return nil
}

func forbidden(err error) error { return fmt.Errorf("%w: %w", ErrForbidden, err) }
