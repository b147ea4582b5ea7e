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

// assign names the leases that bring a group to its shares. Of those that a
// replica holds, the first in the given order go.
func (b *board) assign(group string, leases []Lease, t *tally, width int) (moves []Move, placements []Placement) {
	for _, l := range leases {
		where, i := b.locate(l, width)
		switch where {
		case held:
			if c := t.cell(i); c.has > c.share {
				c.has--
				moves = append(moves, Move{Group: group, Lease: l.Name, From: l.Holder})
			}
		case away:
			p := Placement{Group: group, Lease: l.Name}
			if c := t.cell(i); c.has < c.share {
				c.has++
				p.To = l.From
			}
			placements = append(placements, p)
		case loose:
			placements = append(placements, Placement{Group: group, Lease: l.Name})
		}
	}
	b.target(t, moves, placements)
	return moves, placements
}

// target fills in where the leases go: those in transit come before new ones,
// and a lease that nobody leads is left to whoever it finds.
func (b *board) target(t *tally, moves []Move, placements []Placement) {
	next := 0
	to := func() string {
		for t.cells[next].has >= t.cells[next].share {
			next++
		}
		t.cells[next].has++
		return b.replicas[t.cells[next].replica].Name
	}
	for k := range placements {
		if placements[k].To == "" {
			placements[k].To = to()
		}
	}
	for k := range moves {
		moves[k].To = to()
	}
}

// giveBack returns the leases in transit to where they came from, for want of
// a replica that is eligible.
func (b *board) giveBack() (placements []Placement) {
	for _, g := range b.groups {
		for _, l := range g.Leases {
			if where, _ := b.locate(l, len(b.replicas)); where == away {
				placements = append(placements, Placement{g.Name, l.Name, l.From})
			}
		}
	}
	return placements
}
