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
	"slices"
	"time"

	"go.uber.org/zap"
	"k8s.io/utils/ptr"
	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// freshFor is how long after a renewal strategy delete may delete the lease: its
// old holder tries again a retry period after it, and the others have until
// then to acquire it.
const freshFor = 1500 * time.Millisecond

// found is a lease in a view, with its group.
type found struct {
	observe.Lease
	group bucket.Group
}

// byName indexes the leases of a view.
func byName(view observe.View) map[string]found {
	m := map[string]found{}
	for _, g := range view.Groups {
		for _, l := range g.Leases {
			m[l.Name] = found{Lease: l, group: g.Group}
		}
	}
	return m
}

// start makes the handovers of the planned moves. With strategy delete a move
// waits for the next renewal of its lease; wake is when the first comes.
func (r *Reconciler) start(w *work, view observe.View, moves []balance.Move, now time.Time) (wake time.Time) {
	leases := byName(view)
	wake = now.Add(maxInterval)
	for _, m := range moves {
		l, from := leases[m.Lease], view.Replica(m.From)
		if l.Object == nil || from == nil || w.handovers[m.Lease] != nil {
			continue
		}
		party := handover.Party{Replica: m.From, Identity: l.Identity}
		timing := w.timingOf(l.Object.Spec, from)
		switch age := now.Sub(l.Seen); {
		case r.settings().Strategy == config.Handover:
			w.begin(config.Handover, handover.New(r.identity, l.group, l.Object, party, l.Seen, now, timing, from.Process.Lateness))
		case age <= freshFor:
			w.begin(config.Delete, handover.NewAbrupt(l.group, l.Object, party, l.Seen, now, timing))
		default:
			wake = earlier(wake, l.Seen.Add(timing.RetryPeriod+freshFor/5))
		}
	}
	return wake
}

// begin starts to remember a handover.
func (w *work) begin(strategy config.Strategy, h *handover.Handover) {
	w.handovers[h.Lease] = &task{Handover: h, strategy: strategy}
}

// resume takes up holds of this process that it has no memory of: the answer to
// the write that made them came too late. It tells whether there were any.
func (r *Reconciler) resume(ctx context.Context, w *work, view observe.View) (resumed bool) {
	for _, l := range byName(view) {
		if l.Identity != r.identity || w.handovers[l.Name] != nil {
			continue
		}
		h, err := r.resumed(w, view, l)
		if err != nil {
			logging.FromContext(ctx).Warnw("A hold cannot be resumed and will expire", "lease", l.Name, zap.Error(err))
			continue
		}
		w.begin(config.Handover, h)
		resumed = true
	}
	return resumed
}

// resumed is the handover of a hold.
func (r *Reconciler) resumed(w *work, view observe.View, l found) (*handover.Handover, error) {
	old, err := handover.Origin(l.Object)
	if err != nil {
		return nil, err
	}
	from := handover.Party{Identity: ptr.Deref(old.HolderIdentity, "")}
	timing := w.timingOf(old, nil)
	for _, replica := range view.Replicas {
		if replica.Hostname != "" && replica.Hostname == bucket.HostnameOf(from.Identity) {
			from.Replica = replica.Pod.Name
			timing = w.timingOf(old, &replica)
		}
	}
	return handover.Resume(r.identity, l.group, l.Object, from, l.Seen, timing)
}

// cancelling are the reasons that stop a handover while its old holder may
// still lead. The others only keep new ones from beginning.
var cancelling = []balance.Reason{
	balance.RolloutInProgress, balance.TwoBucketCounts, balance.ConfigInvalid, balance.NotManaged,
	balance.NotApplicable, balance.OptedOut, balance.Paused,
}

func cancels(reason balance.Reason) bool { return slices.Contains(cancelling, reason) }

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
