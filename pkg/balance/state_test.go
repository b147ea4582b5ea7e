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
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// state builds a snapshot of groups that are written as leases per replica:
// "8/0" is eight on replica "a" and none on "b".
func state(groups ...string) balance.Snapshot {
	var s balance.Snapshot
	for g, split := range groups {
		group := balance.Group{Name: fmt.Sprintf("g%d", g)}
		for i, field := range strings.Split(split, "/") {
			if g == 0 {
				s.Replicas = append(s.Replicas, balance.Replica{Name: name(i)})
			}
			n, err := strconv.Atoi(field)
			if err != nil {
				panic(err)
			}
			for range n {
				l := balance.Lease{Name: fmt.Sprintf("l%d", len(group.Leases)), Holder: name(i)}
				group.Leases = append(group.Leases, l)
			}
		}
		s.Groups = append(s.Groups, group)
	}
	return s
}

func name(replica int) string { return string(rune('a' + replica)) }

// counts returns what each replica has of each group, and its totals. A lease
// counts where it is bound to or held.
func counts(s balance.Snapshot) (groups [][]int, totals []int) {
	totals = make([]int, len(s.Replicas))
	for _, g := range s.Groups {
		group := make([]int, len(s.Replicas))
		for _, l := range g.Leases {
			at := cmp.Or(l.Target, l.Holder)
			i := slices.IndexFunc(s.Replicas, func(r balance.Replica) bool { return r.Name == at })
			if i >= 0 {
				group[i]++
				totals[i]++
			}
		}
		groups = append(groups, group)
	}
	return groups, totals
}

// id names a lease.
type id struct{ Group, Lease string }

func (x id) compare(y id) int {
	return cmp.Or(strings.Compare(x.Group, y.Group), strings.Compare(x.Lease, y.Lease))
}

func find(s balance.Snapshot, group, lease string) balance.Lease {
	for _, g := range s.Groups {
		for _, l := range g.Leases {
			if g.Name == group && l.Name == lease {
				return l
			}
		}
	}
	panic("no lease " + lease + " in group " + group)
}

func eligible(s balance.Snapshot) (names []string) {
	for _, r := range s.Replicas {
		if r.Standing == "" {
			names = append(names, r.Name)
		}
	}
	return names
}

func known(s balance.Snapshot, replica string) bool {
	return slices.ContainsFunc(s.Replicas, func(r balance.Replica) bool { return r.Name == replica })
}

func blocked(s balance.Snapshot, group string) bool {
	return slices.ContainsFunc(s.Groups, func(g balance.Group) bool {
		return g.Name == group && (g.Blocked != "" || len(g.Leases) == 1)
	})
}

// reasons lists what stands in the way of moves in a snapshot.
func reasons(s balance.Snapshot) (all []balance.Reason) {
	for _, r := range s.Replicas {
		all = append(all, r.Standing)
	}
	for _, g := range s.Groups {
		all = append(all, g.Blocked)
		if len(g.Leases) == 1 {
			all = append(all, balance.SingleBucket)
		}
		for _, l := range g.Leases {
			all = append(all, l.Pinned)
		}
	}
	return all
}

// step is how far a handover has come.
type step int

const (
	inTransit step = iota // taken from its holder
	assigned              // bound to its target
	done                  // led by its target
)

// apply returns the snapshot after the moves and placements of a plan have
// come as far as the step.
func apply(s balance.Snapshot, p balance.Plan, to step) balance.Snapshot {
	s = clone(s)
	targets := make(map[id]string)
	for _, m := range p.Moves {
		targets[id{m.Group, m.Lease}] = m.To
	}
	for _, placement := range p.Placements {
		targets[id{placement.Group, placement.Lease}] = placement.To
	}
	for _, g := range s.Groups {
		for k, l := range g.Leases {
			if target, ok := targets[id{g.Name, l.Name}]; ok {
				g.Leases[k] = advance(l, target, to)
			}
		}
	}
	return s
}

func advance(l balance.Lease, target string, to step) balance.Lease {
	switch to {
	case inTransit:
		l.From, l.Holder = cmp.Or(l.Holder, l.From), ""
	case assigned:
		l.Target = target
	case done:
		l.Holder, l.From = target, ""
	}
	return l
}

func clone(s balance.Snapshot) balance.Snapshot {
	s.Replicas = slices.Clone(s.Replicas)
	s.Groups = slices.Clone(s.Groups)
	for g := range s.Groups {
		s.Groups[g].Leases = slices.Clone(s.Groups[g].Leases)
	}
	return s
}
