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
	"math"
	"slices"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// cost is how bad an outcome is, what matters most first.
type cost struct {
	Groups    int // sum of the squared counts in each group
	Totals    int // sum of the squared totals
	Moves     int // leases taken from their holders
	Handovers int // leases in transit that do not go back
}

func (c cost) less(d cost) bool {
	return slices.Compare(
		[]int{c.Groups, c.Totals, c.Moves, c.Handovers},
		[]int{d.Groups, d.Totals, d.Moves, d.Handovers}) < 0
}

// outcome is what each eligible replica may get of one group, and what that
// costs apart from the totals.
type outcome struct {
	counts []int
	cost   cost
}

// bruteForce returns the least cost at which the leases of a snapshot can be
// made even, by trying everything.
func bruteForce(s balance.Snapshot) cost {
	var choices [][]outcome
	for _, g := range s.Groups {
		v := viewOf(g, eligible(s))
		var all []outcome
		for _, counts := range distributions(v.fixed, v.counted-sum(v.fixed)) {
			c := cost{Groups: squares(counts)}
			for i, n := range counts {
				c.Moves += max(0, v.held[i]-n)
				c.Handovers += max(0, v.away[i]-max(0, n-v.held[i]))
			}
			all = append(all, outcome{counts, c})
		}
		choices = append(choices, evenest(all))
	}
	return cheapest(choices, make([]int, len(eligible(s))), cost{})
}

// planned returns the cost of a plan, if leases that nobody leads go where they
// do best.
func planned(s balance.Snapshot, p balance.Plan) cost {
	c := cost{Moves: len(p.Moves)}
	for _, placement := range p.Placements {
		from := find(s, placement.Group, placement.Lease).From
		if from != placement.To && slices.Contains(eligible(s), from) {
			c.Handovers++
		}
	}
	var choices [][]outcome
	for _, g := range apply(s, p, assigned).Groups {
		v := viewOf(g, eligible(s))
		var all []outcome
		for _, counts := range distributions(v.held, v.counted-sum(v.held)) {
			all = append(all, outcome{counts, cost{Groups: squares(counts)}})
		}
		choices = append(choices, all)
	}
	return cheapest(choices, make([]int, len(eligible(s))), c)
}

// view is what one group has, replica by replica.
type view struct {
	counted           int
	held, fixed, away []int // fixed leases are held, too
}

func viewOf(g balance.Group, eligible []string) view {
	m := len(eligible)
	v := view{held: make([]int, m), fixed: make([]int, m), away: make([]int, m)}
	for _, l := range g.Leases {
		holder, still := l.Holder, l.Pinned != "" || g.Blocked != "" || len(g.Leases) == 1
		if l.Target != "" {
			holder, still = l.Target, true
		}
		i := slices.Index(eligible, holder)
		switch {
		case holder != "" && i < 0:
			continue
		case holder != "":
			v.held[i]++
			if still {
				v.fixed[i]++
			}
		case slices.Contains(eligible, l.From):
			v.away[slices.Index(eligible, l.From)]++
		}
		v.counted++
	}
	return v
}

// distributions lists all ways to add n leases to those that are there.
func distributions(there []int, n int) [][]int {
	if len(there) == 1 {
		return [][]int{{there[0] + n}}
	}
	var all [][]int
	for first := range n + 1 {
		for _, rest := range distributions(there[1:], n-first) {
			all = append(all, append([]int{there[0] + first}, rest...))
		}
	}
	return all
}

func evenest(all []outcome) (best []outcome) {
	for _, o := range all {
		if len(best) > 0 && o.cost.Groups < best[0].cost.Groups {
			best = nil
		}
		if len(best) == 0 || o.cost.Groups == best[0].cost.Groups {
			best = append(best, o)
		}
	}
	return best
}

// cheapest returns the least cost of choosing one outcome for each group.
func cheapest(choices [][]outcome, totals []int, c cost) cost {
	if len(choices) == 0 {
		c.Totals = squares(totals)
		return c
	}
	best := cost{Groups: math.MaxInt}
	for _, o := range choices[0] {
		next := slices.Clone(totals)
		for i, n := range o.counts {
			next[i] += n
		}
		sum := cost{
			Groups:    c.Groups + o.cost.Groups,
			Moves:     c.Moves + o.cost.Moves,
			Handovers: c.Handovers + o.cost.Handovers,
		}
		if d := cheapest(choices[1:], next, sum); d.less(best) {
			best = d
		}
	}
	return best
}

func eligible(s balance.Snapshot) (names []string) {
	for _, r := range s.Replicas {
		if r.Standing == "" {
			names = append(names, r.Name)
		}
	}
	return names
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

func squares(counts []int) (sum int) {
	for _, n := range counts {
		sum += n * n
	}
	return sum
}

func sum(counts []int) (sum int) {
	for _, n := range counts {
		sum += n
	}
	return sum
}
