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
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// TestArbitrary tries small snapshots in which everything can occur.
func TestArbitrary(t *testing.T) {
	for seed := range uint64(5_000) {
		s := arbitrary(rand.New(rand.NewPCG(seed, 0)))
		checkAll(t, s)
		if t.Failed() {
			t.Fatalf("seed %d: %+v\n%+v", seed, s, balance.Make(s))
		}
	}
}

// FuzzMake does the same with snapshots that the fuzzer makes up.
func FuzzMake(f *testing.F) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		data := make([]byte, 100)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkAll(t, arbitrary((*choices)(&data)))
	})
}

// chooser makes choices, at random or otherwise.
type chooser interface{ IntN(n int) int }

// choices are made beforehand. When they are used up it is always the first.
type choices []byte

func (c *choices) IntN(n int) int {
	if len(*c) == 0 {
		return 0
	}
	first := (*c)[0]
	*c = (*c)[1:]
	return int(first) % n
}

// arbitrary makes up a small snapshot.
func arbitrary(c chooser) balance.Snapshot {
	var s balance.Snapshot
	for i := range c.IntN(5) {
		replica := balance.Replica{Name: name(i)}
		if c.IntN(5) == 4 {
			replica.Standing = balance.ReplicaOnProbation
		}
		s.Replicas = append(s.Replicas, replica)
	}
	trouble := c.IntN(3)
	for g := range c.IntN(5) {
		group := balance.Group{Name: fmt.Sprintf("g%d", g)}
		if trouble > 0 && c.IntN(4) == 3 {
			group.Blocked = balance.RolloutInProgress
		}
		for n := range c.IntN(7) {
			group.Leases = append(group.Leases, arbitraryLease(c, n, len(s.Replicas), trouble))
		}
		s.Groups = append(s.Groups, group)
	}
	return s
}

// arbitraryLease makes up a lease of one of the replicas, or of one more.
func arbitraryLease(c chooser, n, replicas, trouble int) balance.Lease {
	somebody := name(c.IntN(replicas + 1))
	if replicas > 0 && somebody == name(replicas) && c.IntN(3) > 0 {
		somebody = name(0)
	}
	l := balance.Lease{Name: fmt.Sprintf("l%d", n)}
	switch c.IntN(2 + 5*trouble) {
	case 2:
		l.Target = somebody
	case 3, 4:
		l.From = somebody
	case 5:
		// unowned
	case 6:
		l.Holder, l.Pinned = somebody, balance.HolderLate
	default:
		l.Holder = somebody
	}
	return l
}

// checkAll checks everything that is true of every plan.
func checkAll(t *testing.T, s balance.Snapshot) {
	t.Helper()
	before := clone(s)
	p := balance.Make(s)
	if diff := cmp.Diff(before, s); diff != "" {
		t.Errorf("Make changed its input (-want, +got):\n%s", diff)
	}
	checkMoves(t, s, p)
	checkPlacements(t, s, p)
	checkStays(t, s, p)
	checkSorted(t, p)
	checkShuffled(t, s, p)
	if len(eligible(s)) > 0 {
		checkOptimum(t, s)
		checkSteps(t, s, p)
	}
}

func checkMoves(t *testing.T, s balance.Snapshot, p balance.Plan) {
	t.Helper()
	for _, m := range p.Moves {
		l := find(s, m.Group, m.Lease)
		if l.Target != "" || l.Holder != m.From || l.Pinned != "" || blocked(s, m.Group) {
			t.Errorf("move %v of a lease that must stay", m)
		}
		if m.From == m.To || !slices.Contains(eligible(s), m.From) || !slices.Contains(eligible(s), m.To) {
			t.Errorf("move %v is not between two eligible replicas", m)
		}
	}
}

