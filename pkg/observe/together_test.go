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

package observe

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// TestTogether: the leases of a queue that move are those that were renewed at
// about the same time. Where they go, and how many, is as planned.
func TestTogether(t *testing.T) {
	// Renewed by a at 0 s, 4 s, 4.5 s, 5 s and 9 s; x is b's.
	seen := map[string]float64{"0": 0, "1": 4, "2": 4.5, "3": 5, "4": 9}
	cases := map[string]struct {
		edit func(leases map[string]*Lease)
		plan balance.Plan
		want []balance.Move
	}{
		"nothing moves": {},
		"one": {
			plan: balance.Plan{Moves: []balance.Move{move("4", "a", "b")}},
			want: []balance.Move{move("0", "a", "b")},
		},
		"two": {
			plan: balance.Plan{Moves: []balance.Move{move("0", "a", "b"), move("1", "a", "b")}},
			want: []balance.Move{move("1", "a", "b"), move("2", "a", "b")},
		},
		"three, to two replicas": {
			plan: balance.Plan{Moves: []balance.Move{move("0", "a", "b"), move("1", "a", "c"), move("4", "a", "c")}},
			want: []balance.Move{move("1", "a", "b"), move("2", "a", "c"), move("3", "a", "c")},
		},
		"all": {
			plan: balance.Plan{Moves: []balance.Move{move("0", "a", "b"), move("1", "a", "b"), move("2", "a", "b"), move("3", "a", "b"), move("4", "a", "b")}},
			want: []balance.Move{move("0", "a", "b"), move("1", "a", "b"), move("2", "a", "b"), move("3", "a", "b"), move("4", "a", "b")},
		},
		"not one that must stay": {
			edit: func(leases map[string]*Lease) { leases["2"].Pinned = balance.HolderLate },
			plan: balance.Plan{Moves: []balance.Move{move("0", "a", "b"), move("4", "a", "b")}},
			want: []balance.Move{move("1", "a", "b"), move("3", "a", "b")},
		},
		"not one that stays for now": {
			plan: balance.Plan{
				Moves: []balance.Move{move("0", "a", "b"), move("4", "a", "b")},
				Stays: []balance.Stay{stays("1", "a", "b", balance.LastLease)},
			},
			want: []balance.Move{move("2", "a", "b"), move("3", "a", "b")},
		},
		"not one that is in our hands": {
			edit: func(leases map[string]*Lease) { leases["1"].Transit = &Transit{} },
			plan: balance.Plan{Moves: []balance.Move{move("0", "a", "b"), move("4", "a", "b")}},
			want: []balance.Move{move("2", "a", "b"), move("3", "a", "b")},
		},
		"not one of another replica": {
			edit: func(leases map[string]*Lease) { leases["3"].Holder = "b" },
			plan: balance.Plan{Moves: []balance.Move{move("0", "a", "b"), move("3", "b", "c")}},
			want: []balance.Move{move("0", "a", "b"), move("3", "b", "c")},
		},
		"not enough are left": {
			edit: func(leases map[string]*Lease) { leases["0"].Pinned = balance.HolderLate },
			plan: balance.Plan{Moves: []balance.Move{
				move("0", "a", "b"), move("1", "a", "b"), move("2", "a", "b"), move("3", "a", "b"), move("4", "a", "b"),
			}},
			want: []balance.Move{move("0", "a", "b"), move("1", "a", "b"), move("2", "a", "b"), move("3", "a", "b"), move("4", "a", "b")},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			group := bucket.Group{Prefix: "taskrun", Buckets: 4}
			leases := map[string]*Lease{}
			g := Group{Group: group, Leases: make([]Lease, len(seen))}
			for i, name := range []string{"0", "1", "2", "3", "4"} {
				at := time.Unix(0, 0).Add(time.Duration(seen[name] * float64(time.Second)))
				g.Leases[i] = Lease{Name: name, Holder: "a", Seen: at}
				leases[name] = &g.Leases[i]
			}
			if tc.edit != nil {
				tc.edit(leases)
			}
			before := tc.plan
			got := View{Groups: []Group{g}}.Together(tc.plan)
			if diff := cmp.Diff(tc.want, got.Moves); diff != "" {
				t.Errorf("moves (-want, +got):\n%s", diff)
			}
			if diff := cmp.Diff(before.Stays, got.Stays); diff != "" {
				t.Errorf("stays (-want, +got):\n%s", diff)
			}
		})
	}
}
