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
	"maps"
	"slices"
	"strings"
	"time"

	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// takeover is the time in which leases of one queue are given away that nobody
// led.
type takeover struct {
	// from are the replicas that led them last.
	from map[string]bool
	// crashed counts those whose leader did not release them.
	crashed int
	// longest is the longest time for which one of them was without a leader.
	longest time.Duration
	results map[handover.Result]int
}

// tookOver notes the end of a handover of a lease that nobody led. Where somebody
// else was faster, we did nothing.
func (r *Reconciler) tookOver(ctx context.Context, w *work, h *task) {
	o, _ := h.Outcome()
	if o.Result == handover.NotBegun {
		return
	}
	r.metrics.tookOver(ctx, w.key, string(h.cause), o)
	t := w.takeovers[h.Group]
	if t == nil {
		t = &takeover{from: map[string]bool{}, results: map[handover.Result]int{}}
		w.takeovers[h.Group] = t
	}
	t.from[h.From.Replica] = true
	t.results[o.Result]++
	t.longest = max(t.longest, o.Gap)
	if h.cause != observe.Released {
		t.crashed++
	}
}

// reportTakeovers tells how the leases of a queue got leaders again, once all
// have one. A clean stop is only logged: each rollout has many.
func (r *Reconciler) reportTakeovers(ctx context.Context, w *work) {
	for group, t := range w.takeovers {
		if w.vacant(group) {
			continue
		}
		delete(w.takeovers, group)
		from := strings.Join(slices.Sorted(maps.Keys(t.from)), ", ")
		longest, results := t.longest.Round(time.Second), count(t.results)
		logging.FromContext(ctx).Infow("Leases without a leader given away", "deployment", w.key.Name,
			"queue", group.String(), "from", from, "results", results, "longest", longest)
		if t.crashed > 0 {
			r.event(ctx, w, reasonFailover, "Queue %s: leases of %s, which has ended, got leaders again after %s at the most since it renewed them last (%s)",
				group, from, longest, results)
		}
	}
}

// vacant tells whether leases of a queue are being given away.
func (w *work) vacant(group bucket.Group) bool {
	for _, h := range w.handovers {
		if h.Group == group && h.Vacant() {
			return true
		}
	}
	return false
}
