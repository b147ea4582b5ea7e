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
	"context"
	"fmt"
	"time"

	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// failover begins to give away the leases that nobody leads, so that nobody has
// to wait until they expire, and chance does not decide who gets them. It tells
// whether there were any. What keeps leases from being balanced does not keep it
// from doing so: only we may be kept from writing at all.
func (r *Reconciler) failover(ctx context.Context, w *work, view observe.View, blocked balance.Reason, now time.Time) (begun bool) {
	if blocked != "" || !w.electionKnown || !r.settings().FastFailover {
		return false
	}
	would := map[rehearsal]int{}
	for _, l := range byName(view) {
		if l.Vacant == nil || l.OptedOut || w.handovers[l.Name] != nil || now.Before(r.dueAt(w, view, l)) {
			continue
		}
		if l.Vacant.Cause == observe.Released && now.Sub(l.Vacant.Since) >= w.timing().TakenWithin() {
			continue // nobody contends for it: it belongs to another bucket count
		}
		if r.settings().DryRun {
			would[rehearsal{l.group.String(), l.Vacant.Pod.Name}]++
			continue
		}
		w.handovers[l.Name] = &task{Handover: vacant(l, now, w.timing()), cause: l.Vacant.Cause}
		logging.FromContext(ctx).Infow("Lease has no leader", "deployment", w.key.Name, "lease", l.Name,
			"cause", string(l.Vacant.Cause), "last", l.Vacant.Identity)
		begun = true
	}
	for what, n := range would {
		w.would = append(w.would, fmt.Sprintf("Queue %s: dry run: would give %d leases of %s, which nobody leads, to other replicas", what.queue, n, what.from))
	}
	return begun
}

// vacant is the handover of a lease that nobody leads.
func vacant(l found, now time.Time, timing handover.Timing) *handover.Handover {
	from := handover.Party{Replica: l.Vacant.Pod.Name, Identity: l.Vacant.Identity}
	if l.Vacant.Cause == observe.Deleted {
		return handover.NewDeleted(l.group, l.Vacant.Record, from, l.Vacant.Since, now, timing)
	}
	return handover.NewVacant(l.group, l.Vacant.Record, from, l.Vacant.Since, now, timing)
}

// dueAt is from when on a vacant lease is given away.
//
// A process of which nobody reports that it has ended gives up by itself when its
// renew deadline has passed, and once more if it slept meanwhile. At the usual
// timings the lease expires before that, and the others take it as they would
// without us.
//
// What a replica released that is replaced is for the one that comes, which takes
// what is free as soon as its electors start. By name the lease could only go to the
// others, and would have to be handed over afterwards. Who has not come within a
// retry period has lost it: from then on the others need not wait for their next try.
func (r *Reconciler) dueAt(w *work, view observe.View, l found) time.Time {
	timing := w.timingOf(l.Vacant.Record.Spec, &observe.Replica{Pod: l.Vacant.Pod})
	switch {
	case l.Vacant.Cause == observe.Vanished:
		return l.Vacant.Since.Add(timing.GiveUp() + timing.RenewDeadline + timing.Margin(0))
	case l.Vacant.Cause == observe.Released && view.Replaced(l.Vacant.Pod):
		return l.Vacant.Since.Add(timing.RetryPeriod)
	default:
		return time.Time{}
	}
}

// nextDue is when the next vacant lease is to be given away.
func (r *Reconciler) nextDue(w *work, view observe.View, now time.Time) time.Time {
	next := now.Add(maxInterval)
	for _, l := range byName(view) {
		if l.Vacant == nil || w.handovers[l.Name] != nil {
			continue
		}
		if at := r.dueAt(w, view, l); at.After(now) {
			next = earlier(next, at)
		}
	}
	return next
}

// cancelled tells whether a handover must not go on. Who gives away what nobody
// leads need not wait for the end of a rollout.
func cancelled(h *handover.Handover, reason balance.Reason) bool {
	if h.Vacant() && (reason == balance.RolloutInProgress || reason == balance.TwoBucketCounts) {
		return false
	}
	return cancels(reason)
}
