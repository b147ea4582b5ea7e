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
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// stopping is how long each component may take to stop by itself.
const stopping = 4 * time.Second

// restartPause keeps a component that fails at once from doing so all the time.
const restartPause = 200 * time.Millisecond

// invocation is how a component is called.
type invocation struct {
	name string
	args []string
}

// component is a running one.
type component struct {
	invocation
	dir   string
	ended chan struct{}

	mu  sync.Mutex
	cmd *exec.Cmd
}

// pidFile is the variable that names a component's file for WritePID.
const pidFile = "CLUSTER_PID_FILE"

// WritePID tells by which process id the host knows this process, if it is a component of a cluster.
func WritePID() error {
	path := os.Getenv(pidFile)
	if path == "" {
		return nil
	}
	pid, err := os.Readlink("/proc/self")
	if err != nil {
		return fmt.Errorf("failed to read the process id: %w", err)
	}
	return os.WriteFile(path, []byte(pid+"\n"), 0o600)
}

// launch starts components, each of which ends the cluster when it ends by itself, unless somebody asked for it to be
// started again.
func (s *supervisor) launch(ctx context.Context, invocations ...invocation) error {
	for _, i := range invocations {
		c := &component{invocation: i, dir: s.dir, ended: make(chan struct{})}
		if err := os.Remove(c.log()); err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("failed to make a log: %w", err)
		}
		if err := c.start(); err != nil {
			return err
		}
		s.running = append(s.running, c)
		go func() {
			err := c.keep(ctx)
			close(c.ended)
			s.fail(err)
		}()
	}
	return nil
}

func (c *component) log() string { return filepath.Join(c.dir, "log", c.name+".log") }

// start starts the process, which adds to the log of the one before it.
func (c *component) start() error {
	log, err := os.OpenFile(c.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("failed to make a log: %w", err)
	}
	defer log.Close()
	cmd := exec.Command("/proc/self/exe", append([]string{c.name}, c.args...)...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = append(os.Environ(), pidFile+"="+filepath.Join(c.dir, "control-plane", c.name+".pid"))
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("failed to start %s: %w", c.name, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cmd = cmd
	return nil
}

// keep starts the process again when it has ended, as long as it should be, and returns why the component has ended.
func (c *component) keep(ctx context.Context) error {
	for {
		_ = c.cmd.Wait() // only this goroutine changes it
		if _, err := os.Stat(filepath.Join(c.dir, "control-plane", c.name+".restart")); err != nil || ctx.Err() != nil {
			return fmt.Errorf("%s ended (%s), see %s", c.name, c.cmd.ProcessState, c.log())
		}
		time.Sleep(restartPause)
		if err := c.start(); err != nil {
			return err
		}
	}
}

func (c *component) process() *os.Process {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cmd.Process
}

// stop ends the components, the last one started first: the API server hangs when etcd goes before it.
func (s *supervisor) stop() {
	s.fail(errStopped) // nothing is started again
	for i := len(s.running) - 1; i >= 0; i-- {
		c := s.running[i]
		_ = c.process().Signal(syscall.SIGTERM)
		select {
		case <-c.ended:
		case <-time.After(stopping):
			_ = c.process().Kill()
			<-c.ended
		}
	}
}
