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
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tektoncd/leases-controller/test/witness"
)

// ourProcess is the process of our controller.
type ourProcess struct {
	t         *testing.T
	pid       int
	namespace string
}

// usage is what it had used at a moment.
type usage struct {
	at    time.Time
	cpu   time.Duration
	audit audit
}

// cost is what it takes when nothing changes.
type cost struct {
	leases int
	// cpu is in millicores, memory in MiB that no file backs.
	cpu, memory float64
	// requests are those in a minute, beside watches and its own election; writes
	// those of leases that are not its own.
	requests float64
	writes   int
}

func (c cost) String() string {
	return fmt.Sprintf("idle_millicores=%.2f anonymous_mib=%.1f requests_per_min=%.2f lease_writes=%d", c.cpu, c.memory, c.requests, c.writes)
}

// ourProcess finds it.
func (c *cluster) ourProcess(processes string) *ourProcess {
	c.t.Helper()
	for _, pod := range c.pods(c.t.Context()) {
		if witness.Container(&pod) == witness.LeasesController {
			return &ourProcess{c.t, c.pid(processes, pod.Name, witness.LeasesController), c.namespace}
		}
	}
	c.t.Fatal("our controller does not run")
	return nil
}

// usage is what it has used until now.
func (p *ourProcess) usage() usage {
	p.t.Helper()
	used, err := cpuTime(p.pid)
	if err != nil {
		p.t.Fatal(err)
	}
	return usage{time.Now(), used, openAudit(p.t)}
}

func (p *ourProcess) read(file string) string {
	p.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", p.pid, file))
	if err != nil {
		p.t.Fatalf("failed to read what our process uses: %v", err)
	}
	return string(text)
}

// costSince is what it took since then.
func (p *ourProcess) costSince(before usage, leases int) cost {
	p.t.Helper()
	now := p.usage()
	took := now.at.Sub(before.at)
	c := cost{leases: leases, cpu: 1000 * (now.cpu - before.cpu).Seconds() / took.Seconds()}
	for line := range strings.Lines(p.read("status")) {
		if kib, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			n, err := strconv.Atoi(strings.Fields(kib)[0])
			if err != nil {
				p.t.Fatalf("failed to read /proc/%d/status: %v", p.pid, err)
			}
			c.memory = float64(n) / 1024
		}
	}
	requests := 0
	for _, r := range before.audit.requests(p.t, "system:serviceaccount:"+p.namespace+":tekton-leases-controller") {
		leases := r.ObjectRef != nil && r.ObjectRef.Resource == "leases"
		if r.Verb == "watch" || leases && strings.HasPrefix(r.ObjectRef.Name, witness.LeasesController) {
			continue
		}
		requests++
		if leases && r.Verb != "get" && r.Verb != "list" {
			c.writes++
		}
	}
	c.requests = float64(requests) / took.Minutes()
	return c
}
