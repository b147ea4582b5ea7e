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
	"sync"
	"time"

	"go.uber.org/zap"
	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

const (
	// callTimeout bounds an API call, so that a slow API server does not keep
	// the other handovers waiting.
	callTimeout = 5 * time.Second
	// maxBackoff bounds the pause of a handover whose calls fail. It is shorter
	// than the time in which a hold has to be extended.
	maxBackoff = 4 * time.Second
)

// lasting are the reasons that time alone does not end, or not soon: there is no
// need to look every moment.
var lasting = []balance.Reason{
	balance.SingleBucket, balance.SingleReplica, balance.LastLease, balance.NotApplicable, balance.NotManaged,
	balance.OptedOut, balance.ConfigInvalid, balance.Paused, balance.Muted, balance.PingPong,
}

// act begins the planned handovers and takes every one in flight a step
// further, side by side. It returns those that ended and when to come back.
func (r *Reconciler) act(ctx context.Context, w *work, view observe.View, plan balance.Plan) ([]*task, time.Time) {
	now := r.clock.Now()
	wake := r.start(w, view, plan.Moves, now)
	if slices.ContainsFunc(plan.Stays, func(s balance.Stay) bool { return !slices.Contains(lasting, s.Reason) }) {
		wake = earlier(wake, now.Add(waitInterval))
	}

	var calls sync.WaitGroup
	due := r.due(w, view, plan.Targets(), now)
	var ready []step // all are judged before the first call changes one
	for _, h := range due {
		if at := h.at(now, due); at.After(now) {
			wake = earlier(wake, at)
			continue
		}
		wake = earlier(wake, now.Add(stepInterval))
		ready = append(ready, h)
	}
	for _, h := range ready {
		calls.Go(func() { h.called(r.do(ctx, h.Handover, h.Decision), now) })
	}
	calls.Wait()
	return w.settle(), wake
}

// step is what a handover does next.
type step struct {
	*task
	handover.Decision
}

// due are the next steps of the handovers in flight.
func (r *Reconciler) due(w *work, view observe.View, targets map[string]string, now time.Time) []step {
	handovers := w.inFlight()
	due := make([]step, 0, len(handovers))
	leases, draws := byName(view), r.draws(w, view, targets)
	for _, h := range handovers {
		facts := r.facts(w, h.Handover, view, leases[h.Lease], targets[h.Lease], now)
		if draws[h.Group] && facts.Target != h.From {
			facts.Target.Identity = ""
		}
		due = append(due, step{h, h.Next(now, facts)})
	}
	return due
}

// at is when the step is to be made. One that binds its lease waits for those
// that end: who has acquired theirs is not in the plan yet.
func (s step) at(now time.Time, due []step) time.Time {
	binds := s.Action == handover.Assign || s.Action == handover.Create
	switch {
	case s.Action == handover.Wait:
		return s.Until
	case now.Before(s.retry):
		return s.retry
	case binds && slices.ContainsFunc(due, func(d step) bool { return d.Action == handover.Finish && !now.Before(d.retry) }):
		return now.Add(stepInterval)
	default:
		return now
	}
}

// draws are the queues in which a lease is open for a replica whose identity is
// not known: chance decides whether that is the next to come. As long as it
// lasts no lease of the queue is bound, not even to a replica that is known:
// when that one comes first, it gets one of those that are for it anyway. Bound
// leases would leave it nothing but what is for the other.
func (r *Reconciler) draws(w *work, view observe.View, targets map[string]string) map[bucket.Group]bool {
	m := map[bucket.Group]bool{}
	for _, h := range w.handovers {
		to := view.Replica(targets[h.Lease])
		if h.Step() == handover.Open && to != nil && r.observer.Tracker.Identity(to.Pod, h.Group) == "" {
			m[h.Group] = true
		}
	}
	return m
}

// called notes how a call of a handover ended: one that fails is made again
// after a pause that grows.
func (t *task) called(ok bool, now time.Time) {
	if ok {
		t.failures, t.retry = 0, time.Time{}
		return
	}
	t.retry = now.Add(min(maxBackoff, minInterval<<min(t.failures, 3)))
	t.failures++
}

// do makes one call of a handover and logs it; false if it failed.
func (r *Reconciler) do(ctx context.Context, h *handover.Handover, d handover.Decision) bool {
	logger := logging.FromContext(ctx).With("lease", h.Lease, "from", h.From.Replica, "action", string(d.Action))
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err := h.Do(ctx, r.leases, r.clock.Now(), d)
	if d.Action != handover.Finish {
		r.brake.note(r.clock.Now(), err)
	}
	if err == nil && d.Action != handover.Finish && d.Action != handover.Read {
		r.brake.allow()
	}
	if err != nil {
		logger.Warnw("Handover step failed", "step", string(h.Step()), zap.Error(err))
		return false
	}
	if o, ended := h.Outcome(); ended {
		logger.Infow("Handover ended", "result", string(o.Result), "holder", o.By, "took", o.Took.Round(time.Millisecond))
		return true
	}
	logger.Infow("Handover step", "step", string(h.Step()), "to", d.Target.Replica)
	return true
}

// settle removes the handovers that ended.
func (w *work) settle() []*task {
	var ended []*task
	for _, h := range w.inFlight() {
		if _, ok := h.Outcome(); ok {
			delete(w.handovers, h.Lease)
			ended = append(ended, h)
		}
	}
	return ended
}

// mustEnd tells whether a handover must not go on. One that has not taken its
// lease yet does not take it while the API is in trouble.
func (r *Reconciler) mustEnd(w *work, h *handover.Handover, view observe.View, l found) bool {
	return r.settings().DryRun || l.OptedOut || cancelled(h, view.Blocked(h.Group)) ||
		w.trouble && h.Step() == handover.Begun && !h.Vacant()
}

// facts are what the next step of a handover rests on.
func (r *Reconciler) facts(w *work, h *handover.Handover, view observe.View, l found, target string, now time.Time) handover.Facts {
	retry := w.timing().RetryPeriod
	process := r.observer.Tracker.Process(bucket.HostnameOf(h.From.Identity), retry, now)
	f := handover.Facts{
		Lease:    l.Object,
		Lateness: process.Lateness,
		Cancel:   r.mustEnd(w, h, view, l),
		Dead:     h.Vacant(),
	}
	pod, err := r.pods.Pods(w.key.Namespace).Get(h.From.Replica)
	if err == nil {
		f.Dead = f.Dead || r.observer.Tracker.Dead(pod, h.From.Identity, retry, now)
		f.FromThere = !f.Dead && pod.DeletionTimestamp == nil && !w.podsUncertain(now)
	} else {
		f.Dead = f.Dead || r.observer.Tracker.DeadBefore(h.From.Identity, retry, now)
	}
	for _, s := range r.observer.Tracker.Alive(pod, h.From.Identity, h.Renewed()) {
		f.Alive = append(f.Alive, handover.Sign(s))
	}
	if target == h.From.Replica && h.Step() == handover.Held && view.Unsettled() != "" {
		target = h.Target() // no reason to give it back until it is known who leads what
	}
	if to, ok := h.To(); ok {
		f.Leaving = r.observer.Leaving(view, to.Replica, to.Identity)
	}
	to := view.Replica(target)
	switch {
	case to == nil:
	case target == h.From.Replica && !f.Dead:
		f.Target = h.From
	default:
		f.Target = handover.Party{Replica: target, Identity: r.observer.Tracker.Identity(to.Pod, h.Group)}
	}
	return f
}
