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

// NewVacant begins the handover of a lease that nobody leads any more, because
// its last holder's process (from) has ended or has emptied it. There is nothing
// to hold and to wait for: the lease is assigned at once, from the record that
// the cache shows. While the target's identity is not known, a lease that still
// names its dead holder is deleted, so that the others contend for it; one that
// is empty is free already and stays as it is. seen is when this process saw the
// last change of the record.
func NewVacant(group bucket.Group, lease *coordinationv1.Lease, from Party, seen, now time.Time, timing Timing) *Handover {
	h := New("", group, lease, from, seen, now, timing, 0)
	h.vacant = true
	return h
}

// NewDeleted is the same for a lease that somebody deleted at the time seen, as
// it was then: it is created in the target's name.
func NewDeleted(group bucket.Group, lease *coordinationv1.Lease, from Party, seen, now time.Time, timing Timing) *Handover {
	h := NewVacant(group, lease, from, seen, now, timing)
	h.step, h.written = Open, seen
	return h
}

// Vacant tells whether nobody led the bucket when the handover began.
func (h *Handover) Vacant() bool { return h.vacant }

// nextVacant gives away a lease that nobody leads, unless somebody was faster.
func (h *Handover) nextVacant(now time.Time, f Facts) Decision {
	switch {
	case h.look(f.Lease) != ours:
		return Decision{Action: Finish, Result: NotBegun, By: holder(f.Lease)}
	case h.canName(f):
		return Decision{Action: Assign, Target: f.Target}
	case holder(h.own) != "":
		return Decision{Action: Release}
	case now.Before(h.seen.Add(h.timing.TakenWithin())):
		return Decision{Action: Wait, Until: h.seen.Add(h.timing.TakenWithin())}
	default:
		return Decision{Action: Finish, Result: NotBegun}
	}
}
