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
	"slices"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// homes plans where leases go that nobody leads. They have to go somewhere now,
// so that replicas count sooner than for moves: while the members change, and
// when no other counts, those that have just come do, unless they were not
// stable. Those that a rollout will replace do not, if others are there.
func homes(plan balance.Plan, v View) balance.Plan {
	if !slices.ContainsFunc(v.Groups, Group.Vacant) {
		return plan
	}
	s := v.Snapshot()
	for i := range s.Replicas {
		s.Replicas[i].Standing = standing(*v.Replica(s.Replicas[i].Name), v)
	}
	for _, p := range balance.Make(s).Placements {
		i := slices.IndexFunc(plan.Placements, func(q balance.Placement) bool { return q.Lease == p.Lease })
		switch {
		case !isVacant(v, p.Lease):
		case i < 0:
			plan.Placements = append(plan.Placements, p)
		default:
			plan.Placements[i] = p
		}
	}
	return plan
}

// standing is how a replica counts for leases that nobody leads.
func standing(r Replica, v View) balance.Reason {
	sound := func(r Replica) bool {
		return r.Standing == "" || r.Standing == balance.ReplicaOnProbation && !r.Faulty
	}
	switch {
	case v.Rolling && r.Outdated && slices.ContainsFunc(v.Replicas, func(o Replica) bool { return !o.Outdated && sound(o) }):
		return balance.RolloutInProgress
	case sound(r) && (v.Rolling && !r.Outdated || !slices.ContainsFunc(v.Replicas, func(o Replica) bool { return o.Standing == "" })):
		return ""
	default:
		return r.Standing
	}
}

// isVacant tells whether a lease that is given away is one that nobody led.
func isVacant(v View, lease string) bool {
	for _, g := range v.Groups {
		for _, l := range g.Leases {
			if l.Name == lease {
				return l.Transit != nil && l.Transit.Vacant
			}
		}
	}
	return false
}
