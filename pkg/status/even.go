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

package status

import (
	"cmp"
	"slices"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// lasting are the reasons that time does not end: something has to be changed.
var lasting = []balance.Reason{
	balance.SingleBucket, balance.SingleReplica, balance.LastLease, balance.HolderUnknown, balance.HolderNotReady,
	balance.NotApplicable, balance.NotManaged, balance.NotFound, balance.OptedOut, balance.ConfigInvalid, balance.Paused, balance.DryRun,
}

// sharing are the replicas that leases are to be spread over: those that are
// Ready. One on probation is among them, since it is about to get its share.
func (d Deployment) sharing() []string {
	var names []string
	for _, r := range d.Replicas {
		if r.Standing == "" || r.Standing == balance.ReplicaOnProbation {
			names = append(names, r.Name)
		}
	}
	return names
}

// even tells whether the replicas lead all leases of the queue, in numbers that
// differ by one at the most.
func (q Queue) even(replicas []string) bool {
	if len(replicas) == 0 {
		return false
	}
	least, most, sum := len(q.Leases), 0, 0
	for _, name := range replicas {
		n := q.Count(func(l Lease) bool { return l.Place == Led && l.Holder == name })
		least, most, sum = min(least, n), max(most, n), sum+n
	}
	return sum == len(q.Leases) && most-least <= 1
}

// Count counts the leases of the queue of which something is true.
func (q Queue) Count(is func(Lease) bool) int {
	n := 0
	for _, l := range q.Leases {
		if is(l) {
			n++
		}
	}
	return n
}

// Count counts the leases of all queues of which something is true.
func (d Deployment) Count(is func(Lease) bool) int {
	n := 0
	for _, q := range d.Queues {
		n += q.Count(is)
	}
	return n
}

// waits tells whether the lease will move as soon as it can.
func (l Lease) waits() bool {
	return l.Moves() || l.Stays() && !slices.Contains(lasting, l.Reason)
}

// even tells whether each queue is, and nothing waits to be moved.
func (d Deployment) even() bool {
	switch {
	case d.Blocked == balance.NotApplicable || len(d.Replicas) == 0:
		return true
	case len(d.Queues) == 0:
		return false
	default:
		return d.Count(Lease.waits) == 0 && !slices.ContainsFunc(d.Queues, func(q Queue) bool { return !q.Even })
	}
}

// state sums the Deployment up.
func (d Deployment) state() State {
	return state(d.Blocked, d.Even, d.Count)
}

// state sums the queue up. blocked is why nothing of its Deployment may move.
func (q Queue) state(blocked balance.Reason) State {
	return state(cmp.Or(blocked, q.Blocked), q.Even && q.Count(Lease.waits) == 0, q.Count)
}

func state(blocked balance.Reason, even bool, count func(func(Lease) bool) int) State {
	switch {
	case blocked == balance.NotApplicable || blocked == balance.NotFound:
		return NotApplicable
	case blocked == balance.Paused:
		return Paused
	case even:
		return Balanced
	case count(func(l Lease) bool { return l.Place == InHandover }) > 0:
		return Moving
	case slices.Contains(lasting, blocked):
		return Blocked
	case count(Lease.waits) > 0 || count(Lease.Stays) == 0:
		return Waiting
	default:
		return Blocked
	}
}

// Unexplained are the groups in which a replica leads more than its share, and
// neither a move nor a reason is there for each lease that is too much. There must
// be none.
func (d Deployment) Unexplained() []string {
	var dark []string
	sharing := d.sharing()
	for _, q := range d.Queues {
		if surplus := q.surplus(sharing); surplus > q.Count(Lease.Moves)+q.Count(Lease.Stays)+summed(q) {
			dark = append(dark, q.Group)
		}
	}
	return dark
}

// surplus counts the leases that replicas lead above the largest share.
func (q Queue) surplus(sharing []string) int {
	n := 0
	for _, h := range q.Held {
		if slices.Contains(sharing, h.Replica) {
			n += max(0, h.Leases-(q.Buckets+len(sharing)-1)/len(sharing))
		}
	}
	return n
}

// summed counts the leases of which a document says that they are to move, or
// why they stay.
func summed(q Queue) int {
	n := 0
	for _, m := range q.Moves {
		n += len(m.Buckets)
	}
	for _, s := range q.Stays {
		n += len(s.Buckets)
	}
	return n
}

// Stay is leases of one queue and holder that should move, and do not, for one
// reason.
type Stay struct {
	Reason balance.Reason `json:"reason"`
	// Meaning is the reason in words.
	Meaning string `json:"meaning"`
	Step    `json:",inline"`
}

// Step is leases of one queue that go from one replica to another.
type Step struct {
	Queue string `json:"queue"`
	From  string `json:"from"`
	To    string `json:"to"`
	// Buckets are the ordinals of the leases.
	Buckets []string `json:"buckets,omitempty"`
}

// Moves lists what is to move, by queue.
func (d Deployment) Moves() []Step {
	steps := []Step{}
	d.each(Lease.Moves, func(q Queue, l Lease) {
		k := slices.IndexFunc(steps, func(s Step) bool { return s.Queue == q.Name && s.From == l.Holder && s.To == l.To })
		if k < 0 {
			k, steps = len(steps), append(steps, Step{Queue: q.Name, From: l.Holder, To: l.To})
		}
		steps[k].Buckets = append(steps[k].Buckets, l.Bucket)
	})
	return steps
}

// Stays lists what should move and does not, by queue.
func (d Deployment) Stays() []Stay {
	stays := []Stay{}
	d.each(Lease.Stays, func(q Queue, l Lease) {
		k := slices.IndexFunc(stays, func(s Stay) bool {
			return s.Queue == q.Name && s.From == l.Holder && s.To == l.To && s.Reason == l.Reason
		})
		if k < 0 {
			step := Step{Queue: q.Name, From: l.Holder, To: l.To}
			k, stays = len(stays), append(stays, Stay{Reason: l.Reason, Meaning: l.Reason.Sentence(), Step: step})
		}
		stays[k].Buckets = append(stays[k].Buckets, l.Bucket)
	})
	return stays
}

// each calls f with the leases of which something is true.
func (d Deployment) each(is func(Lease) bool, f func(Queue, Lease)) {
	for _, q := range d.Queues {
		for _, l := range q.Leases {
			if is(l) {
				f(q, l)
			}
		}
	}
}
