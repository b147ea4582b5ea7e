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

package observe

import (
	"github.com/tektoncd/leases-controller/pkg/balance"
)

// Plan says what of the view should move where, as the planner wants it, without
// the moves that what was seen so far speaks against.
func (v View) Plan() balance.Plan {
	return homes(keepLast(patient(foresighted(v), v), v), v)
}

// foresighted plans as if every holder had been seen renewing, which will be so
// in a moment, and lets the moves wait for which it is not so yet. To plan around
// such leases would move others that may stay where they are.
func foresighted(v View) balance.Plan {
	s, unseen := v.Snapshot(), map[string]bool{}
	for _, g := range s.Groups {
		for i := range g.Leases {
			if g.Leases[i].Pinned == balance.NotSeenRenewing {
				g.Leases[i].Pinned, unseen[g.Leases[i].Name] = "", true
			}
		}
	}
	return balance.Make(s).KeepBack(func(m balance.Move) balance.Reason {
		if unseen[m.Lease] {
			return balance.NotSeenRenewing
		}
		return ""
	})
}

// patient drops the moves that make no queue more even but only the totals per
// replica, while another lease that should move has to wait: when that one
// moves, it may make the totals even by itself. They stay, for the same reason.
func patient(plan balance.Plan, v View) balance.Plan {
	if len(plan.Stays) == 0 {
		return plan
	}
	reason, held := plan.Stays[0].Reason, spreadOf(plan, v)
	return plan.KeepBack(func(m balance.Move) balance.Reason {
		from, to := share{m.Group, m.From}, share{m.Group, m.To}
		if held[from] <= held[to]+1 {
			return reason
		}
		held[from]--
		held[to]++
		return ""
	})
}

// share names what a replica has of a group.
type share struct{ group, replica string }

// spreadOf counts the leases of each share, those in transit where they go.
func spreadOf(plan balance.Plan, v View) map[share]int {
	held, targets := map[share]int{}, plan.Targets()
	for _, g := range v.Groups {
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
// there would be no proof that it is alive. Where a pod may have several processes
// only leases of the same queue are surely those of one.
func keepLast(plan balance.Plan, v View) balance.Plan {
	left := spreadOf(balance.Plan{}, v)
	for _, r := range v.Replicas {
		if onlyProcess(r.Pod) {
			left[share{replica: r.Pod.Name}] = r.Process.Leases
		}
	}
	return plan.KeepBack(func(m balance.Move) balance.Reason {
		from := share{m.Group, m.From}
		if _, one := left[share{replica: m.From}]; one {
			from.group = ""
		}
		if left[from] <= 1 {
			return balance.LastLease
		}
		left[from]--
		return ""
	})
}
