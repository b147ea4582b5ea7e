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
	"maps"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"
	"knative.dev/pkg/leaderelection"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
	"github.com/tektoncd/leases-controller/pkg/status"
)

// work is what is remembered of one Deployment between two reconciles.
type work struct {
	key        types.NamespacedName
	deployment *appsv1.Deployment
	// missing is when the Deployment was missed first, zero while it is there.
	missing time.Time
	// handovers are those in flight, by lease.
	handovers map[string]*task
	// rounds are the queues in which leases are moving.
	rounds map[bucket.Group]*round
	// history is what became of the last handovers.
	history *history
	// trouble: the API was in trouble when last seen.
	trouble bool
	// probed is when the API was asked whether it answers well.
	probed time.Time
	// takeovers are the queues in which leases without a leader are given away.
	takeovers map[bucket.Group]*takeover
	// said is the reason last logged for each surplus lease that stays.
	said map[string]balance.Reason
	// advised is the advice that holds and was given.
	advised map[string]bool
	// strangeSince is since when its replicas hold no lease that we know as
	// theirs, zero if they do.
	strangeSince time.Time
	// election is the last good configuration of its electors, the defaults
	// before electionKnown.
	election      *leaderelection.Config
	electionKnown bool
	// electionName is the ConfigMap that it is read from, and electionFault
	// what was last said about it.
	electionName, electionFault string
	// electionChanged is when that ConfigMap was written last.
	electionChanged time.Time
	// electionSince is the age from which on a pod has surely not read another
	// configuration than electionChanged tells of.
	electionSince time.Time
	// electionWas is the configuration before an edit that we saw, and
	// electionEdited when that was: replicas that are older may still use it.
	electionWas    *leaderelection.Config
	electionEdited time.Time
	// ended are the handovers that ended and are not shown yet.
	ended []status.Ended
	// paused is what was last said about a pause, "" for none.
	paused string
	// faults are what was last said of annotations that are not legal.
	faults map[string]bool
	// settings are ours as they were at the last reconcile, nil before.
	settings *config.Config
	// would is what this reconcile would do if it were no dry run, and rehearsed
	// what was said of that and still holds.
	would     []string
	rehearsed map[string]bool
	// next is when it may be reconciled again at the earliest.
	next time.Time
}

// task is a handover in flight.
type task struct {
	*handover.Handover
	// strategy is the one that it was begun with.
	strategy config.Strategy
	// cause is why nobody led the lease when it was begun, "" if somebody did.
	cause observe.Cause
	// failures counts its calls in a row that failed, and retry is when the
	// next may be made.
	failures int
	retry    time.Time
}

// cascade is how long it may take until the pods of a Deployment that was deleted
// are deleted, too.
const cascade = 5 * time.Second

// podsUncertain tells that the Deployment has been deleted just now, and that
// nobody knows yet whether its pods will be. A process that is asked to stop just
// after its lease was given back does not notice that it could release it: nobody
// would lead until it expires.
func (w *work) podsUncertain(now time.Time) bool {
	return !w.missing.IsZero() && now.Before(w.missing.Add(cascade))
}

// workOn is the work of a Deployment, nil if there is none.
func (r *Reconciler) workOn(key types.NamespacedName, d *appsv1.Deployment) *work {
	w := r.work[key]
	if w != nil {
		w.deployment = d
	}
	return w
}

// remember starts to remember a Deployment. What became of its handovers is
// remembered from before, if it was ours not long ago.
func (r *Reconciler) remember(key types.NamespacedName, d *appsv1.Deployment) *work {
	election, _ := config.Election(nil) // the defaults are never invalid
	w := &work{
		election:   election,
		key:        key,
		deployment: d,
		handovers:  map[string]*task{},
		rounds:     map[bucket.Group]*round{},
		history:    newHistory(),
		takeovers:  map[bucket.Group]*takeover{},
		said:       map[string]balance.Reason{},
	}
	if former, ok := r.former[key]; ok {
		w.history = former
		delete(r.former, key)
	}
	r.work[key] = w
	return w
}

// forget drops a Deployment that is not ours any more, but for what became of its
// handovers, as long as that matters: it may be put back in a moment.
func (r *Reconciler) forget(key types.NamespacedName, w *work, now time.Time) {
	delete(r.work, key)
	maps.DeleteFunc(r.former, func(_ types.NamespacedName, h *history) bool { return h.over(now) })
	r.former[key] = w.history
	r.metrics.forget(key)
	r.observer.Tracker.ForgetDeployment(w.deployment.UID)
}

// transit are the handovers in flight as the view and the planner count them.
func (w *work) transit() map[string]observe.Transit {
	m := make(map[string]observe.Transit, len(w.handovers))
	for name, h := range w.handovers {
		t := observe.Transit{Group: h.Group, From: h.From.Replica, Vacant: h.Vacant()}
		if to, ok := h.To(); ok {
			t.To = to.Replica
		}
		m[name] = t
	}
	return m
}

// interval is the shortest time to the next reconcile.
func (w *work) interval() time.Duration {
	if len(w.handovers) > 0 {
		return stepInterval
	}
	return minInterval
}

// inFlight are the handovers of the work, by lease.
func (w *work) inFlight() []*task {
	all := make([]*task, 0, len(w.handovers))
	for _, h := range w.handovers {
		all = append(all, h)
	}
	slices.SortFunc(all, func(a, b *task) int { return strings.Compare(a.Lease, b.Lease) })
	return all
}

// optsOut tells whether the Deployment asks to be left alone.
func optsOut(d *appsv1.Deployment) bool {
	out, _ := observe.OptsOut("Deployment", d)
	return out
}

// blocked is why nothing of a Deployment may move, by our configuration and its
// own.
func (r *Reconciler) blocked(d *appsv1.Deployment) balance.Reason {
	c := r.store.Load()
	switch elects, _ := config.Elects(&d.Spec.Template); {
	case !r.settings().Manages(d.Name):
		return balance.NotManaged
	case c == nil:
		return balance.ConfigInvalid
	case !elects:
		return balance.NotApplicable
	case optsOut(d):
		return balance.OptedOut
	case r.pause(d.Namespace, r.clock.Now()).On:
		return balance.Paused
	default:
		return ""
	}
}
