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
	var views []view
	for _, g := range s.Groups {
		views = append(views, viewOf(g, eligible(s)))
	}
	return leastCost(views, len(eligible(s)))
}

// unhindered is bruteForce as if nothing stood in the way.
func unhindered(s balance.Snapshot) cost {
	var replicas []string
	for _, r := range s.Replicas {
		replicas = append(replicas, r.Name)
	}
	var views []view
	for _, g := range s.Groups {
		v := viewOf(g, replicas)
		v.fixed = v.bound
		views = append(views, v)
	}
	return leastCost(views, len(replicas))
}

func leastCost(views []view, replicas int) cost {
	var choices [][]outcome
	for _, v := range views {
		var best []outcome
		for _, counts := range evenest(distributions(v.fixed, v.counted-sum(v.fixed))) {
			c := cost{Groups: squares(counts)}
			for i, n := range counts {
				c.Moves += max(0, v.held[i]-n)
				c.Handovers += max(0, v.away[i]-max(0, n-v.held[i]))
			}
			best = append(best, outcome{counts, c})
		}
		choices = append(choices, best)
	}
	return cheapest(choices, make([]int, replicas), cost{})
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
		var best []outcome
		for _, counts := range evenest(distributions(v.held, v.counted-sum(v.held))) {
			best = append(best, outcome{counts, cost{Groups: squares(counts)}})
		}
		choices = append(choices, best)
	}
	return cheapest(choices, make([]int, len(eligible(s))), c)
}

// view is what one group has, replica by replica.
type view struct {
	counted                  int
	held, fixed, bound, away []int // fixed leases are held, and bound ones fixed
}

func viewOf(g balance.Group, eligible []string) view {
	m := len(eligible)
	v := view{held: make([]int, m), fixed: make([]int, m), bound: make([]int, m), away: make([]int, m)}
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
			if l.Target != "" {
				v.bound[i]++
			}
		case slices.Contains(eligible, l.From):
			v.away[slices.Index(eligible, l.From)]++
		}
		v.counted++
	}
	return v
}

// distributions lists all ways to add n leases to those that are there.
func distributions(there []int, n int) (all [][]int) {
	if sum(there) == 0 {
		return partitions(len(there), n)
	}
	for _, more := range partitions(len(there), n) {
		counts := slices.Clone(there)
		for i := range counts {
			counts[i] += more[i]
		}
		all = append(all, counts)
	}
	return all
}

var partitionsSeen = make(map[[2]int][][]int)

// partitions lists all ways to write n as an ordered sum.
func partitions(terms, n int) (all [][]int) {
	if terms == 1 {
		return [][]int{{n}}
	}
	key := [2]int{terms, n}
	if seen, ok := partitionsSeen[key]; ok {
		return seen
	}
	for first := range n + 1 {
		for _, rest := range partitions(terms-1, n-first) {
			all = append(all, append([]int{first}, rest...))
		}
	}
	partitionsSeen[key] = all
	return all
}

func evenest(all [][]int) (best [][]int) {
	least := math.MaxInt
	for _, counts := range all {
		s := squares(counts)
		if s < least {
			least, best = s, nil
		}
		if s == least {
			best = append(best, counts)
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
