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
	logging.FromContext(ctx).Warnw("round abandoned", "deployment", w.key.Name, "queue", group.String(), "results", count(rd.results), "took", took)
	r.warn(ctx, w, reasonFailed, "Queue %s: given up after %s, no replica leads in it any more", group, took)
}

// sayStays logs each surplus lease that stays once, and again when its reason
// changes.
func (w *work) sayStays(ctx context.Context, plan balance.Plan) {
	said := make(map[string]balance.Reason, len(plan.Stays))
	for _, s := range plan.Stays {
		said[s.Lease] = s.Reason
		if w.said[s.Lease] != s.Reason {
			logging.FromContext(ctx).Infow("Surplus lease stays",
				"lease", s.Lease, "holder", s.Holder, "reason", string(s.Reason), "meaning", s.Reason.Sentence())
		}
	}
	w.said = said
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

// passing are the reasons that end by themselves in a moment.
var passing = []balance.Reason{
	balance.NotSeenRenewing, balance.HandoverInFlight, balance.InFlightLimit, balance.BackingOff,
}

// goesOn tells whether more leases of the queue will move without anything
// having to change.
func goesOn(group bucket.Group, plan balance.Plan) bool {
	return slices.ContainsFunc(plan.Moves, func(m balance.Move) bool { return m.Group == group.String() }) ||
		slices.ContainsFunc(plan.Stays, func(s balance.Stay) bool {
			return s.Group == group.String() && slices.Contains(passing, s.Reason)
		})
}

// endRound tells how a round ended.
func (r *Reconciler) endRound(ctx context.Context, w *work, g observe.Group, rd *round, plan balance.Plan) {
	took := r.clock.Now().Sub(rd.began).Round(time.Second)
	why := reasons(plan.Stays, g.String())
	results := count(rd.results)
	if len(why) == 0 {
		logging.FromContext(ctx).Infow("round done", "deployment", w.key.Name, "queue", g.String(), "results", results, "took", took, "spread", spread(g))
		r.event(ctx, w, reasonDone, "Queue %s: even after %s (%s), now %s", g, took, results, spread(g))
		return
	}
	logging.FromContext(ctx).Warnw("round failed", "deployment", w.key.Name, "queue", g.String(), "results", results, "took", took, "spread", spread(g), "reasons", count(why))
	r.warn(ctx, w, reasonFailed, "Queue %s: not even after %s (%s), now %s; surplus leases stay: %s", g, took, results, spread(g), count(why))
}

// reasons counts why the surplus leases of a group stay.
func reasons(stays []balance.Stay, group string) map[balance.Reason]int {
	why := map[balance.Reason]int{}
	for _, s := range stays {
		if s.Group == group {
			why[s.Reason]++
		}
	}
	return why
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
