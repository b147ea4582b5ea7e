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

package handover

import (
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// Action is what a handover does next: nothing, or one API call.
type Action string

const (
	// Wait does nothing before the decision's time, or before something changes.
	Wait Action = "wait"
	// Read reads the Lease, because the answer to a write is missing.
	Read Action = "read"
	// Hold writes our identity into the lease.
	Hold Action = "hold"
	// Extend holds it for longer.
	Extend Action = "extend"
	// GiveBack writes the old holder's record again.
	GiveBack Action = "give-back"
	// Assign writes the target's identity into the held lease.
	Assign Action = "assign"
	// Release deletes the lease, so that any replica acquires it.
	Release Action = "release"
	// Create creates the deleted lease in the target's name.
	Create Action = "create"
	// Finish says that the handover has ended.
	Finish Action = "finish"
)

// proofInterval is how often the proof of life is looked for: it comes with a
// renewal, not at a time.
const proofInterval = 200 * time.Millisecond

// Facts are what a decision rests on, as observed now.
type Facts struct {
	// Lease is what the cache shows, nil for none.
	Lease *coordinationv1.Lease
	// Lateness is how late the renewals of the old holder's process were at
	// the most, in its last five.
	Lateness time.Duration
	// Alive are the signs of life of the old holder's process since its last
	// renewal, in the order of their stamps.
	Alive []Sign
	// Dead: the process has surely ended, by its own node's report.
	Dead bool
	// FromThere: the old holder's pod exists.
	FromThere bool
	// Target is the replica that should have the lease by the present plan, the
	// old holder itself if it should keep it. Its Replica is "" for none, its
	// Identity "" while it is not known.
	Target Party
	// Leaving: the process that the lease is assigned to has ended, or its pod is
	// terminating or gone. It will not come for the lease.
	Leaving bool
	// Cancel: the handover must not go on.
	Cancel bool
}

// Decision is what to do now.
type Decision struct {
	// Action is the call to make, with Do.
	Action Action
	// Target is the side that Assign and Create write, and that Hold and Extend
	// note.
	Target Party
	// Result and By say how it ended, for Finish.
	Result Result
	By     string
	// Until is when to decide again at the latest, for Wait.
	Until time.Time
}

// Next decides, from the facts and the state that our own writes left, what the
// handover does now. It makes no call and, apart from noting that the cache has
// caught up, changes nothing.
func (h *Handover) Next(now time.Time, f Facts) Decision {
	if h.attempt != nil {
		return Decision{Action: Read}
	}
	switch h.step {
	case Begun:
		return h.nextBegun(now, f)
	case Held:
		return h.nextHeld(now, f)
	case Open:
		return h.nextOpen(now, f)
	case Assigned:
		return h.nextAssigned(now, f)
	default:
		return Decision{Action: Finish, Result: h.outcome.Result, By: h.outcome.By}
	}
}

func (h *Handover) nextBegun(now time.Time, f Facts) Decision {
	if f.Cancel {
		return Decision{Action: Finish, Result: NotBegun}
	}
	if h.vacant {
		return h.nextVacant(now, f)
	}
	if h.abrupt {
		return Decision{Action: Release}
	}
	return Decision{Action: Hold, Target: f.Target}
}

func (h *Handover) nextHeld(now time.Time, f Facts) Decision {
	switch h.look(f.Lease) {
	case gone:
		return Decision{Action: Finish, Result: Interrupted}
	case changed:
		switch by := holder(f.Lease); {
		case by == h.identity: // edited beside the record; our next write will tell
		case by == h.From.Identity && h.givingBack:
			return Decision{Action: Finish, Result: GivenBack, By: by}
		default:
			return Decision{Action: Finish, Result: Interrupted, By: by}
		}
	}

	until, over := h.waitOver(now, f)
	if over || f.Dead {
		return h.release(f)
	}
	if f.FromThere && (f.Cancel || f.Target.Replica == "" || f.Target.Replica == h.From.Replica) {
		return Decision{Action: GiveBack}
	}
	extend := h.expires().Add(-h.timing.extendBefore())
	if !now.Before(extend) {
		return Decision{Action: Extend, Target: f.Target}
	}
	if !until.After(now) {
		until = now.Add(proofInterval)
	}
	if extend.Before(until) {
		until = extend
	}
	return Decision{Action: Wait, Until: until}
}

// release decides how a lease that nobody leads any more is released.
func (h *Handover) release(f Facts) Decision {
	if h.canName(f) && !f.Cancel {
		return Decision{Action: Assign, Target: f.Target}
	}
	return Decision{Action: Release}
}

// canName tells whether the target's identity is known and may come: it has not
// been called in vain, and it is not that of a process that has ended.
func (h *Handover) canName(f Facts) bool {
	id := f.Target.Identity
	return id != "" && !h.missed[id] && !(f.Dead && id == h.From.Identity)
}

func (h *Handover) nextOpen(now time.Time, f Facts) Decision {
	if h.look(f.Lease) == changed && holder(f.Lease) != "" {
		return h.acquired(f.Lease)
	}
	if !h.abrupt && !f.Cancel && h.canName(f) && f.Lease == nil {
		return Decision{Action: Create, Target: f.Target}
	}
	until := h.written.Add(h.timing.openFor())
	if !now.Before(until) {
		return Decision{Action: Finish, Result: Abandoned}
	}
	return Decision{Action: Wait, Until: until}
}

func (h *Handover) nextAssigned(now time.Time, f Facts) Decision {
	switch h.look(f.Lease) {
	case gone:
		return Decision{Action: Finish, Result: Interrupted}
	case changed:
		if holder(f.Lease) == "" {
			return Decision{Action: Finish, Result: Interrupted}
		}
		if holder(f.Lease) != h.to.Identity || !renewTime(f.Lease).Equal(renewTime(h.own)) {
			return h.acquired(f.Lease)
		}
	}
	until := h.written.Add(h.timing.confirmWithin())
	if f.Leaving || !now.Before(until) {
		return Decision{Action: Release}
	}
	return Decision{Action: Wait, Until: until}
}

// acquired is the end of a released lease that somebody holds now.
func (h *Handover) acquired(lease *coordinationv1.Lease) Decision {
	d := Decision{Action: Finish, Result: Done, By: holder(lease)}
	switch by, err := bucket.ParseIdentity(d.By); {
	case err != nil:
		d.Result = Taken
	case h.vacant:
		if h.to.Identity != "" && h.to.Identity != d.By {
			d.Result = Taken
		}
	case d.By == h.From.Identity || by.Hostname == bucket.HostnameOf(h.From.Identity):
		d.Result = Returned
		if h.to.Identity == d.By {
			d.Result = GivenBack // it was assigned to its old holder on purpose
		}
	case h.to.Identity != "" && by.Hostname != bucket.HostnameOf(h.to.Identity):
		d.Result = Taken
	}
	return d
}
