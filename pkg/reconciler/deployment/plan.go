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

package deployment

import (
	"cmp"
	"slices"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// foresighted plans as if every holder had been seen renewing, which will be so
// in a moment, and lets the moves wait for which it is not so yet. To plan around
// such leases would move others that may stay where they are.
func foresighted(view observe.View) balance.Plan {
	s := view.Snapshot()
	for _, g := range s.Groups {
		for i := range g.Leases {
			if g.Leases[i].Pinned == balance.NotSeenRenewing {
				g.Leases[i].Pinned = ""
			}
		}
	}
	plan, leases := balance.Make(s), byName(view)
	var moves []balance.Move
	for _, m := range plan.Moves {
		if leases[m.Lease].Pinned == balance.NotSeenRenewing {
			plan.Stays = append(plan.Stays, stay(m, balance.NotSeenRenewing))
			continue
		}
		moves = append(moves, m)
	}
	return sorted(plan, moves)
}

// patient drops the moves that make no queue more even but only the totals per
// replica, while another lease that should move has to wait: when that one
// moves, it may make the totals even by itself. They stay, for the same reason.
func patient(plan balance.Plan, view observe.View) balance.Plan {
	if len(plan.Stays) == 0 {
		return plan
	}
	reason := plan.Stays[0].Reason
	held := spreadOf(plan, view)
	var moves []balance.Move
	for _, m := range plan.Moves {
		from, to := share{m.Group, m.From}, share{m.Group, m.To}
		if held[from] > held[to]+1 {
			held[from]--
			held[to]++
			moves = append(moves, m)
			continue
		}
		plan.Stays = append(plan.Stays, stay(m, reason))
	}
	return sorted(plan, moves)
}

// share names what a replica has of a group.
type share struct{ group, replica string }

// spreadOf counts the leases of each share, those in transit where they go.
func spreadOf(plan balance.Plan, view observe.View) map[share]int {
	held, targets := map[share]int{}, targets(plan)
	for _, g := range view.Groups {
		for _, l := range g.Leases {
			switch {
			case l.Transit == nil:
				held[share{g.String(), l.Holder}]++
			case l.Transit.To != "":
				held[share{g.String(), l.Transit.To}]++
			default:
				held[share{g.String(), targets[l.Name]}]++
			}
		}
	}
	return held
}

// keepLast drops the move of a process's last lease: without one that it leads
// there would be no proof that it is alive.
func keepLast(plan balance.Plan, view observe.View) balance.Plan {
	left := map[string]int{}
	for _, r := range view.Replicas {
		left[r.Pod.Name] = r.Process.Leases
	}
	var moves []balance.Move
	for _, m := range plan.Moves {
		if left[m.From] > 1 {
			left[m.From]--
			moves = append(moves, m)
			continue
		}
		plan.Stays = append(plan.Stays, stay(m, balance.LastLease))
	}
	return sorted(plan, moves)
}

func stay(m balance.Move, reason balance.Reason) balance.Stay {
	return balance.Stay{Group: m.Group, Lease: m.Lease, Holder: m.From, To: m.To, Reason: reason}
}

// sorted is the plan with the given moves, its stays in the planner's order.
func sorted(plan balance.Plan, moves []balance.Move) balance.Plan {
	plan.Moves = moves
	slices.SortFunc(plan.Stays, func(a, b balance.Stay) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Lease, b.Lease))
	})
	return plan
}
