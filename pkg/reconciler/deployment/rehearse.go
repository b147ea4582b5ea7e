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

	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// rehearsal is what a dry run would give away of a replica.
type rehearsal struct{ queue, from string }

// rehearse keeps the moves of a plan back if this is a dry run, the last thing
// that does so: all before it is as it would be, and nothing after it has
// anything to write.
func (r *Reconciler) rehearse(w *work, view observe.View, plan balance.Plan) balance.Plan {
	if !r.settings().DryRun {
		return plan
	}
	moves := map[string]int{}
	plan = plan.KeepBack(func(m balance.Move) balance.Reason {
		moves[m.Group]++
		return balance.DryRun
	})
	for _, g := range view.Groups {
		if n := moves[g.String()]; n > 0 {
			w.would = append(w.would, fmt.Sprintf("Queue %s: dry run: would move %d of %d leases, now %s", g, n, len(g.Leases), spread(g)))
		}
	}
	return plan
}

// sayRehearsed tells what would have been done, once as long as it holds.
func (r *Reconciler) sayRehearsed(ctx context.Context, w *work) {
	slices.Sort(w.would)
	holds := make(map[string]bool, len(w.would))
	for _, text := range w.would {
		if !w.rehearsed[text] && !holds[text] {
			logging.FromContext(ctx).Infow("Dry run", "deployment", w.key.Name, "would", text)
			r.event(ctx, w, reasonDryRun, "%s", text)
		}
		holds[text] = true
	}
	w.would, w.rehearsed = nil, holds
}
