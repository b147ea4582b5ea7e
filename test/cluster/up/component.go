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
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// stopping is how long each component may take to stop by itself.
const stopping = 4 * time.Second

// invocation is how a component is called.
type invocation struct {
	name string
	args []string
}

// component is a running one.
type component struct {
	name    string
	process *os.Process
	ended   chan struct{}
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

// launch starts components, each of which ends the cluster when it ends by itself.
func (s *supervisor) launch(invocations ...invocation) error {
	for _, i := range invocations {
		log, err := os.Create(filepath.Join(s.dir, "log", i.name+".log"))
		if err != nil {
			return fmt.Errorf("failed to make a log: %w", err)
		}
		cmd := exec.Command("/proc/self/exe", append([]string{i.name}, i.args...)...)
		cmd.Stdout, cmd.Stderr = log, log
		cmd.Env = append(os.Environ(), pidFile+"="+filepath.Join(s.dir, "control-plane", i.name+".pid"))
		err = cmd.Start()
		log.Close()
		if err != nil {
			return fmt.Errorf("failed to start %s: %w", i.name, err)
		}
		c := &component{name: i.name, process: cmd.Process, ended: make(chan struct{})}
		s.running = append(s.running, c)
		go func() {
			_ = cmd.Wait()
			close(c.ended)
			s.fail(fmt.Errorf("%s ended (%s), see %s", i.name, cmd.ProcessState, log.Name()))
		}()
	}
	return nil
}

// stop ends the components, the last one started first: the API server hangs when etcd goes before it.
func (s *supervisor) stop() {
	for i := len(s.running) - 1; i >= 0; i-- {
		c := s.running[i]
		_ = c.process.Signal(syscall.SIGTERM)
		select {
		case <-c.ended:
		case <-time.After(stopping):
			_ = c.process.Kill()
			<-c.ended
		}
	}
}
