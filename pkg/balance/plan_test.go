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

package balance_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// edit changes one lease of the first group of a snapshot.
func edit(s balance.Snapshot, lease int, l balance.Lease) balance.Snapshot {
	l.Name = s.Groups[0].Leases[lease].Name
	s.Groups[0].Leases[lease] = l
	return s
}

// standing gives a replica a standing.
func standing(s balance.Snapshot, replica int, reason balance.Reason) balance.Snapshot {
	s.Replicas[replica].Standing = reason
	return s
}

// block blocks a group.
func block(s balance.Snapshot, group int, reason balance.Reason) balance.Snapshot {
	s.Groups[group].Blocked = reason
	return s
}

func TestMake(t *testing.T) {
	for name, tc := range map[string]struct {
		snapshot balance.Snapshot
		want     balance.Plan
	}{
		"nothing": {},
		"no replica": {
			snapshot: balance.Snapshot{Groups: state("2/0").Groups},
		},
		"no group": {
			snapshot: balance.Snapshot{Replicas: state("2/0").Replicas},
		},
		"surplus leases go by name": {
			snapshot: state("4/0"),
			want: balance.Plan{Moves: []balance.Move{
				{Group: "g0", Lease: "l0", From: "a", To: "b"},
				{Group: "g0", Lease: "l1", From: "a", To: "b"},
			}},
		},
		"a pinned lease is not the one to go": {
			snapshot: edit(state("4/0"), 1, balance.Lease{Holder: "a", Pinned: balance.HolderLate}),
			want: balance.Plan{Moves: []balance.Move{
				{Group: "g0", Lease: "l0", From: "a", To: "b"},
				{Group: "g0", Lease: "l2", From: "a", To: "b"},
			}},
		},
		"a lease in transit goes where one is missing": {
			snapshot: edit(state("3/1"), 0, balance.Lease{From: "a"}),
			want:     balance.Plan{Placements: []balance.Placement{{Group: "g0", Lease: "l0", To: "b"}}},
		},
		"a lease in transit goes back if it need not have moved": {
			snapshot: edit(state("2/2"), 0, balance.Lease{From: "a"}),
			want:     balance.Plan{Placements: []balance.Placement{{Group: "g0", Lease: "l0", To: "a"}}},
		},
		"a lease in transit fills a gap rather than go back for another to move": {
			snapshot: edit(state("3/3/1"), 0, balance.Lease{From: "a"}),
			want:     balance.Plan{Placements: []balance.Placement{{Group: "g0", Lease: "l0", To: "c"}}},
		},
		"a lease in transit from a replica that is gone": {
			snapshot: edit(state("2/1"), 0, balance.Lease{From: "gone"}),
			want:     balance.Plan{Placements: []balance.Placement{{Group: "g0", Lease: "l0", To: "a"}}},
		},
		"a lease in transit of a blocked group": {
			snapshot: block(edit(state("3/1"), 0, balance.Lease{From: "a"}), 0, balance.RolloutInProgress),
			want:     balance.Plan{Placements: []balance.Placement{{Group: "g0", Lease: "l0", To: "b"}}},
		},
		"a lease in transit with only one replica eligible": {
			snapshot: standing(edit(state("2/2"), 0, balance.Lease{From: "a"}), 0, balance.ReplicaOnProbation),
			want:     balance.Plan{Placements: []balance.Placement{{Group: "g0", Lease: "l0", To: "b"}}},
		},
		"a lease in transit with no replica eligible goes back": {
			snapshot: standing(standing(edit(state("1/1"), 0, balance.Lease{From: "a"}),
				0, balance.HolderNotReady), 1, balance.HolderNotReady),
			want: balance.Plan{Placements: []balance.Placement{{Group: "g0", Lease: "l0", To: "a"}}},
		},
		"a lease in transit with nowhere to go": {
			snapshot: standing(standing(edit(state("1/1"), 0, balance.Lease{From: "gone"}),
				0, balance.HolderNotReady), 1, balance.HolderNotReady),
		},
		"a lease that is bound counts for its target": {
			snapshot: edit(state("3/1"), 0, balance.Lease{From: "a", Target: "b"}),
		},
		"a lease that is bound for too much cannot be moved": {
			snapshot: edit(edit(state("2/2"), 2, balance.Lease{Target: "a"}), 3, balance.Lease{Target: "a"}),
			want: balance.Plan{Moves: []balance.Move{
				{Group: "g0", Lease: "l0", From: "a", To: "b"},
				{Group: "g0", Lease: "l1", From: "a", To: "b"},
			}},
		},
		"an unowned lease spares another a move": {
			snapshot: edit(state("2/1"), 2, balance.Lease{}),
		},
		"a lease held elsewhere counts for nobody": {
			snapshot: edit(state("2/1"), 2, balance.Lease{Holder: "gone"}),
			want:     balance.Plan{Moves: []balance.Move{{Group: "g0", Lease: "l0", From: "a", To: "b"}}},
		},
		"a blocked group counts in the totals": {
			snapshot: block(state("3/0", "2/1"), 0, balance.LeaseUnowned),
			want: balance.Plan{
				Moves: []balance.Move{{Group: "g1", Lease: "l0", From: "a", To: "b"}},
				Stays: []balance.Stay{{Group: "g0", Lease: "l0", Holder: "a", To: "b", Reason: balance.LeaseUnowned}},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, balance.Make(tc.snapshot)); diff != "" {
				t.Errorf("(-want, +got):\n%s", diff)
			}
		})
	}
}

