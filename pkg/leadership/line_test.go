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

package leadership

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const taskrun = "tekton-pipelines-controller.github.com.tektoncd.pipeline.pkg.reconciler.taskrun.reconciler"

func TestParseLine(t *testing.T) {
	at := time.Date(2026, time.March, 1, 12, 0, 0, 123e6, time.UTC)
	for name, tc := range map[string]struct {
		line   string
		want   Change
		wantOK bool
	}{
		"started": {
			line: `{"severity":"info","timestamp":"2026-03-01T12:00:00.123Z","logger":"controller","caller":"leaderelection/context.go:155",` +
				`"message":"\"a-1_u1\" has started leading \"` + taskrun + `.03-of-10\"","commit":"abc"}`,
			want:   Change{Time: at, Identity: "a-1_u1", Lease: taskrun + ".03-of-10", Leads: true},
			wantOK: true,
		},
		"stopped, in another zone": {
			line:   `{"timestamp":"2026-03-01T14:00:00.123+0200","message":"\"a-1_u1\" has stopped leading \"q.00-of-01\""}`,
			want:   Change{Time: at, Identity: "a-1_u1", Lease: "q.00-of-01"},
			wantOK: true,
		},
		"quoted quotes": {
			line:   `{"timestamp":"2026-03-01T12:00:00.123Z","message":"\"a\\\"b_u\" has started leading \"q\""}`,
			want:   Change{Time: at, Identity: `a"b_u`, Lease: "q", Leads: true},
			wantOK: true,
		},
		"with the keys of Tekton Chains": {
			line:   `{"level":"info","ts":"2026-03-01T12:00:00.123Z","msg":"\"a-1_u1\" has started leading \"q.00-of-01\""}`,
			want:   Change{Time: at, Identity: "a-1_u1", Lease: "q.00-of-01", Leads: true},
			wantOK: true,
		},
		"another message":            {line: `{"timestamp":"2026-03-01T12:00:00.123Z","message":"Started workers"}`},
		"says so in another message": {line: `{"timestamp":"2026-03-01T12:00:00.123Z","message":"it said \"a_u\" has started leading \"q\""}`},
		"more after it":              {line: `{"timestamp":"2026-03-01T12:00:00.123Z","message":"\"a_u\" has started leading \"q\" again"}`},
		"no stamp":                   {line: `{"message":"\"a_u\" has started leading \"q\""}`},
		"stamp in seconds":           {line: `{"timestamp":1772366400.123,"message":"\"a_u\" has started leading \"q\""}`},
		"not JSON":                   {line: `I0301 12:00:00 "a_u" has started leading "q"`},
		"cut off":                    {line: `{"timestamp":"2026-03-01T12:00:00.123Z","message":"\"a_u\" has started leading \"q`},
		"bad escape":                 {line: `{"timestamp":"2026-03-01T12:00:00.123Z","message":"\"a\\q_u\" has started leading \"q\""}`},
		"bad escape in the lease":    {line: `{"timestamp":"2026-03-01T12:00:00.123Z","message":"\"a_u\" has started leading \"\\q\""}`},
		"empty":                      {line: ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := ParseLine([]byte(tc.line))
			if ok != tc.wantOK {
				t.Fatalf("ParseLine() ok = %t, want %t", ok, tc.wantOK)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("ParseLine() (-want, +got):\n%s", diff)
			}
		})
	}
}

func FuzzParseLine(f *testing.F) {
	f.Add([]byte(`{"timestamp":"2026-03-01T12:00:00.123Z","message":"\"a_u\" has started leading \"q\""}`))
	f.Add([]byte(`{"message":"\"\\\" has stopped leading \"\""}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if change, ok := ParseLine(line); !ok && change != (Change{}) {
			t.Errorf("ParseLine(%q) = %v, want nothing", line, change)
		}
	})
}

func TestReplica(t *testing.T) {
	for identity, want := range map[string]string{
		"pod-x2k9p_0a1b": "pod-x2k9p",
		"pod_a_b":        "pod",
		"pod":            "pod",
		"":               "",
	} {
		if got := Replica(identity); got != want {
			t.Errorf("Replica(%q) = %q, want %q", identity, got, want)
		}
	}
}
