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
	"fmt"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// Step is how far a handover has come.
type Step string

const (
	// Begun says that nothing has been written yet.
	Begun Step = "begun"
	// Held says that our identity is in the lease, its old holder may still lead.
	Held Step = "hold"
	// Open says that the lease is deleted, whoever tries next acquires it.
	Open Step = "open"
	// Assigned says that the target's identity is in the lease, it has not renewed yet.
	Assigned Step = "assign"
	// Ended says that it is over: see the outcome.
	Ended Step = "ended"
)

// Steps are those of a handover in flight.
var Steps = []Step{Begun, Held, Open, Assigned}

// Party is one side of a handover.
type Party struct {
	// Replica is the name of the pod.
	Replica string
	// Identity is the holder identity of its process in the lease's queue, ""
	// while it is not known.
	Identity string
}

// Handover is the move of one lease. It is not safe for concurrent use.
type Handover struct {
	// Lease is the name of the Lease.
	Lease string
	// Group is the group that the lease belongs to.
	Group bucket.Group
	// From is the replica that led the bucket when the handover began.
	From Party

	// identity is ours, as written into held leases.
	identity string
	timing   Timing
	// lateness is how late the renewals of the old holder were when it began.
	lateness time.Duration
	// abrupt: delete the lease at once and let the others acquire it.
	abrupt bool
	// vacant: nobody leads the bucket, so that nothing has to be waited for.
	vacant bool

	step   Step
	target string // replica named when the lease was last written
	to     Party  // bound when the lease was assigned
	began  time.Time

	// seen is when this process saw the old holder's last renewal, renewed is
	// that renewal's stamp by the old holder's clock.
	seen    time.Time
	renewed time.Time
	old     coordinationv1.LeaseSpec

	// own is the Lease as our last write left it (before the first write: as
	// the cache showed it). After a delete it is the deleted object.
	own *coordinationv1.Lease
	// created: our last write created the Lease, so a cache may not show it yet.
	created bool
	// written is when our last write was sent.
	written time.Time
	// attempt is a write whose answer did not come, or was an error.
	attempt *attempt
	// givingBack: a give-back was sent, which may land at any time.
	givingBack bool
	// missed are identities that did not come for the lease in time.
	missed map[string]bool

	outcome Outcome
}

// New begins the handover of a lease that the cache shows as given, whose last
// renewal this process saw at the time seen (by the clock that gives now). Its
// holder's last renewals were late by up to lateness. The lease is held first
// (strategy "handover").
func New(identity string, group bucket.Group, lease *coordinationv1.Lease, from Party, seen, now time.Time, timing Timing, lateness time.Duration) *Handover {
	return &Handover{
		Lease:    lease.Name,
		Group:    group,
		From:     from,
		identity: identity,
		timing:   timing,
		lateness: lateness,
		step:     Begun,
		began:    now,
		seen:     seen,
		renewed:  renewTime(lease),
		old:      *lease.Spec.DeepCopy(),
		own:      lease.DeepCopy(),
		missed:   map[string]bool{},
	}
}

// NewAbrupt begins a handover that deletes the lease without waiting for its
// old holder (strategy "delete"). Two replicas lead the bucket until the old
// holder gives up.
func NewAbrupt(group bucket.Group, lease *coordinationv1.Lease, from Party, seen, now time.Time, timing Timing) *Handover {
	h := New("", group, lease, from, seen, now, timing, 0)
	h.abrupt = true
	return h
}

// Resume takes up a hold of the process whose identity is given, of which
// nothing but the Lease is known: the answer to the write that made it never
// came. from is the old holder that Origin tells, seen is when this process
// first saw the hold; the age in the annotation is counted from there. The
// hold's own stamp is by our clock.
func Resume(identity string, group bucket.Group, lease *coordinationv1.Lease, from Party, seen time.Time, timing Timing) (*Handover, error) {
	if holder(lease) != identity {
		return nil, fmt.Errorf("lease %q is held by %q, not by this process (%q)", lease.Name, holder(lease), identity)
	}
	r, err := decode(lease)
	if err != nil {
		return nil, err
	}
	h := New(identity, group, lease, from, seen.Add(-r.Age.Duration), seen, timing, r.Lateness.Duration)
	h.step, h.target, h.old, h.renewed, h.written = Held, r.Target, r.Old, r.Old.RenewTime.Time, renewTime(lease)
	return h, nil
}

// Step is how far the handover has come.
func (h *Handover) Step() Step { return h.step }

// To is the side that the lease is bound to: set while it is assigned.
func (h *Handover) To() (Party, bool) { return h.to, h.step == Assigned }

// Target is the replica that the lease was meant for when it was last written.
func (h *Handover) Target() string { return h.target }

// Began is when the handover began.
func (h *Handover) Began() time.Time { return h.began }

// Seen is when this process saw the last renewal of the old holder.
func (h *Handover) Seen() time.Time { return h.seen }

// Renewed is the stamp of that renewal, by the old holder's clock.
func (h *Handover) Renewed() time.Time { return h.renewed }

// Until is when the present step ends: a hold at the earliest, as far as it was
// known when it began, what is released or assigned at the latest.
func (h *Handover) Until() time.Time {
	switch h.step {
	case Held:
		return h.seen.Add(h.timing.GiveUp() + h.margin())
	case Open:
		return h.written.Add(h.timing.openFor())
	default:
		return h.written.Add(h.timing.confirmWithin())
	}
}

// Outcome is how the handover ended; ok is false while it goes on.
func (h *Handover) Outcome() (o Outcome, ok bool) { return h.outcome, h.step == Ended }

// expires is when a candidate that saw our last write at once may take the
// lease.
func (h *Handover) expires() time.Time {
	seconds := h.own.Spec.LeaseDurationSeconds
	if seconds == nil {
		return h.written
	}
	return h.written.Add(time.Duration(*seconds) * time.Second)
}

// sight is what a cache shows of a lease, compared with our last write.
type sight int

const (
	// ours: our last write, or something older.
	ours sight = iota
	// gone: somebody deleted it after our last write.
	gone
	// changed: somebody wrote it after our last write.
	changed
)

// look compares what the cache shows with our last write. The cache only ever
// lags behind, so what is not newer than our write says nothing.
func (h *Handover) look(cached *coordinationv1.Lease) sight {
	switch {
	case cached == nil && h.created:
		return ours
	case cached == nil:
		return gone
	case h.step == Open && cached.UID == h.own.UID:
		return ours // deleted with a precondition on its version: no newer one exists
	case newer(cached, h.own):
		return changed
	case cached.UID == h.own.UID:
		h.created = false
		return ours
	default:
		return ours
	}
}

// newer tells whether a was written after b. Versions that cannot be compared
// count as newer when they differ: then the lease is read and nothing is
// assumed.
func newer(a, b *coordinationv1.Lease) bool {
	if a.ResourceVersion == b.ResourceVersion {
		return false
	}
	order, err := resourceversion.CompareResourceVersion(a.ResourceVersion, b.ResourceVersion)
	return err != nil || order > 0
}
