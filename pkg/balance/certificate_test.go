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
	"testing"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// TestLarge plans for snapshots too large to try everything. What shares a plan
// leads to is a flow, from groups through replicas, whose costs are convex; it
// is the best one if and only if no cycle of single leases would lower the cost.
func TestLarge(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := large(r, 2+r.IntN(20), 1+r.IntN(30))
		if f := flowOf(s, balance.Make(s)); f.canImprove() {
			t.Fatalf("seed %d: there is a better plan for %+v", seed, s)
		}
	}
}

// TestCertificate checks that the check above finds what is wrong.
func TestCertificate(t *testing.T) {
	for name, tc := range map[string]struct {
		snapshot balance.Snapshot
		plan     balance.Plan
		want     bool
	}{
		"uneven group":      {state("3/1"), balance.Plan{}, true},
		"even group":        {state("2/1"), balance.Plan{}, false},
		"uneven totals":     {state("2/1", "2/1"), balance.Plan{}, true},
		"even totals":       {state("2/1", "1/2"), balance.Plan{}, false},
		"needless move":     {state("2/1"), balance.Plan{Moves: []balance.Move{{"g0", "l0", "a", "b"}}}, true},
		"needless handover": {transit("2/1"), balance.Plan{Placements: []balance.Placement{{"g0", "l0", "b"}}}, true},
		"needful handover":  {transit("2/0"), balance.Plan{Placements: []balance.Placement{{"g0", "l0", "b"}}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := flowOf(tc.snapshot, tc.plan).canImprove(); got != tc.want {
				t.Errorf("canImprove() = %v, want %v", got, tc.want)
			}
		})
	}
}

// transit is a state of one group with its first lease in transit.
func transit(group string) balance.Snapshot {
	return edit(state(group), 0, balance.Lease{From: "a"})
}

func large(r *rand.Rand, replicas, groups int) balance.Snapshot {
	var s balance.Snapshot
	for i := range replicas {
		s.Replicas = append(s.Replicas, balance.Replica{Name: name(i)})
	}
	spread, trouble := 1+r.IntN(replicas), r.IntN(3)
	for g := range groups {
		group := balance.Group{Name: fmt.Sprintf("g%02d", g)}
		for n := range 2 + r.IntN(14) {
			l := balance.Lease{Name: fmt.Sprintf("l%02d", n), Holder: name(r.IntN(spread))}
			switch r.IntN(20) {
			case 1, 2:
				l.From, l.Holder = l.Holder, ""
			case 3:
				l.Target, l.Holder = l.Holder, ""
			case 4, 5, 6:
				if trouble > 0 {
					l.Pinned = balance.LastLease
				}
			}
			group.Leases = append(group.Leases, l)
		}
		if trouble > 1 && r.IntN(4) == 0 {
			group.Blocked = balance.HandoverInFlight
		}
		s.Groups = append(s.Groups, group)
	}
	return s
}

// flow is the network: nodes are the groups, then the replicas, then the sink.
type flow struct {
	groups, replicas int
	edges            []edge
}

type edge struct {
	from, to int
	cost     int64
}

// flowOf lists what it costs to have one lease more or less anywhere, after a
// plan.
func flowOf(s balance.Snapshot, p balance.Plan) flow {
	f := flow{groups: len(s.Groups), replicas: len(s.Replicas)}
	leases := int64(1)
	for _, g := range s.Groups {
		leases += int64(len(g.Leases))
	}
	handover := int64(1)
	move := handover * leases
	total := move * leases
	group := total * leases * leases
	shares, totals := counts(apply(s, p, assigned))
	for g := range s.Groups {
		v := viewOf(s.Groups[g], eligible(s))
		for i, n := range shares[g] {
			at := func(n int) int64 {
				return group*int64(n*n) + move*int64(max(0, v.held[i]-n)) +
					handover*int64(max(0, v.away[i]-max(0, n-v.held[i])))
			}
			f.edges = append(f.edges, edge{g, f.groups + i, at(n+1) - at(n)})
			if n > v.fixed[i] {
				f.edges = append(f.edges, edge{f.groups + i, g, at(n-1) - at(n)})
			}
		}
	}
	sink := f.groups + f.replicas
	for i, n := range totals {
		f.edges = append(f.edges, edge{f.groups + i, sink, total * int64(2*n+1)})
		if n > 0 {
			f.edges = append(f.edges, edge{sink, f.groups + i, total * int64(1-2*n)})
		}
	}
	return f
}

// canImprove looks for a cycle of negative cost, after Bellman and Ford.
func (f flow) canImprove() bool {
	nodes := f.groups + f.replicas + 1
	cost := make([]int64, nodes)
	for range nodes {
		changed := false
		for _, e := range f.edges {
			if c := cost[e.from] + e.cost; c < cost[e.to] {
				cost[e.to], changed = c, true
			}
		}
		if !changed {
			return false
		}
	}
	return true
}
