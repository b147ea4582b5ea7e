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

// patient drops the moves that would only make the totals per replica more even
// while another lease that should move has to wait: when that one moves, it may
// make the totals even by itself. They stay, for the same reason.
func patient(plan balance.Plan, view observe.View) balance.Plan {
	if len(plan.Stays) == 0 {
		return plan
	}
	held := map[string]int{} // by group and replica
	eligible := 0
	for _, r := range view.Replicas {
		if r.Standing == "" {
			eligible++
		}
	}
	share := map[string]int{} // the larger one, by group
	for _, g := range view.Groups {
		share[g.String()] = (len(g.Leases) + eligible - 1) / max(1, eligible)
		for _, l := range g.Leases {
			held[g.String()+"/"+l.Holder]++
		}
	}
	reason := plan.Stays[0].Reason
	var moves []balance.Move
	for _, m := range plan.Moves {
		if key := m.Group + "/" + m.From; held[key] > share[m.Group] {
			held[key]--
			moves = append(moves, m)
			continue
		}
		plan.Stays = append(plan.Stays, stay(m, reason))
	}
	return sorted(plan, moves)
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
