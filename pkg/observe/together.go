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
	"cmp"
	"slices"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// Together chooses, among the leases that a replica could give up in a queue,
// those that it renewed at about the same time: their waits end together, and so
// their target contends for all of them in the time in which their old holder
// does not yet. As soon as it has one, the others are given to it by name. Which
// leases of a queue move makes no difference to the plan.
func (v View) Together(plan balance.Plan) balance.Plan {
	moves := slices.Clone(plan.Moves)
	for from, planned := range byShare(moves) {
		for i, l := range closest(v.movable(plan, from), len(planned)) {
			moves[planned[i]].Lease = l.Name
		}
	}
	slices.SortFunc(moves, func(a, b balance.Move) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Lease, b.Lease))
	})
	plan.Moves = moves
	return plan
}

// byShare are the places of the moves in their slice, by what they take from.
func byShare(moves []balance.Move) map[share][]int {
	places := map[share][]int{}
	for i, m := range moves {
		from := share{m.Group, m.From}
		places[from] = append(places[from], i)
	}
	return places
}

// movable are the leases that nothing keeps from moving out of a share, in the
// order of their last renewals.
func (v View) movable(plan balance.Plan, from share) []Lease {
	stays := map[string]bool{}
	for _, s := range plan.Stays {
		stays[s.Lease] = true
	}
	var leases []Lease
	for _, g := range v.Groups {
		if g.String() != from.group {
			continue
		}
		for _, l := range g.Leases {
			if l.Holder == from.replica && l.Pinned == "" && l.Transit == nil && !stays[l.Name] {
				leases = append(leases, l)
			}
		}
	}
	slices.SortFunc(leases, func(a, b Lease) int {
		return cmp.Or(a.Seen.Compare(b.Seen), cmp.Compare(a.Name, b.Name))
	})
	return leases
}

// closest are the n leases in a row whose first and last renewal are nearest to
// each other; nil if there are not as many.
func closest(leases []Lease, n int) []Lease {
	var best []Lease
	for i := 0; i+n <= len(leases); i++ {
		row := leases[i : i+n]
		if best == nil || row[n-1].Seen.Sub(row[0].Seen) < best[n-1].Seen.Sub(best[0].Seen) {
			best = row
		}
	}
	return best
}
