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
	"slices"
	"strings"
	"time"

	"k8s.io/utils/ptr"
	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
	"github.com/tektoncd/leases-controller/pkg/status"
)

// round is the time in which leases of one queue are moving.
type round struct {
	began   time.Time
	results map[handover.Result]int
}

// report tells what happened: as metrics, in the log, and as Events.
func (r *Reconciler) report(ctx context.Context, w *work, view observe.View, plan balance.Plan, ended []*task) {
	for _, h := range ended {
		if h.Vacant() {
			r.tookOver(ctx, w, h)
			continue
		}
		o, _ := h.Outcome()
		r.metrics.ended(ctx, w.key, string(h.strategy), o)
		if round := w.rounds[h.Group]; round != nil {
			round.results[o.Result]++
		}
	}
	r.metrics.show(w.key, r.shows(w, view, plan), ptr.Deref(w.deployment.Spec.Replicas, 1) > 0)
	w.sayStays(ctx, plan)
	for _, g := range view.Groups {
		r.reportRound(ctx, w, g, plan)
	}
	r.reportTakeovers(ctx, w)
	for group, rd := range w.rounds {
		if !view.Has(group) {
			delete(w.rounds, group)
			r.abandonRound(ctx, w, group, rd)
		}
	}
}

// abandonRound tells of a round whose queue is gone: another bucket count took its
// place, or all replicas that led in it are gone.
func (r *Reconciler) abandonRound(ctx context.Context, w *work, group bucket.Group, rd *round) {
	took := r.clock.Now().Sub(rd.began).Round(time.Second)
	logger := logging.FromContext(ctx).With("deployment", w.key.Name, "queue", group.String(), "results", count(rd.results), "took", took)
	if !w.missing.IsZero() || ptr.Deref(w.deployment.Spec.Replicas, 1) == 0 {
		logger.Infow("round stopped", "reason", "nobody is to lead in the queue any more")
		r.event(ctx, w, reasonStopped, "Queue %s: stopped after %s, nobody is to lead in it any more", group, took)
		return
	}
	logger.Warnw("round abandoned")
	r.warn(ctx, w, reasonFailed, "Queue %s: given up after %s, no replica leads in it any more", group, took)
}

// reportRound begins and ends the round of a queue.
func (r *Reconciler) reportRound(ctx context.Context, w *work, g observe.Group, plan balance.Plan) {
	moving := w.moving(g.Group)
	rd := w.rounds[g.Group]
	switch {
	case rd == nil && moving > 0:
		w.rounds[g.Group] = &round{began: r.clock.Now(), results: map[handover.Result]int{}}
		logging.FromContext(ctx).Infow("round begun", "deployment", w.key.Name, "queue", g.String(), "moves", moving, "spread", spread(g))
		r.event(ctx, w, reasonBegun, "Queue %s: moving %d of %d leases, now %s", g, moving, len(g.Leases), spread(g))
	case rd != nil && moving == 0 && !g.InTransit() && !goesOn(g.Group, plan):
		delete(w.rounds, g.Group)
		r.endRound(ctx, w, g, rd, plan)
	}
}

// moving counts the handovers of a queue that have written something.
func (w *work) moving(group bucket.Group) int {
	n := 0
	for _, h := range w.handovers {
		if h.Group == group && h.Step() != handover.Begun && !h.Vacant() {
			n++
		}
	}
	return n
}

// stopRounds tells that those of a Deployment have ended that is not ours any more:
// what they held was given back, and nobody looks at their queues again.
func (r *Reconciler) stopRounds(ctx context.Context, w *work) {
	for group, rd := range w.rounds {
		took := r.clock.Now().Sub(rd.began).Round(time.Second)
		why := status.Explain(balance.NotManaged, 0)
		logging.FromContext(ctx).Infow("round stopped", "deployment", w.key.Name, "queue", group.String(), "results", count(rd.results), "took", took, "reasons", why)
		r.event(ctx, w, reasonStopped, "Queue %s: stopped after %s (%s); %s", group, took, count(rd.results), why)
	}
	w.rounds = map[bucket.Group]*round{}
}

// endRound tells how a round ended. One that somebody has asked to end has not
// failed.
func (r *Reconciler) endRound(ctx context.Context, w *work, g observe.Group, rd *round, plan balance.Plan) {
	took := r.clock.Now().Sub(rd.began).Round(time.Second)
	why := reasons(plan.Stays, g.String())
	results := count(rd.results)
	logger := logging.FromContext(ctx).With("deployment", w.key.Name, "queue", g.String(), "results", results, "took", took, "spread", spread(g))
	switch {
	case len(why) == 0:
		logger.Infow("round done")
		r.event(ctx, w, reasonDone, "Queue %s: even after %s (%s), now %s", g, took, results, spread(g))
	case r.settings().DryRun || asked(why):
		logger.Infow("round stopped", "reasons", explain(why))
		r.event(ctx, w, reasonStopped, "Queue %s: stopped after %s (%s), now %s; surplus leases stay: %s", g, took, results, spread(g), explain(why))
	default:
		logger.Warnw("round failed", "reasons", explain(why))
		r.warn(ctx, w, reasonFailed, "Queue %s: not even after %s (%s), now %s; surplus leases stay: %s", g, took, results, spread(g), explain(why))
	}
}

// spread lists how many leases of a group each replica leads.
func spread(g observe.Group) string {
	held := map[string]int{}
	for _, l := range g.Leases {
		if l.Holder != "" {
			held[l.Holder]++
		}
	}
	return count(held)
}

// count lists what a map counts, in order: "a: 5, b: 4".
func count[K ~string](m map[K]int) string {
	parts := make([]string, 0, len(m))
	for k, n := range m {
		parts = append(parts, fmt.Sprintf("%s: %d", k, n))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}
