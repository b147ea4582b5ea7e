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
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// result is what a plan leads to.
type result struct {
	Groups int // the largest difference between two replicas in one group
	Totals int // the largest difference of their totals
	Moves  int
	Stays  int
}

func run(s balance.Snapshot) result {
	p := balance.Make(s)
	r := result{Moves: len(p.Moves), Stays: len(p.Stays)}
	groups, totals := counts(apply(s, p, done))
	for _, c := range groups {
		r.Groups = max(r.Groups, slices.Max(c)-slices.Min(c))
	}
	r.Totals = slices.Max(totals) - slices.Min(totals)
	return r
}

func TestCase02FirstStart(t *testing.T) {
	want := result{Groups: 0, Totals: 0, Moves: 2}
	if diff := cmp.Diff(want, run(state("3/0/0"))); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
}

// Replicas come and go: even after each step, with the fewest moves.
func TestCase04Scale(t *testing.T) {
	s := state("5/5", "5/5", "5/5")
	s.Replicas = append(s.Replicas, balance.Replica{Name: "c"}, balance.Replica{Name: "d"})
	want := result{Groups: 1, Totals: 1, Moves: 14}
	if diff := cmp.Diff(want, run(s)); diff != "" {
		t.Errorf("after 2 -> 4 replicas (-want, +got):\n%s", diff)
	}

	// "d" leaves: its leases have no leader, until "b" happens to take them all.
	s = apply(s, balance.Make(s), done)
	s.Replicas = s.Replicas[:3]
	s = handOn(s, "d", "")
	if p := balance.Make(s); len(p.Moves) > 0 {
		t.Errorf("moves while leases are unowned: %v", p.Moves)
	}
	s = handOn(s, "", "b")
	checkOptimum(t, s)
	want = result{Groups: 1, Totals: 0, Moves: 5}
	if diff := cmp.Diff(want, run(s)); diff != "" {
		t.Errorf("after 4 -> 3 replicas (-want, +got):\n%s", diff)
	}
}

func handOn(s balance.Snapshot, from, to string) balance.Snapshot {
	s = clone(s)
	for _, g := range s.Groups {
		for k := range g.Leases {
			if g.Leases[k].Holder == from {
				g.Leases[k].Holder = to
			}
		}
	}
	return s
}

// The totals are equal, but no queue is even.
func TestCase06OppositeQueues(t *testing.T) {
	want := result{Groups: 0, Totals: 0, Moves: 8}
	if diff := cmp.Diff(want, run(state("4/4", "8/0", "0/8"))); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
}

func TestCase07OddQueues(t *testing.T) {
	for name, tc := range map[string]struct {
		groups []string
		want   result
	}{
		"all on one":                      {[]string{"5/0", "5/0", "5/0"}, result{1, 1, 7, 0}},
		"9/6, though every queue is even": {[]string{"3/2", "3/2", "3/2"}, result{1, 1, 1, 0}},
		"8/7":                             {[]string{"3/2", "2/3", "3/2"}, result{1, 1, 0, 0}},
		"7/8":                             {[]string{"2/3", "2/3", "3/2"}, result{1, 1, 0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, run(state(tc.groups...))); diff != "" {
				t.Errorf("(-want, +got):\n%s", diff)
			}
		})
	}
}

// With several queues of one bucket each the totals could be more even. That
// they are not has a reason.
func TestCase08OneBucket(t *testing.T) {
	if diff := cmp.Diff(result{Groups: 1, Totals: 1}, run(state("1/0/0"))); diff != "" {
		t.Errorf("one queue (-want, +got):\n%s", diff)
	}
	p := balance.Make(state("1/0/0", "1/0/0", "1/0/0"))
	var reasons []balance.Reason
	for _, stay := range p.Stays {
		reasons = append(reasons, stay.Reason)
	}
	want := []balance.Reason{balance.SingleBucket, balance.SingleBucket}
	if diff := cmp.Diff(want, reasons); diff != "" || len(p.Moves) > 0 {
		t.Errorf("moves %v, reasons (-want, +got):\n%s", p.Moves, diff)
	}
}

// A replica stays idle if there is one queue; with three it gets its part.
func TestCase09MoreReplicasThanBuckets(t *testing.T) {
	if diff := cmp.Diff(result{Groups: 1, Totals: 1}, run(state("1/1/0"))); diff != "" {
		t.Errorf("one queue (-want, +got):\n%s", diff)
	}
	want := result{Groups: 1, Totals: 0, Moves: 2}
	if diff := cmp.Diff(want, run(state("1/1/0", "1/1/0", "1/1/0"))); diff != "" {
		t.Errorf("three queues (-want, +got):\n%s", diff)
	}
}
