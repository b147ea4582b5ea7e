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

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// Result is how a handover ended.
type Result string

const (
	// Done says that another replica leads the bucket.
	Done Result = "done"
	// Taken says that another replica than the one it was assigned to leads the bucket.
	Taken Result = "taken"
	// Returned says that the old holder leads again, although the lease was released.
	Returned Result = "returned"
	// GivenBack says that it must not go on, the old holder goes on leading.
	GivenBack Result = "given-back"
	// Interrupted says that somebody else wrote or deleted the lease while it was held.
	Interrupted Result = "interrupted"
	// NotBegun says that the lease changed before it could be held. Nothing happened.
	NotBegun Result = "not-begun"
	// Abandoned says that nobody acquired the released lease.
	Abandoned Result = "abandoned"
)

// Results are all of them.
var Results = []Result{Done, Taken, Returned, GivenBack, Interrupted, NotBegun, Abandoned}

// Outcome is the end of a handover.
type Outcome struct {
	// Result is how it ended.
	Result Result
	// By is the identity that holds the lease now, "" for nobody.
	By string
	// Took is the time from the first write to the end.
	Took time.Duration
	// Gap is how long nobody led the bucket, counted from the moment when the
	// old holder must have given up; 0 when two led. If nobody led it when the
	// handover began, it is counted from the last renewal that was seen.
	Gap time.Duration
	// Overlap is how long two replicas lead at the most: until the old holder
	// must have given up. With strategy handover it is not 0 only where somebody
	// else wrote or deleted the lease while it was held.
	Overlap time.Duration
}

// end finishes the handover.
func (h *Handover) end(now time.Time, result Result, by string) {
	held := h.step == Held
	h.step = Ended
	h.outcome = Outcome{Result: result, By: by, Took: now.Sub(h.began)}
	alone := now.Sub(h.seen.Add(h.timing.GiveUp())) // for how long the old holder has surely stopped
	switch {
	case result == Interrupted && held && !bucket.IsOwn(by) && by != h.From.Identity:
		h.outcome.Overlap = max(0, -alone)
	case result != Done && result != Taken:
	case h.vacant:
		h.outcome.Gap = now.Sub(h.seen)
	case alone > 0:
		h.outcome.Gap = alone
	case h.abrupt:
		h.outcome.Overlap = -alone
	}
}
