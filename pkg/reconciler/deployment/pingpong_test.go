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

package deployment

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// onwards has an ending be that of a journey from the second replica to a third.
func onwards(e *ending) { e.from.Identity, e.by = e.by, "pod-c_1" }

// ordinal has an ending be that of another lease.
func ordinal(n uint32) func(*ending) { return func(e *ending) { e.lease = taskrun.Name(n) } }

// TestPingPong: what stays, and what is said, at 1000 s after handovers that all
// went as planned.
func TestPingPong(t *testing.T) {
	const done = handover.Done
	type outcome struct {
		// Pinned are the leases that stay, Paused tells that all do.
		Pinned []string
		Paused bool
		Said   int
	}
	cases := map[string]struct {
		ended []ending
		want  outcome
	}{
		"each lease once":     {ended: endings(after(100, done), after(101, done, ordinal(1)), after(102, done, ordinal(2)), after(103, done, ordinal(3)))},
		"one twice":           {ended: endings(after(100, done), after(200, done))},
		"one three times":     {ended: endings(after(100, done), after(200, done), after(300, done)), want: outcome{Pinned: []string{taskrun.Name(0)}, Said: 1}},
		"from different ones": {ended: endings(after(100, done), after(200, done, fromAnother), after(300, done))},
		"to different ones":   {ended: endings(after(100, done), after(200, done, toAnother), after(300, done))},
		"by way of a third":   {ended: endings(after(100, done), after(200, done, onwards), after(300, done), after(400, done, onwards), after(500, done))},
		"four by way of a third": {ended: endings(
			after(100, done), after(101, done, ordinal(1)), after(102, done, ordinal(2)), after(103, done, ordinal(3)),
			after(110, done, onwards), after(111, done, onwards, ordinal(1)), after(112, done, onwards, ordinal(2)), after(113, done, onwards, ordinal(3)),
			after(200, done), after(201, done, ordinal(1)), after(202, done, ordinal(2)), after(203, done, ordinal(3)),
		)},
		"not where it should be": {ended: endings(after(100, done, misplaced), after(200, done, misplaced), after(300, done, misplaced))},
		"they came back":         {ended: endings(after(100, handover.Returned), after(200, handover.Returned), after(300, handover.Returned))},
		"over a long time":       {ended: endings(after(-1800, done), after(200, done), after(300, done))},
		"three twice": {ended: endings(
			after(100, done), after(101, done, ordinal(1)), after(102, done, ordinal(2)),
			after(200, done), after(201, done, ordinal(1)), after(202, done, ordinal(2)),
		)},
		"four twice": {
			ended: endings(
				after(100, done), after(101, done, ordinal(1)), after(102, done, ordinal(2)), after(103, done, ordinal(3)),
				after(200, done), after(201, done, ordinal(1)), after(202, done, ordinal(2)), after(203, done, ordinal(3)),
			),
			want: outcome{Paused: true, Said: 1},
		},
		"said once": {
			ended: endings(
				after(100, done), after(101, done, ordinal(1)), after(102, done, ordinal(2)), after(103, done, ordinal(3)),
				after(200, done), after(201, done, ordinal(1)), after(202, done, ordinal(2)), after(203, done, ordinal(3)),
				after(204, done, ordinal(3)),
			),
			want: outcome{Pinned: []string{taskrun.Name(3)}, Paused: true, Said: 2},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			h := newHistory()
			var got outcome
			for _, e := range tc.ended {
				for _, n := range h.note(e) {
					if n.reason != reasonPingPong {
						continue
					}
					got.Said++
					if !strings.Contains(n.message, "although nothing failed") {
						t.Errorf("said %+v", n)
					}
				}
			}
			view := observe.View{Groups: []observe.Group{{Group: taskrun}}}
			for _, lease := range taskrun.Names() {
				view.Groups[0].Leases = append(view.Groups[0].Leases, observe.Lease{Name: lease})
			}
			h.pin(view, at(1000))
			for _, l := range view.Groups[0].Leases {
				if l.Pinned == balance.PingPong {
					got.Pinned = append(got.Pinned, l.Name)
				}
			}
			got.Paused = h.waits(taskrun, 0, at(1000)) == balance.PingPong
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("outcome (-want, +got):\n%s", diff)
			}
			if reason := h.waits(taskrun, 0, at(2200)); reason == balance.PingPong {
				t.Error("it does not reset itself")
			}
			if h.forget(observe.View{}, at(4100)); len(h.leases) != 0 {
				t.Errorf("remembers %d leases for ever", len(h.leases))
			}
		})
	}
}
