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
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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
	at  time.Time
	cpu time.Duration
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

// ticks is how many of its ticks /proc counts in a second, on every Linux.
const ticks = 100

// usage reads /proc/PID/stat: user and system time are the 14th and 15th field, and
// the second, the name, may have spaces.
func (p *ourProcess) usage() usage {
	p.t.Helper()
	text := p.read("stat")
	fields := strings.Fields(text[strings.LastIndex(text, ")")+1:])
	var used int
	for _, field := range fields[11:13] {
		n, err := strconv.Atoi(field)
		if err != nil {
			p.t.Fatalf("failed to read /proc/%d/stat: %v", p.pid, err)
		}
		used += n
	}
	return usage{time.Now(), time.Duration(used) * time.Second / ticks}
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
	for _, r := range p.requests(before.at, now.at) {
		if r.Verb == "watch" || r.own() {
			continue
		}
		requests++
		if r.ObjectRef.Resource == "leases" && r.Verb != "get" && r.Verb != "list" {
			c.writes++
		}
	}
	c.requests = float64(requests) / took.Minutes()
	return c
}

// request is one that the API server's audit log tells of.
type request struct {
	Verb string
	User struct {
		Username string
	}
	ObjectRef struct {
		Resource, Namespace, Name string
	}
	RequestReceivedTimestamp time.Time
}

// own tells whether it is one of its own election.
func (r request) own() bool {
	return r.ObjectRef.Resource == "leases" && strings.HasPrefix(r.ObjectRef.Name, witness.LeasesController)
}

// requests are ours, in that time.
func (p *ourProcess) requests(from, to time.Time) (all []request) {
	p.t.Helper()
	audit, err := os.ReadFile(filepath.Join(filepath.Dir(os.Getenv("KUBECONFIG")), "log", "audit.log")) //nolint:gosec // the path is the tester's own
	if err != nil {
		p.t.Fatalf("failed to read the audit log: %v", err)
	}
	user := "system:serviceaccount:" + p.namespace + ":"
	for line := range bytes.Lines(audit) {
		var r request
		if json.Unmarshal(line, &r) == nil && strings.HasPrefix(r.User.Username, user) &&
			r.RequestReceivedTimestamp.After(from) && r.RequestReceivedTimestamp.Before(to) {
			all = append(all, r)
		}
	}
	return all
}
