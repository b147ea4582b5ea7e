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
	"maps"
	"net/http"
	"os"
	"regexp"
	"testing"
	"time"
)

// creation is what the API server's audit log tells of a try to create an object.
type creation struct {
	at   time.Time
	pod  string
	code int
}

func (c creation) String() string {
	return fmt.Sprintf("%s by %s: %d", c.at.Format(time.TimeOnly+".000"), c.pod, c.code)
}

// existing finds what exists already, in what a controller complains of.
var existing = regexp.MustCompile(`\\*"([^"\\]+)\\*" already exists`)

// twice judges a complaint that something exists already. It may be one of two
// leaders unless a single replica created it and tried again, which a controller
// does by itself when its cache lags behind its own writes. What a replica still
// had in flight when it was asked to stop does not count: it releases its leases
// before that is done, whoever looks after them.
func twice(complaint string, audit []byte, namespace string, asked map[string]time.Time) (creations []creation, byTwo bool) {
	name := existing.FindStringSubmatch(complaint)
	if name == nil {
		return nil, true
	}
	pods, created := map[string]bool{}, false
	for line := range bytes.Lines(audit) {
		c, ok := creationOf(line, namespace, name[1])
		if !ok {
			continue
		}
		creations = append(creations, c)
		created = created || c.code == http.StatusCreated
		if stop, stopped := asked[c.pod]; !stopped || c.at.Before(stop) {
			pods[c.pod] = true
		}
	}
	return creations, len(pods) > 1 || !created
}

// creationOf reads a line of the audit log, if it tells of the object.
func creationOf(line []byte, namespace, name string) (creation, bool) {
	var entry struct {
		Verb string
		User struct {
			Extra map[string][]string
		}
		ObjectRef                struct{ Namespace, Name, Subresource string }
		ResponseStatus           struct{ Code int }
		RequestReceivedTimestamp time.Time
	}
	if json.Unmarshal(line, &entry) != nil || entry.Verb != "create" || entry.ObjectRef.Subresource != "" ||
		entry.ObjectRef.Namespace != namespace || entry.ObjectRef.Name != name {
		return creation{}, false
	}
	c := creation{at: entry.RequestReceivedTimestamp, code: entry.ResponseStatus.Code}
	if pod := entry.User.Extra["authentication.kubernetes.io/pod-name"]; len(pod) == 1 {
		c.pod = pod[0]
	}
	return c, true
}

// nothingTwice fails the test for each complaint that two replicas caused.
func (r *pipelineRuns) nothingTwice(complaints []string) {
	r.t.Helper()
	if len(complaints) == 0 {
		return
	}
	// A cluster of test/cluster keeps it beside its kubeconfig. Without it each complaint counts.
	audit, err := os.ReadFile(auditPath())
	if err != nil {
		r.t.Logf("who created what is not known: %v", err)
	}
	r.seen.mu.Lock()
	asked := maps.Clone(r.seen.asked)
	r.seen.mu.Unlock()
	for _, complaint := range complaints {
		creations, byTwo := twice(complaint, audit, r.namespace, asked)
		if byTwo {
			r.t.Errorf("%s\ncreated: %v", complaint, creations)
		} else {
			r.t.Logf("not of two leaders: %s\ncreated: %v", complaint, creations)
		}
	}
}

func TestTwice(t *testing.T) {
	line := func(pod, namespace, name string, code int) string {
		return fmt.Sprintf(`{"verb":"create","user":{"extra":{"authentication.kubernetes.io/pod-name":[%q]}},"objectRef":{"namespace":%q,"name":%q},`+
			`"responseStatus":{"code":%d},"requestReceivedTimestamp":"2026-03-01T12:00:00.5Z"}`+"\n", pod, namespace, name, code)
	}
	const complaint = `{"error":"taskruns.tekton.dev \"run-1-second\" already exists"}`
	cases := map[string]struct {
		complaint, audit string
		asked            string // half a second before
		creations        int
		byTwo            bool
	}{
		"one pod, again":     {complaint: complaint, audit: line("a", "ns", "run-1-second", 201) + line("a", "ns", "run-1-second", 409), creations: 2},
		"two pods":           {complaint: complaint, audit: line("a", "ns", "run-1-second", 201) + line("b", "ns", "run-1-second", 409), creations: 2, byTwo: true},
		"one asked to stop":  {complaint: complaint, audit: line("a", "ns", "run-1-second", 201) + line("b", "ns", "run-1-second", 409), asked: "a", creations: 2},
		"a third was":        {complaint: complaint, audit: line("a", "ns", "run-1-second", 201) + line("b", "ns", "run-1-second", 409), asked: "c", creations: 2, byTwo: true},
		"another namespace":  {complaint: complaint, audit: line("a", "other", "run-1-second", 201), byTwo: true},
		"another object":     {complaint: complaint, audit: line("a", "ns", "run-1-first", 201), byTwo: true},
		"nobody created it":  {complaint: complaint, audit: line("a", "ns", "run-1-second", 409), creations: 1, byTwo: true},
		"no audit log":       {complaint: complaint, byTwo: true},
		"no name":            {complaint: "it already exists", audit: line("a", "ns", "run-1-second", 201), byTwo: true},
		"a line in the dark": {complaint: complaint, audit: "{\n" + line("a", "ns", "run-1-second", 201), creations: 1},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			asked := map[string]time.Time{tc.asked: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
			creations, byTwo := twice(tc.complaint, []byte(tc.audit), "ns", asked)
			if len(creations) != tc.creations || byTwo != tc.byTwo {
				t.Errorf("creations %v by two: %v, want %d, %v", creations, byTwo, tc.creations, tc.byTwo)
			}
		})
	}
}
