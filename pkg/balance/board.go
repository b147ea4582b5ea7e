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

// board is a snapshot in the order in which everything is decided, so that the
// order of the input never matters.
type board struct {
	replicas []Replica      // the eligible ones first, then by name
	number   map[string]int // of a replica, by name
	eligible int
	groups   []Group // by name; their leases: those not pinned first, then by name
}

func newBoard(s Snapshot) *board {
	b := &board{
		replicas: slices.Clone(s.Replicas),
		number:   make(map[string]int, len(s.Replicas)),
		groups:   slices.Clone(s.Groups),
	}
	slices.SortFunc(b.replicas, compareReplicas)
	for i, r := range b.replicas {
		b.number[r.Name] = i
		if r.Standing == "" {
			b.eligible++
		}
	}
	slices.SortFunc(b.groups, func(x, y Group) int { return cmp.Compare(x.Name, y.Name) })
	for g := range b.groups {
		group := &b.groups[g]
		group.Leases = slices.Clone(group.Leases)
		slices.SortFunc(group.Leases, compareLeases)
		if len(group.Leases) == 1 && group.Blocked == "" {
			group.Blocked = SingleBucket
		}
	}
	return b
}

func compareReplicas(x, y Replica) int {
	return cmp.Or(compareEmptyFirst(x.Standing, y.Standing), cmp.Compare(x.Name, y.Name))
}

func compareLeases(x, y Lease) int {
	return cmp.Or(compareEmptyFirst(x.Pinned, y.Pinned), cmp.Compare(x.Name, y.Name))
}

// compareEmptyFirst orders reasons only by whether there is one.
func compareEmptyFirst(x, y Reason) int {
	return cmp.Compare(min(len(x), 1), min(len(y), 1))
}

// place is how a lease counts.
type place int

const (
	elsewhere place = iota // for nobody
	bound                  // for a replica that a handover has chosen
	held                   // for the replica that leads it
	away                   // in transit, and may be given back to a replica
	loose                  // in transit, and may not be given back
	unowned                // led by nobody, and not ours to move
)

// locate says how a lease counts if only the first width replicas take part,
// and for which of them.
func (b *board) locate(l Lease, width int) (place, int) {
	switch {
	case l.Target != "":
		return b.among(l.Target, width, bound, elsewhere)
	case l.Holder != "":
		return b.among(l.Holder, width, held, elsewhere)
	case l.From != "":
		return b.among(l.From, width, away, loose)
	}
	return unowned, -1
}

func (b *board) among(replica string, width int, yes, no place) (place, int) {
	if i, ok := b.number[replica]; ok && i < width {
		return yes, i
	}
	return no, -1
}
