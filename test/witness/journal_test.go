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

package witness

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/leadership"
)

var epoch = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)

// oldPod is a replica of Tekton's controller.
const oldPod = "tekton-pipelines-controller-7d9c5b-rz4kq"

// at is so many seconds into the tests' story.
func at(seconds float64) time.Time {
	return epoch.Add(time.Duration(seconds * float64(time.Second)))
}

// logLine is what an elector logs.
func logLine(seconds float64, identity, verb, lease string) string {
	return fmt.Sprintf(`{"severity":"info","timestamp":%q,"message":"\"%s\" has %s leading \"%s\""}`,
		at(seconds).Format("2006-01-02T15:04:05.000Z0700"), identity, verb, lease)
}

func TestJournalTimeline(t *testing.T) {
	j := NewJournal()
	j.Line("a/0", []byte(logLine(1, "a_1", "started", "q.0")))
	j.Line("a/0", []byte(`{"message":"something else"}`))
	j.Line("a/0", []byte(logLine(2, "a_1", "started", "q.1")))
	j.Line("b/0", []byte(logLine(30, "b_1", "started", "q.0")))
	j.Line("a/0", []byte(logLine(20, "a_1", "stopped", "q.0")))
	j.Line("c/0", []byte(logLine(3, "c_1", "started", "tekton-leases-controller.deployment.00-of-01")))
	j.end("a/0", at(25))
	j.end("never seen", at(25))
	want := leadership.Timeline{Until: at(40), Buckets: []leadership.Bucket{
		{Lease: "q.0", Spans: []leadership.Span{{Identity: "a_1", From: at(1), To: at(20)}, {Identity: "b_1", From: at(30), To: at(40)}}},
		{Lease: "q.1", Spans: []leadership.Span{{Identity: "a_1", From: at(2), To: at(25)}}},
		{Lease: "q.2"},
	}}
	if diff := cmp.Diff(want, j.Timeline(at(40), "q.2")); diff != "" {
		t.Errorf("Timeline() (-want, +got):\n%s", diff)
	}
}

func TestRoundsBegun(t *testing.T) {
	for name, tc := range map[string]struct {
		line string
		want []time.Time
	}{
		"ours": {
			line: `{"timestamp":"2026-03-01T12:00:10.500Z","message":"round begun","deployment":"tekton-pipelines-controller"}`,
			want: []time.Time{at(10.5)},
		},
		"with the namespace": {
			line: `{"timestamp":"2026-03-01T12:00:10.500Z","message":"round begun","deployment":"tekton-pipelines/tekton-pipelines-controller"}`,
			want: []time.Time{at(10.5)},
		},
		"another deployment": {line: `{"timestamp":"2026-03-01T12:00:10.500Z","message":"round begun","deployment":"tekton-events-controller"}`},
		"another message":    {line: `{"timestamp":"2026-03-01T12:00:10.500Z","message":"no round begun","deployment":"tekton-pipelines-controller"}`},
		"no time":            {line: `{"message":"round begun","deployment":"tekton-pipelines-controller"}`},
		"not JSON":           {line: `round begun`},
		"a Tekton line":      {line: logLine(1, "a_1", "started", "q.0")},
	} {
		t.Run(name, func(t *testing.T) {
			j := NewJournal()
			j.Line("own/0", []byte(tc.line))
			if diff := cmp.Diff(tc.want, j.RoundsBegun()); diff != "" {
				t.Errorf("RoundsBegun() (-want, +got):\n%s", diff)
			}
		})
	}
}

func TestDuplicates(t *testing.T) {
	for name, tc := range map[string]struct {
		line string
		want bool
	}{
		"a pod":            {line: `{"message":"reconcile failed","error":"pods \"run-1-first-pod\" already exists"}`, want: true},
		"a TaskRun":        {line: `{"error":"error creating TaskRuns: taskruns.tekton.dev \"run-1-first\" already exists"}`, want: true},
		"a lease":          {line: `error initially creating leader election record: leases.coordination.k8s.io "q.00-of-10" already exists`},
		"a lease, in JSON": {line: `{"message":"error initially creating leader election record: leases.coordination.k8s.io \"q.00-of-10\" already exists"}`},
		"both": {
			line: `{"message":"leases.coordination.k8s.io \"q\" already exists","error":"pods \"run-1-first-pod\" already exists"}`, want: true,
		},
		"at that moment": {line: `{"timestamp":"2026-03-01T12:00:10.000Z","error":"pods \"p\" already exists"}`, want: true},
		"before":         {line: `{"timestamp":"2026-03-01T12:00:09.999Z","error":"pods \"p\" already exists"}`},
		"at no time":     {line: `{"timestamp":"then","error":"pods \"p\" already exists"}`, want: true},
		"something else": {line: `{"message":"reconcile succeeded"}`},
	} {
		t.Run(name, func(t *testing.T) {
			j := NewJournal()
			j.Line("a/0", []byte(tc.line+"\n"))
			var want []string
			if tc.want {
				want = []string{tc.line}
			}
			if diff := cmp.Diff(want, j.Duplicates(at(10))); diff != "" {
				t.Errorf("Duplicates(10 s) (-want, +got):\n%s", diff)
			}
		})
	}
}
