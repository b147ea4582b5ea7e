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

// stays compares the plan with an ideal one, in which nothing is blocked or
// pinned and every replica is eligible, and which is otherwise as like it as
// can be. It says of each lease that moves only in the ideal why that is so.
func (b *board) stays(shares []tally, moves [][]Move) (stays []Stay) {
	obstacle := b.obstacle()
	if obstacle == "" {
		return nil
	}
	for g, ideal := range b.ideal(shares) {
		stays = append(stays, b.groupStays(&b.groups[g], &ideal, moves[g])...)
	}
	// What has no reason of its own only follows what the others would do.
	if k := slices.IndexFunc(stays, func(s Stay) bool { return s.Reason != "" }); k >= 0 {
		obstacle = stays[k].Reason
	}
	for k := range stays {
		stays[k].Reason = cmp.Or(stays[k].Reason, obstacle)
	}
	return stays
}

// obstacle returns the first thing that stands in the way of any move. Replicas
// come first: they change the shares of all groups.
func (b *board) obstacle() Reason {
	if b.eligible < len(b.replicas) {
		return b.replicas[b.eligible].Standing
	}
	for _, g := range b.groups {
		if g.Blocked != "" {
			return g.Blocked
		}
		if k := len(g.Leases) - 1; k >= 0 && g.Leases[k].Pinned != "" {
			return g.Leases[k].Pinned // pinned ones come last
		}
	}
	return ""
}

// ideal shares out all groups as if nothing stood in the way.
func (b *board) ideal(shares []tally) []tally {
	ideal := b.count(len(b.replicas), true)
	for g := range ideal {
		for k := range ideal[g].cells {
			c := &ideal[g].cells[k]
			c.kept = c.has
		}
		for _, c := range shares[g].cells {
			ideal[g].cell(c.replica).kept = c.share
		}
	}
	share(ideal, len(b.replicas))
	return ideal
}

// groupStays lists the leases of a group that move only in the ideal. Those
// that move in both are the first there to get a target, as they are in truth.
func (b *board) groupStays(g *Group, ideal *tally, moves []Move) (stays []Stay) {
	leases := moversFirst(g.Leases, moves)
	all, _ := b.assign(g.Name, leases, ideal, len(b.replicas))
	for k, l := range leases {
		if len(all) == 0 || all[0].Lease != l.Name {
			continue
		}
		from, to := all[0].From, all[0].To
		all = all[1:]
		if k >= len(moves) {
			reason := cmp.Or(g.Blocked, l.Pinned, b.standing(from), b.standing(to))
			stays = append(stays, Stay{g.Name, l.Name, from, to, reason})
		}
	}
	return stays
}

// moversFirst puts the leases that move before the others. Both are in the
// same order.
func moversFirst(leases []Lease, moves []Move) []Lease {
	movers := make([]Lease, 0, len(leases))
	var others []Lease
	for _, l := range leases {
		if k := len(movers); k < len(moves) && moves[k].Lease == l.Name {
			movers = append(movers, l)
		} else {
			others = append(others, l)
		}
	}
	return append(movers, others...)
}

func (b *board) standing(replica string) Reason {
	return b.replicas[b.number[replica]].Standing
}
