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
	"time"

	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// restrain keeps back the moves that the plan wants but that must not begin now.
func (r *Reconciler) restrain(ctx context.Context, w *work, view observe.View, plan balance.Plan, now time.Time) balance.Plan {
	r.brake.look(now, view, w.timing().RetryPeriod)
	w.sayTrouble(ctx, r.brake.on(now))
	w.history.forget(view, now)

	leases, inFlight := byName(view), map[bucket.Group]int{}
	for _, h := range w.handovers {
		inFlight[h.Group]++
	}
	limit, all := r.settings().MaxHandoversInFlight, len(w.handovers)
	return plan.KeepBack(func(m balance.Move) balance.Reason {
		l := leases[m.Lease]
		reason := w.history.waits(l.group, inFlight[l.group], now)
		switch {
		case w.trouble:
			reason = balance.APITrouble
		case l.Object != nil && w.unbounded(l.Object.Spec, view.Replica(m.From)):
			reason = balance.TimingUnknown
		case reason == "" && limit > 0 && all >= limit:
			reason = balance.InFlightLimit
		}
		if reason == "" {
			inFlight[l.group]++
			all++
		}
		return reason
	})
}

// sayTrouble logs when trouble with the API begins and ends.
func (w *work) sayTrouble(ctx context.Context, trouble bool) {
	logger := logging.FromContext(ctx).With("deployment", w.key.Name)
	switch {
	case trouble && !w.trouble:
		logger.Warnw("The API server is in trouble: no lease is taken, what is in flight goes on")
	case !trouble && w.trouble:
		logger.Infow("The API server is well again")
	}
	w.trouble = trouble
}

// learn remembers what became of the handovers that ended, and says what an
// administrator should know of it.
func (r *Reconciler) learn(ctx context.Context, w *work, view observe.View, plan balance.Plan, ended []*task) {
	contenders := -1
	for _, replica := range view.Replicas {
		if replica.Standing == "" {
			contenders++
		}
	}
	for _, t := range ended {
		if t.Vacant() {
			continue // it was taken from nobody
		}
		o, _ := t.Outcome()
		for _, n := range w.history.note(ending{
			lease: t.Lease, group: t.Group, byChance: w.byChance(t, view), able: view.Leads(t.Target()), from: t.From, to: t.Target(), by: o.By, result: o.Result,
			wanted: wanted(t, o, view, plan), contenders: max(1, contenders), began: t.Began(), at: r.clock.Now(),
		}) {
			logging.FromContext(ctx).Warnw(n.message, "deployment", w.key.Name, "lease", t.Lease)
			r.warn(ctx, w, n.reason, "%s", n.message)
		}
	}
}

// byChance tells whether it is likely that chance alone brings the lease back.
func (w *work) byChance(t *task, view observe.View) bool {
	return t.strategy == config.Delete || w.timing().RetryPeriod <= 2*w.timing().Margin(0) || view.Leads(t.Target())
}

// wanted tells whether a lease is where one of its queue should be: with the
// replica that it was assigned to, or with any that leases in transit are for.
func wanted(t *task, o handover.Outcome, view observe.View, plan balance.Plan) bool {
	if o.Result != handover.Done {
		return false
	}
	if to, _ := t.To(); to.Identity != "" {
		return true
	}
	host := bucket.HostnameOf(o.By)
	for _, p := range plan.Placements {
		if to := view.Replica(p.To); p.Group == t.Group.String() && to != nil && to.Hostname == host {
			return true
		}
	}
	return false
}