// checkPlacements checks that each lease in transit has one place, if there is any.
func checkPlacements(t *testing.T, s balance.Snapshot, p balance.Plan) {
	t.Helper()
	var want, got []id
	for _, g := range s.Groups {
		for _, l := range g.Leases {
			possible := len(eligible(s)) > 0 || known(s, l.From)
			if l.Target == "" && l.Holder == "" && l.From != "" && possible {
				want = append(want, id{g.Name, l.Name})
			}
		}
	}
	for _, placement := range p.Placements {
		got = append(got, id{placement.Group, placement.Lease})
		from := find(s, placement.Group, placement.Lease).From
		if len(eligible(s)) > 0 && !slices.Contains(eligible(s), placement.To) || len(eligible(s)) == 0 && placement.To != from {
			t.Errorf("placement %v on a replica that cannot have it", placement)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("leases with a placement (-want, +got):\n%s", diff)
	}
}

// checkStays checks that the leases which move and those which stay are
// together those that would move if nothing stood in the way.
func checkStays(t *testing.T, s balance.Snapshot, p balance.Plan) {
	t.Helper()
	moving := make(map[id]bool)
	for _, m := range p.Moves {
		moving[id{m.Group, m.Lease}] = true
	}
	for _, stay := range p.Stays {
		if moving[id{stay.Group, stay.Lease}] {
			t.Errorf("%v moves, too", stay)
		}
		if l := find(s, stay.Group, stay.Lease); l.Holder != stay.Holder || l.Target != "" || stay.To == stay.Holder || !known(s, stay.To) {
			t.Errorf("%v does not fit the lease %v", stay, l)
		}
		if stay.Reason == "" || !slices.Contains(reasons(s), stay.Reason) {
			t.Errorf("%v has none of the reasons %q", stay, reasons(s))
		}
	}
	if len(s.Replicas) == 0 {
		return
	}
	if would := unhindered(s).Moves; len(p.Stays) > would || len(p.Stays)+len(p.Moves) < would {
		t.Errorf("%d leases move and %d stay, but %d would move", len(p.Moves), len(p.Stays), would)
	}
}

func checkSorted(t *testing.T, p balance.Plan) {
	t.Helper()
	var moves, placements, stays []id
	for _, m := range p.Moves {
		moves = append(moves, id{m.Group, m.Lease})
	}
	for _, placement := range p.Placements {
		placements = append(placements, id{placement.Group, placement.Lease})
	}
	for _, stay := range p.Stays {
		stays = append(stays, id{stay.Group, stay.Lease})
	}
	for _, ids := range [][]id{moves, placements, stays} {
		for k := range ids {
			if k > 0 && ids[k-1].compare(ids[k]) >= 0 {
				t.Errorf("%v comes after %v", ids[k], ids[k-1])
			}
		}
	}
}

// checkShuffled checks that the order of the input does not matter.
func checkShuffled(t *testing.T, s balance.Snapshot, p balance.Plan) {
	t.Helper()
	s = clone(s)
	r := rand.New(rand.NewPCG(uint64(len(p.Moves)), uint64(len(s.Groups))))
	shuffle(r, s.Replicas)
	shuffle(r, s.Groups)
	for _, g := range s.Groups {
		shuffle(r, g.Leases)
	}
	if diff := cmp.Diff(p, balance.Make(s)); diff != "" {
		t.Errorf("plan for the same in another order (-want, +got):\n%s", diff)
	}
}

func shuffle[T any](r *rand.Rand, s []T) {
	r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
}

// checkSteps checks that a plan under way does not lead to other moves, in
// whatever stage each of its leases is.
func checkSteps(t *testing.T, s balance.Snapshot, p balance.Plan) {
	t.Helper()
	for _, to := range []step{inTransit, assigned, done} {
		if moves := balance.Make(apply(s, p, to)).Moves; len(moves) > 0 {
			t.Errorf("further moves after step %d: %v", to, moves)
		}
	}
	begun, stage := balance.Plan{}, s
	for k, m := range p.Moves {
		if k%4 == 3 {
			continue
		}
		begun.Moves = append(begun.Moves, m)
		stage = apply(stage, balance.Plan{Moves: []balance.Move{m}}, step(k%4))
	}
	if want, got := len(p.Moves)-len(begun.Moves), len(balance.Make(stage).Moves); got != want {
		t.Errorf("%d moves remain after a part of %v has begun, want %d", got, p.Moves, want)
	}
}
