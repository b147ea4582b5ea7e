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

package balance

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKeepBack(t *testing.T) {
	move := func(lease string) Move { return Move{Group: "g", Lease: lease, From: "a", To: "b"} }
	stay := func(lease string, reason Reason) Stay {
		return Stay{Group: "g", Lease: lease, Holder: "a", To: "b", Reason: reason}
	}
	placements := []Placement{{Group: "g", Lease: "9", To: "b"}}
	cases := map[string]struct {
		plan Plan
		back []string
		want Plan
	}{
		"an empty plan": {back: []string{"0"}},
		"nothing":       {plan: Plan{Moves: []Move{move("0")}}, want: Plan{Moves: []Move{move("0")}}},
		"some": {
			plan: Plan{Moves: []Move{move("0"), move("1"), move("2")}, Placements: placements}, back: []string{"1"},
			want: Plan{Moves: []Move{move("0"), move("2")}, Placements: placements, Stays: []Stay{stay("1", Paused)}},
		},
		"all": {
			plan: Plan{Moves: []Move{move("0"), move("1")}}, back: []string{"0", "1"},
			want: Plan{Stays: []Stay{stay("0", Paused), stay("1", Paused)}},
		},
		"among others, in the plan's order": {
			plan: Plan{Moves: []Move{move("1")}, Stays: []Stay{stay("0", OptedOut), stay("2", OptedOut)}}, back: []string{"1"},
			want: Plan{Stays: []Stay{stay("0", OptedOut), stay("1", Paused), stay("2", OptedOut)}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var asked []string
			before := slices.Clone(tc.plan.Stays)
			got := tc.plan.KeepBack(func(m Move) Reason {
				asked = append(asked, m.Lease)
				if slices.Contains(tc.back, m.Lease) {
					return Paused
				}
				return ""
			})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("plan (-want, +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, tc.plan.Stays); diff != "" {
				t.Errorf("the original changed (-want, +got):\n%s", diff)
			}
			if !slices.IsSorted(asked) || len(asked) != len(tc.plan.Moves) {
				t.Errorf("asked about %v, want each move once, in order", asked)
			}
		})
	}
}

func TestTargets(t *testing.T) {
	plan := Plan{
		Moves:      []Move{{Lease: "0", From: "a", To: "b"}},
		Placements: []Placement{{Lease: "1", To: "c"}, {Lease: "2", To: "a"}},
		Stays:      []Stay{{Lease: "3", Holder: "a", To: "b", Reason: Paused}},
	}
	want := map[string]string{"0": "b", "1": "c", "2": "a"}
	if diff := cmp.Diff(want, plan.Targets()); diff != "" {
		t.Errorf("targets (-want, +got):\n%s", diff)
	}
}
