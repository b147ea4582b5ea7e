//go:build e2e

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

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tektoncd/leases-controller/test/witness"
)

// processes is where a cluster of test/cluster tells the process ids of its
// pods' containers. On another cluster, where no process can be killed, the test
// is skipped.
func (c *cluster) processes() string {
	c.t.Helper()
	dir := filepath.Join(filepath.Dir(os.Getenv("KUBECONFIG")), "pods")
	if _, err := os.Stat(dir); err != nil { //nolint:gosec // KUBECONFIG is the tester's own
		c.t.Skip("this test kills processes, and only a cluster of test/cluster tells which:", err)
	}
	return dir
}

// killOurs kills the process of our controller, if it runs: no warning, no last
// word. Its pod is removed as well, so that the next process starts at once and
// not after the growing back-off of a container that crashes.
func (c *cluster) killOurs(processes string) bool {
	c.t.Helper()
	for _, pod := range c.pods(c.t.Context()) {
		if witness.Container(&pod) != witness.LeasesController || pod.DeletionTimestamp != nil {
			continue
		}
		if !c.signal(processes, pod.Name, witness.LeasesController, syscall.SIGKILL) {
			continue // not started yet
		}
		c.deleteByForce(processes, pod.Name)
		return true
	}
	return false
}

// signal sends a signal to the process of a pod's container, if it runs.
func (c *cluster) signal(processes, pod, container string, signal syscall.Signal) bool {
	c.t.Helper()
	pid := c.pid(processes, pod, container)
	return pid > 0 && syscall.Kill(pid, signal) == nil
}

// pid is the process id of a pod's container, zero if it does not run.
func (c *cluster) pid(processes, pod, container string) int {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(processes, c.namespace+"_"+pod, container+".pid"))
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	c.must(err)
	return pid
}

// metricsAddress is where the host reaches the metrics of a pod.
func (c *cluster) metricsAddress(processes, pod string) (string, error) {
	text, err := os.ReadFile(filepath.Join(processes, c.namespace+"_"+pod, "ports.json"))
	if err != nil {
		return "", fmt.Errorf("failed to find the ports of a pod: %w", err)
	}
	ports := map[string]string{}
	if err := json.Unmarshal(text, &ports); err != nil {
		return "", fmt.Errorf("failed to read the ports of pod %s: %w", pod, err)
	}
	return ports["9090"], nil
}

// ticks is how many of its ticks /proc counts in a second, on every Linux.
const ticks = 100

// cpuTime is what a process has used until now. In /proc/PID/stat user and system
// time are the 14th and 15th field, and the second, the name, may have spaces.
func cpuTime(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, fmt.Errorf("failed to read what a process uses: %w", err)
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	return sumTicks(fields[11:13])
}

// sumTicks sums up fields of a file of /proc that count ticks.
func sumTicks(fields []string) (time.Duration, error) {
	sum := 0
	for _, field := range fields {
		n, err := strconv.Atoi(field)
		if err != nil {
			return 0, fmt.Errorf("failed to read ticks: %w", err)
		}
		sum += n
	}
	return time.Duration(sum) * time.Second / ticks, nil
}
