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
	"os"
	"os/exec"
	"strings"

	"golang.org/x/sys/unix"
)

// The files that Start hands over: the description, and one that closes when the program is executed.
const specFD, readyFD = 3, 4

// The exit statuses of a container that could not become its process, as container engines have them.
const (
	exitCannotPrepare = 126
	exitCannotExecute = 127
)

// init becomes the process of a container where Start has started this executable to do so. It is an initializer because
// Go runs it before those of the packages that it does not import: the hundreds of Kubernetes take a quarter of a
// second, which every start of every container would have to wait.
func init() {
	if os.Args[0] != initCommand {
		return
	}
	var c Container
	if err := prepare(&c); err != nil {
		fmt.Fprintf(os.Stderr, "failed to prepare the container: %v\n", err)
		os.Exit(exitCannotPrepare)
	}
	if err := execute(&c); err != nil {
		fmt.Fprintf(os.Stderr, "failed to run the container: %v\n", err)
		os.Exit(exitCannotExecute)
	}
}

func prepare(c *Container) error {
	unix.CloseOnExec(specFD)
	unix.CloseOnExec(readyFD)
	if err := json.NewDecoder(os.NewFile(specFD, "spec")).Decode(c); err != nil {
		return fmt.Errorf("failed to read its description: %w", err)
	}
	if err := writePID(c.PIDFile); err != nil {
		return err
	}
	if err := unix.Sethostname([]byte(c.Hostname)); err != nil {
		return fmt.Errorf("failed to set the hostname: %w", err)
	}
	if err := buildRoot(c); err != nil {
		return err
	}
	return enterRoot(c)
}

// writePID stores the process id that the host sees, which only the host's /proc can tell.
func writePID(path string) error {
	pid, err := os.Readlink("/proc/self")
	if err != nil {
		return fmt.Errorf("failed to read the process id: %w", err)
	}
	if err := os.WriteFile(path+".new", []byte(pid+"\n"), 0o600); err != nil {
		return fmt.Errorf("failed to write the process id: %w", err)
	}
	return os.Rename(path+".new", path)
}

func execute(c *Container) error {
	os.Clearenv()
	for _, variable := range c.Env {
		name, value, _ := strings.Cut(variable, "=")
		_ = os.Setenv(name, value) // for the sake of PATH; an odd name is handed on all the same
	}
	path, err := exec.LookPath(c.Args[0])
	if err != nil {
		return err
	}
	return unix.Exec(path, c.Args, c.Env)
}
