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
		group := balance.Group{Name: fmt.Sprintf("g%03d", g)}
		for i, field := range strings.Split(split, "/") {
			if g == 0 {
				s.Replicas = append(s.Replicas, balance.Replica{Name: name(i)})
			}
			n, err := strconv.Atoi(field)
			if err != nil {
				panic(err)
			}
			for range n {
				group.Leases = append(group.Leases, lease(len(group.Leases), name(i)))
			}
		}
		s.Groups = append(s.Groups, group)
	}
	return s
}

func lease(n int, holder string) balance.Lease {
	return balance.Lease{Name: fmt.Sprintf("%03d", n), Holder: holder}
}

// name is "a", "b", ... and sorts by number beyond that, too.
func name(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return fmt.Sprintf("z%06d", i)
}

// splits writes the groups of a snapshot as state reads them, and then the
// totals. A lease counts where it is bound to or held.
func splits(s balance.Snapshot) (groups []string, totals string) {
	sums := make(map[string]int)
	for _, g := range s.Groups {
		counts := make(map[string]int)
		for _, l := range g.Leases {
			at := l.Holder
			if l.Target != "" {
				at = l.Target
			}
			counts[at]++
			sums[at]++
		}
		groups = append(groups, join(s, counts))
	}
	return groups, join(s, sums)
}

func join(s balance.Snapshot, counts map[string]int) string {
	var fields []string
	for _, r := range s.Replicas {
		fields = append(fields, strconv.Itoa(counts[r.Name]))
	}
	return strings.Join(fields, "/")
}

// step is how far a handover has come.
type step int

const (
	inTransit step = iota // taken from its holder
	assigned              // bound to its target
	done                  // led by its target
)

// apply returns the snapshot after the moves and placements of a plan have
// come as far as step. Leases that are in transit already are left so by the
// first step.
func apply(s balance.Snapshot, p balance.Plan, to step) balance.Snapshot {
	s = clone(s)
	leases := make(map[[2]string]*balance.Lease)
	for g := range s.Groups {
		for l := range s.Groups[g].Leases {
			lease := &s.Groups[g].Leases[l]
			leases[[2]string{s.Groups[g].Name, lease.Name}] = lease
		}
	}
	for _, m := range p.Moves {
		l := leases[[2]string{m.Group, m.Lease}]
		l.From, l.Holder = m.From, ""
		advance(l, m.To, to)
	}
	for _, m := range p.Placements {
		advance(leases[[2]string{m.Group, m.Lease}], m.To, to)
	}
	return s
}

func advance(l *balance.Lease, target string, to step) {
	switch to {
	case assigned:
		l.Target = target
	case done:
		l.Holder, l.From = target, ""
	}
}

func clone(s balance.Snapshot) balance.Snapshot {
	s.Replicas = slices.Clone(s.Replicas)
	s.Groups = slices.Clone(s.Groups)
	for g := range s.Groups {
		s.Groups[g].Leases = slices.Clone(s.Groups[g].Leases)
	}
	return s
}
