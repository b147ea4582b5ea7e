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

// tally is what one group has, and what each replica shall get of it.
type tally struct {
	counted int    // leases to share out
	cells   []cell // by replica; one that is missing has nothing of the group
	level   int    // what each replica gets, unless more is fixed to it
	extras  int    // how many replicas get one more
}

// cell is the part of one replica in a group.
type cell struct {
	replica int
	has     int // leases that it holds or is bound to get
	fixed   int // those of them that cannot leave it
	away    int // leases in transit that may be given back to it
	kept    int // its share in a plan that this one should be like
	share   int // what it shall get
}

// tally counts a group among the first width replicas. If free is set, nothing
// but a handover fixes a lease.
func (b *board) tally(g Group, width int, free bool) tally {
	var t tally
	for _, l := range g.Leases {
		where, i := b.locate(l, width)
		switch where {
		case elsewhere:
			continue
		case held, bound:
			c := t.cell(i)
			c.has++
			if where == bound || !free && (g.Blocked != "" || l.Pinned != "") {
				c.fixed++
			}
		case away:
			t.cell(i).away++
		}
		t.counted++
	}
	t.level, t.extras = levelOff(t.counted, width, t.cells)
	return t
}

// cell returns the cell of a replica, new if need be.
func (t *tally) cell(replica int) *cell {
	k, ok := slices.BinarySearchFunc(t.cells, replica, func(c cell, r int) int { return cmp.Compare(c.replica, r) })
	if !ok {
		t.cells = slices.Insert(t.cells, k, cell{replica: replica})
	}
	return &t.cells[k]
}

// levelOff spreads n leases over width replicas as evenly as the fixed ones
// allow: it returns the highest level that all replicas can reach, and how many
// leases are left over then.
func levelOff(n, width int, cells []cell) (level, extras int) {
	for level = n / width; ; {
		rest, open := n, width
		for _, c := range cells {
			if c.fixed > level {
				rest -= c.fixed
				open--
			}
		}
		if rest >= level*open {
			return level, rest - level*open
		}
		level = rest / open
	}
}

// deal sets the shares, once it is known which replicas get the extras.
func (t *tally) deal(extras []int, width int) {
	if t.level > 0 {
		for i := range width {
			t.cell(i)
		}
	}
	for _, i := range extras {
		t.cell(i).share = 1
	}
	for k := range t.cells {
		c := &t.cells[k]
		c.share += max(c.fixed, t.level)
	}
}
