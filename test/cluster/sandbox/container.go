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
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// initCommand is the name by which this executable is started to become a container.
const initCommand = "container-init"

// Mount makes a file or directory of the host visible in a container.
type Mount struct {
	Source, Target string
	ReadOnly       bool
}

// Container describes one process and what it sees.
type Container struct {
	Hostname   string
	Args       []string // the first is looked up in the container
	Env        []string
	WorkingDir string
	Mounts     []Mount
	Files      map[string]string // small files by path
	ReadOnly   bool              // the root directory; mounts say for themselves

	// RootDir is an empty directory that every container may use, since each covers it in its own mount namespace.
	RootDir string
	// PIDFile receives the process id that the host knows the container by, as soon as the container exists.
	PIDFile string
}

// Start starts the container in the network and returns when it has become its process, or failed to. Its output goes
// to log, also what stops it from starting.
func Start(c Container, network *Network, log *os.File) (*exec.Cmd, error) {
	spec, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("failed to describe the container: %w", err)
	}
	theirSpec, ourSpec, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("failed to make a pipe: %w", err)
	}
	defer ourSpec.Close()
	ourEnd, theirEnd, err := os.Pipe()
	if err != nil {
		theirSpec.Close()
		return nil, fmt.Errorf("failed to make a pipe: %w", err)
	}
	defer ourEnd.Close()

	cmd := exec.Command("/proc/self/exe")
	cmd.Args = []string{initCommand}
	cmd.Env = []string{} // the container's own comes with its description
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = []*os.File{theirSpec, theirEnd}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC,
		Setsid:     true,
	}
	err = network.Do(cmd.Start)
	theirSpec.Close() // the child has the only ones now, so that we notice when it is gone
	theirEnd.Close()
	if err != nil {
		return nil, fmt.Errorf("failed to start a process: %w", err)
	}
	if _, err := ourSpec.Write(spec); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return nil, fmt.Errorf("failed to hand the description over: %w", err)
	}
	_, _ = io.Copy(io.Discard, ourEnd) // ends when the child closes it, by executing its program or by its own end
	return cmd, nil
}
