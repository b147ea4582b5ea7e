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
	"cmp"
	"slices"
)

// Make plans how the leases of a snapshot become even. It does not change the
// snapshot, and the order of what is in it makes no difference.
func Make(s Snapshot) Plan {
	if len(s.Replicas) == 0 {
		return Plan{}
	}
	b := newBoard(s)
	shares, moves := make([]tally, len(b.groups)), make([][]Move, len(b.groups))
	var p Plan
	if b.eligible > 0 {
		shares = b.count(b.eligible, false)
		share(shares, b.eligible)
		for g := range b.groups {
			var placements []Placement
			moves[g], placements = b.assign(b.groups[g].Name, b.groups[g].Leases, &shares[g], b.eligible)
			p.Placements = append(p.Placements, placements...)
		}
		p.Moves = slices.Concat(moves...)
	} else {
		p.Placements = b.giveBack()
	}
	p.Stays = b.stays(shares, moves)
	p.sort()
	return p
}

// count tallies all groups among the first width replicas.
func (b *board) count(width int, free bool) []tally {
	tallies := make([]tally, len(b.groups))
	for g, group := range b.groups {
		tallies[g] = b.tally(group, width, free)
	}
	return tallies
}

// share settles the shares of all groups.
func share(tallies []tally, width int) {
	m := newMarket(tallies, width)
	m.run()
	for g, replicas := range m.bought() {
		tallies[g].deal(replicas, width)
	}
}

func (p *Plan) sort() {
	slices.SortFunc(p.Moves, func(x, y Move) int {
		return cmp.Or(cmp.Compare(x.Group, y.Group), cmp.Compare(x.Lease, y.Lease))
	})
	slices.SortFunc(p.Placements, func(x, y Placement) int {
		return cmp.Or(cmp.Compare(x.Group, y.Group), cmp.Compare(x.Lease, y.Lease))
	})
	slices.SortFunc(p.Stays, func(x, y Stay) int {
		return cmp.Or(cmp.Compare(x.Group, y.Group), cmp.Compare(x.Lease, y.Lease))
	})
}
