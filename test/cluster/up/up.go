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

package up

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/tektoncd/leases-controller/test/cluster/sandbox"
)

// SuperviseCommand is the name by which this executable must call Supervise.
const SuperviseCommand = "supervise"

// stopTimeout is how long the cluster may take to stop in order before it is killed.
const stopTimeout = 20 * time.Second

// Run is the command `cluster up`. It returns the exit status.
func Run(args []string) int {
	o, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return fail(err)
	}
	if err := makeDirs(o.dir); err != nil {
		return fail(err)
	}

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	supervisor, err := sandbox.Supervise(append([]string{SuperviseCommand}, args...)...)
	if err != nil {
		return fail(err)
	}
	if o.untilStdinCloses {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			stop <- syscall.SIGTERM
		}()
	}
	return wait(supervisor, stop)
}

// wait waits for the supervisor's end and hands a request to stop over to it, again and again, because a signal that
// comes before its handler is in place is lost on process 1 of a namespace.
func wait(supervisor *exec.Cmd, stop <-chan os.Signal) int {
	done := make(chan error, 1)
	go func() { done <- supervisor.Wait() }()

	var again <-chan time.Time
	var tooLate <-chan time.Time
	for {
		select {
		case err := <-done:
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
				return 1 // it has said why
			}
			return 0
		case <-stop:
			tooLate = time.After(stopTimeout)
		case <-again:
		case <-tooLate:
			_ = supervisor.Process.Kill()
			continue
		}
		_ = supervisor.Process.Signal(syscall.SIGTERM)
		again = time.After(time.Second)
	}
}

func makeDirs(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "kubeconfig")); err == nil {
		return fmt.Errorf("%s already holds a cluster; name another directory", dir)
	}
	for _, name := range []string{"control-plane", "log", "pods", "run"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			return fmt.Errorf("failed to make the cluster's directory: %w", err)
		}
	}
	return nil
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, "cluster:", err)
	if errors.Is(err, sandbox.ErrForbidden) {
		fmt.Fprintln(os.Stderr, sandbox.Advice)
	}
	return 1
}
