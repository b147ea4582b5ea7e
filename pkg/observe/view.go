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
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// View is the picture of one Deployment at one moment.
type View struct {
	// Replicas are its pods, by name.
	Replicas []Replica
	// Groups are the queues that its pods contend for, by name.
	Groups []Group
	// Webhook: its pods hold leases of webhooks, and no others. All of them serve.
	Webhook bool
	// Rolling: its pods are changing, and not for too long yet.
	Rolling bool
}

// Replica is a pod of the Deployment.
type Replica struct {
	Pod *corev1.Pod
	// Hostname is what its processes have in their identities. It is empty
	// when it cannot be known, or when another pod has the same, as on the
	// host's own network: a holder must not be guessed.
	Hostname string
	// Standing is empty for an eligible replica, else why it is neither a
	// source nor a target for the time being.
	Standing balance.Reason
	// EligibleAt is when its probation ends, zero if it is on none.
	EligibleAt time.Time
	// Faulty: it was restarted or lost its readiness of late.
	Faulty bool
	// Outdated: it is not of the Deployment's present template, so that a rollout
	// replaces it.
	Outdated bool
	// Process is what its leases show.
	Process Process
}

// Group is a queue with one bucket count.
type Group struct {
	bucket.Group
	// Leases are all that the queue should have, in the order of their
	// ordinals.
	Leases []Lease
	// Blocked, if set, is why no handover may begin.
	Blocked balance.Reason
}

// Present counts the leases that exist.
func (g Group) Present() int {
	n := 0
	for _, l := range g.Leases {
		if l.Object != nil {
			n++
		}
	}
	return n
}

// Held counts the leases that a replica leads.
func (g Group) Held(replica string) int {
	n := 0
	for _, l := range g.Leases {
		if l.Holder == replica {
			n++
		}
	}
	return n
}

// Leads tells whether a replica leads anything, in any queue.
func (v View) Leads(replica string) bool {
	return replica != "" && slices.ContainsFunc(v.Groups, func(g Group) bool { return g.Held(replica) > 0 })
}

// Lease is one bucket.
type Lease struct {
	Name string
	// Object is what the watch showed last, nil if there is none.
	Object *coordinationv1.Lease
	// Seen is when this process saw its record change last.
	Seen time.Time
	// Identity is its holder, as written.
	Identity string
	// Holder is the replica that leads the bucket. It is empty when nobody does
	// and when the holder is none of the replicas.
	Holder string
	// Pinned, if set, is why it must stay with its holder.
	Pinned balance.Reason
	// Transit, if set, is our handover of it.
	Transit *Transit
	// Lost, if set, is the last record of a holder that still leads although
	// somebody deleted or emptied the lease.
	Lost *coordinationv1.Lease
	// Trouble, if set, is what is wrong with its holder: LeaseUnowned,
	// LeasesMissing, HolderUnknown or HandoverInFlight.
	Trouble balance.Reason
	// Vacant, if set, is why nobody leads it, or soon will not.
	Vacant *Vacancy
	// OptedOut: it asks to be left alone. Fault, if set, is what is wrong with how
	// it does so.
	OptedOut bool
	Fault    string
}

// Transit is a handover of ours, by the names of the replicas.
type Transit struct {
	Group bucket.Group
	From  string
	To    string // "" while it is not bound
	// Vacant: nobody leads it since before the handover began.
	Vacant bool
}

// Snapshot is the view as the planner wants it.
func (v View) Snapshot() balance.Snapshot {
	s := balance.Snapshot{}
	for _, r := range v.Replicas {
		if r.Pod.DeletionTimestamp == nil {
			s.Replicas = append(s.Replicas, balance.Replica{Name: r.Pod.Name, Standing: r.Standing})
		}
	}
	for _, g := range v.Groups {
		group := balance.Group{Name: g.String(), Blocked: g.Blocked}
		for _, l := range g.Leases {
			group.Leases = append(group.Leases, l.planned())
		}
		s.Groups = append(s.Groups, group)
	}
	return s
}

func (l Lease) planned() balance.Lease {
	p := balance.Lease{Name: l.Name, Holder: l.Holder, Pinned: l.Pinned}
	switch {
	case l.Transit != nil:
		p.Target, p.From = l.Transit.To, l.Transit.From
	case l.Trouble == balance.HolderUnknown || l.Trouble == balance.HandoverInFlight:
		p.Holder = l.Identity // counts for nobody
	}
	return p
}

// Unsettled is why no handover may begin in any queue, "" if nothing is in the
// way: while a lease has no holder, nobody knows yet who will lead it, and the
// totals per replica tie all queues together.
func (v View) Unsettled() balance.Reason {
	for _, g := range v.Groups {
		for _, l := range g.Leases {
			switch {
			case l.Trouble == balance.LeasesMissing || l.Trouble == balance.LeaseUnowned:
				return l.Trouble
			case l.Transit != nil && l.Transit.Vacant:
				return balance.LeaseUnowned
			}
		}
	}
	return ""
}

// Replica finds a replica by the name of its pod, nil if there is none.
func (v View) Replica(name string) *Replica {
	for i := range v.Replicas {
		if v.Replicas[i].Pod.Name == name {
			return &v.Replicas[i]
		}
	}
	return nil
}

// Has tells whether a group is in the view.
func (v View) Has(group bucket.Group) bool {
	return slices.ContainsFunc(v.Groups, func(g Group) bool { return g.Group == group })
}

// Blocked is why no handover may begin in a group, "" if nothing stands in the
// way or the group is not in the view.
func (v View) Blocked(group bucket.Group) balance.Reason {
	for _, g := range v.Groups {
		if g.Group == group {
			return g.Blocked
		}
	}
	return ""
}

// InTransit tells whether we have a lease of the group in hand.
func (g Group) InTransit() bool {
	return slices.ContainsFunc(g.Leases, func(l Lease) bool { return l.Transit != nil })
}

// Vacant tells whether we give away a lease of the group that nobody led.
func (g Group) Vacant() bool {
	return slices.ContainsFunc(g.Leases, func(l Lease) bool { return l.Transit != nil && l.Transit.Vacant })
}