func TestStays(t *testing.T) {
	late := balance.Lease{Holder: "a", Pinned: balance.HolderLate}
	for name, tc := range map[string]struct {
		snapshot balance.Snapshot
		want     []balance.Stay
	}{
		"an obstacle that keeps no lease from moving": {
			snapshot: block(state("2/2", "2/2"), 0, balance.Paused),
		},
		"the group is blocked": {
			snapshot: block(edit(edit(state("2/0"), 0, late), 1, late), 0, balance.Paused),
			want:     []balance.Stay{{Group: "g0", Lease: "l0", Holder: "a", To: "b", Reason: balance.Paused}},
		},
		"the lease is pinned": {
			snapshot: standing(edit(edit(state("2/0"), 0, late), 1, late), 1, balance.ReplicaOnProbation),
			want:     []balance.Stay{{Group: "g0", Lease: "l0", Holder: "a", To: "b", Reason: balance.HolderLate}},
		},
		"the holder may not be relieved": {
			snapshot: standing(standing(state("2/0"), 0, balance.HolderNotReady), 1, balance.ReplicaOnProbation),
			want:     []balance.Stay{{Group: "g0", Lease: "l0", Holder: "a", To: "b", Reason: balance.HolderNotReady}},
		},
		"the targets may not lead": {
			snapshot: standing(standing(state("3/0/0"), 1, balance.ReplicaOnProbation), 2, balance.HolderNotReady),
			want: []balance.Stay{
				{Group: "g0", Lease: "l0", Holder: "a", To: "b", Reason: balance.ReplicaOnProbation},
				{Group: "g0", Lease: "l1", Holder: "a", To: "c", Reason: balance.HolderNotReady},
			},
		},
		"one that moves is enough, so the holder on probation keeps its own": {
			snapshot: standing(state("3/1/3"), 2, balance.ReplicaOnProbation),
		},
		"the target may not lead, and others move where they can": {
			snapshot: standing(state("6/0/0"), 1, balance.ReplicaOnProbation),
			want:     []balance.Stay{{Group: "g0", Lease: "l3", Holder: "a", To: "b", Reason: balance.ReplicaOnProbation}},
		},
		"a lease would only make room for one that is blocked": {
			snapshot: block(block(state("2/2", "1/3", "3/2", "3/2"), 0, balance.Paused), 1, balance.Muted),
			want: []balance.Stay{
				{Group: "g1", Lease: "l1", Holder: "b", To: "a", Reason: balance.Muted},
				{Group: "g2", Lease: "l0", Holder: "a", To: "b", Reason: balance.Muted},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, balance.Make(tc.snapshot).Stays); diff != "" {
				t.Errorf("(-want, +got):\n%s", diff)
			}
		})
	}
}
