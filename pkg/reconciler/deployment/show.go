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
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
	"github.com/tektoncd/leases-controller/pkg/status"
)

// publish shows the Deployment as it is after a reconcile, and returns when to
// come back for it. What has just ended is shown with the view of the next
// reconcile, which knows who leads now.
func (r *Reconciler) publish(ctx context.Context, w *work, view observe.View, plan balance.Plan, blocked balance.Reason, ended []*task, now time.Time) time.Time {
	r.status.load(r.settings().Manages)
	for _, t := range ended {
		if one, ok := finished(t, now); ok {
			w.ended = append(w.ended, one)
		}
	}
	if len(ended) == 0 {
		d := r.statusOf(w, view, plan, blocked, now)
		if dark := d.Unexplained(); len(dark) > 0 {
			logging.FromContext(ctx).Errorw("Surplus leases stay and nothing says why: this is a fault of the leases controller",
				"deployment", w.key.Name, "queues", dark)
		}
		r.status.show(d, now)
		w.ended = nil
	}
	return r.flush(ctx, w.key, now)
}

// flush has the status written if it has changed, and returns when to come back
// for it.
func (r *Reconciler) flush(ctx context.Context, key types.NamespacedName, now time.Time) time.Time {
	r.status.keep(func(name string) bool {
		return r.settings().Manages(name) || r.work[types.NamespacedName{Namespace: key.Namespace, Name: name}] != nil
	})
	return r.status.flush(ctx, r.head(key.Namespace, now), now, func() { r.enqueueAfter(key, writeInterval) })
}

// head is the status without its Deployments.
func (r *Reconciler) head(namespace string, now time.Time) status.Status {
	pause := r.pause(namespace, now)
	c := status.Controller{Installed: true, Ready: true, Known: true, Strategy: string(r.settings().Strategy), DryRun: r.settings().DryRun, Paused: pause.String()}
	if err := r.store.Err(); err != nil {
		c.ConfigError = err.Error()
	}
	if pause.Err != nil {
		c.PauseError = pause.Err.Error()
	}
	return status.Status{APIVersion: status.APIVersion, Kind: status.Kind, Namespace: namespace, Controller: c}
}

// statusOf is the status of a Deployment.
func (r *Reconciler) statusOf(w *work, view observe.View, plan balance.Plan, blocked balance.Reason, now time.Time) status.Deployment {
	if blocked == "" && !w.electionKnown {
		blocked = balance.ConfigInvalid
	}
	d := status.Of(w.key.Name, w.begun(view), plan, blocked, now)
	d.Detail = r.detail(w, blocked)
	d.Handovers, d.Recent = w.flying(plan), w.ended
	d.Muted = w.history.muted(now)
	d.Advice = slices.Sorted(maps.Keys(w.advised))
	for fault := range w.faults {
		d.Advice = append(d.Advice, fault+".")
	}
	slices.Sort(d.Advice)
	return d
}

// detail says more about why nothing of the Deployment may move.
func (r *Reconciler) detail(w *work, blocked balance.Reason) string {
	switch blocked {
	case balance.NotApplicable:
		if elects, why := config.Elects(&w.deployment.Spec.Template); !elects {
			return status.NotElecting(why)
		}
		return status.NotElecting(status.Webhook)
	case balance.ConfigInvalid:
		if err := r.store.Err(); err != nil {
			return err.Error() + "."
		}
		return w.electionFault + "."
	default:
		return ""
	}
}

// begun is the view with the handovers that were begun since it was made.
func (w *work) begun(view observe.View) observe.View {
	transit := w.transit()
	view.Groups = slices.Clone(view.Groups)
	for i := range view.Groups {
		g := &view.Groups[i]
		g.Leases = slices.Clone(g.Leases)
		for k := range g.Leases {
			l := &g.Leases[k]
			if t, ok := transit[l.Name]; ok && l.Transit == nil && w.handovers[l.Name].Step() != handover.Begun {
				l.Transit, l.Holder = &t, ""
			}
		}
	}
	return view
}

// flying are the handovers that have written something.
func (w *work) flying(plan balance.Plan) []status.Handover {
	targets, all := plan.Targets(), make([]status.Handover, 0, len(w.handovers))
	for _, t := range w.inFlight() {
		if t.Step() == handover.Begun {
			continue
		}
		to, _ := t.To()
		all = append(all, status.Handover{
			Lease: t.Lease, From: t.From.Replica, To: cmp.Or(to.Replica, targets[t.Lease]), Step: string(t.Step()), Cause: string(t.cause),
			Began: metav1.Time{Time: t.Began()}, Until: metav1.Time{Time: t.Until()},
		})
	}
	return all
}

// finished is a handover that has ended, false if it wrote nothing.
func finished(t *task, now time.Time) (status.Ended, bool) {
	o, _ := t.Outcome()
	return status.Ended{
		Lease: t.Lease, From: t.From.Replica, To: bucket.HostnameOf(o.By), Result: string(o.Result), Cause: string(t.cause),
		At: metav1.Time{Time: now}, Took: o.Took.Round(time.Second).String(),
	}, o.Result != handover.NotBegun
}

// pause is what the status ConfigMap asks for.
func (r *Reconciler) pause(namespace string, now time.Time) status.Pause {
	cm, err := r.configMaps.ConfigMaps(namespace).Get(status.ConfigMapName)
	if err != nil {
		return status.Pause{} // there is none
	}
	return status.PauseOf(cm, now)
}

// sayPause tells when a pause begins and when it ends.
func (r *Reconciler) sayPause(ctx context.Context, w *work, pause status.Pause) {
	said := pause.String()
	if pause.Err != nil {
		said = pause.Err.Error()
	}
	if said == w.paused {
		return
	}
	w.paused = said
	logger := logging.FromContext(ctx).With("deployment", w.key.Name)
	switch {
	case pause.Err != nil:
		logger.Warnw("Paused", "reason", said)
		r.warn(ctx, w, reasonPaused, "No lease is moved: %s", said)
	case pause.On:
		logger.Infow("Paused", "until", said)
		r.event(ctx, w, reasonPaused, "No lease is moved: annotation %s of ConfigMap %s is %s", status.PausedUntil, status.ConfigMapName, said)
	default:
		logger.Infow("Resumed")
		r.event(ctx, w, reasonResumed, "The pause is over")
	}
}
