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

package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// podNamespaces are those that the cluster's pods have for themselves.
const podNamespaces = syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWUTS

// checkNamespaces finds out by trying whether this machine allows what pods
// need. The cluster would say the same, but only after the long build.
func checkNamespaces() error {
	err := tryNamespaces(podNamespaces)
	if err != nil {
		err = tryNamespaces(podNamespaces | syscall.CLONE_NEWUSER)
	}
	if err != nil {
		return fmt.Errorf(`this machine does not allow the namespaces that pods need (%w). Run it as root, or allow user namespaces:
sysctl -w user.max_user_namespaces=10000, on Debian also kernel.unprivileged_userns_clone=1, on Ubuntu also
kernel.apparmor_restrict_unprivileged_userns=0; inside a container, start that one with --privileged`, err)
	}
	return nil
}

// tryNamespaces starts a process in new namespaces. What it does there counts
// for nothing.
func tryNamespaces(flags uintptr) error {
	cmd := exec.Command("/proc/self/exe", "--help")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flags}
	if flags&syscall.CLONE_NEWUSER != 0 {
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	_ = cmd.Wait()
	return nil
}
