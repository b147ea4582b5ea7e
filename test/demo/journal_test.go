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

package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/leadership"
)

// logLine is what an elector logs.
func logLine(seconds float64, identity, verb, lease string) string {
	return fmt.Sprintf(`{"severity":"info","timestamp":%q,"message":"\"%s\" has %s leading \"%s\""}`,
		at(seconds).Format("2006-01-02T15:04:05.000Z0700"), identity, verb, lease)
}

func TestJournalTimeline(t *testing.T) {
	j := newJournal()
	j.line("a/0", []byte(logLine(1, "a_1", "started", "q.0")))
	j.line("a/0", []byte(`{"message":"something else"}`))
	j.line("a/0", []byte(logLine(2, "a_1", "started", "q.1")))
	j.line("b/0", []byte(logLine(30, "b_1", "started", "q.0")))
	j.line("a/0", []byte(logLine(20, "a_1", "stopped", "q.0")))
	j.line("c/0", []byte(logLine(3, "c_1", "started", "tekton-leases-controller.deployment.00-of-01")))
	j.end("a/0", at(25))
	j.end("never seen", at(25))
	want := leadership.Timeline{Until: at(40), Buckets: []leadership.Bucket{
		{Lease: "q.0", Spans: []leadership.Span{{Identity: "a_1", From: at(1), To: at(20)}, {Identity: "b_1", From: at(30), To: at(40)}}},
		{Lease: "q.1", Spans: []leadership.Span{{Identity: "a_1", From: at(2), To: at(25)}}},
		{Lease: "q.2"},
	}}
	if diff := cmp.Diff(want, j.timeline(at(40), "q.2")); diff != "" {
		t.Errorf("timeline() (-want, +got):\n%s", diff)
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
			j := newJournal()
			j.line("own/0", []byte(tc.line))
			if diff := cmp.Diff(tc.want, j.roundsBegun()); diff != "" {
				t.Errorf("roundsBegun() (-want, +got):\n%s", diff)
			}
		})
	}
}

func TestMoveAllowed(t *testing.T) {
	const window, retry = 30 * time.Second, 10 * time.Second
	for name, tc := range map[string]struct {
		begun           []time.Time
		ready, ownStart float64
		want            float64
	}{
		"the window is the last to end":             {ready: 100, ownStart: 50, want: 130},
		"the gate is the last to open":              {ready: 100, ownStart: 110, want: 160},
		"begun earlier, as the renewals came early": {begun: []time.Time{at(155)}, ready: 100, ownStart: 110, want: 155},
		"begun later: that counts as well":          {begun: []time.Time{at(190)}, ready: 100, ownStart: 110, want: 160},
		"of several rounds the first":               {begun: []time.Time{at(190), at(151), at(158)}, ready: 100, ownStart: 110, want: 151},
	} {
		t.Run(name, func(t *testing.T) {
			if got := moveAllowed(tc.begun, at(tc.ready), at(tc.ownStart), window, retry); !got.Equal(at(tc.want)) {
				t.Errorf("moveAllowed() = %s, want %s", got.Sub(epoch), at(tc.want).Sub(epoch))
			}
		})
	}
}
