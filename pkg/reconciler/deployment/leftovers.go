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
	"maps"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"
	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// leftoverAfter is for how long nobody must have touched the leases of another
// bucket count before they are leftovers. It is far longer than the longest lease
// that makes sense, than a rollout or a rollback that may bring processes with
// that bucket count back, and than an outage of the API server: an elector that
// contends for such a lease takes it within seconds. After a start of ours it
// counts from when we first saw them.
const leftoverAfter = 10 * time.Minute

// leftovers are the leases of other bucket counts that nobody uses any more.
func (r *Reconciler) leftovers(ctx context.Context, w *work, view observe.View, now time.Time) []observe.Leftover {
	all, err := r.observer.Leftovers(view, w.key.Namespace, leftoverAfter, now)
	if err != nil {
		logging.FromContext(ctx).Warnw("Leftover leases cannot be found", "deployment", w.key.Name, zap.Error(err))
	}
	return slices.DeleteFunc(all, func(l observe.Leftover) bool {
		out, _ := observe.OptsOut("Lease", l.Lease)
		return out
	})
}

// cleanUp deletes leftovers, side by side, if we may. Whatever fails is tried
// again next time. It returns those that stay.
func (r *Reconciler) cleanUp(ctx context.Context, w *work, view observe.View, blocked balance.Reason, now time.Time) []observe.Leftover {
	all := r.leftovers(ctx, w, view, now)
	if blocked != "" || !r.settings().CleanUpLeftovers {
		return all
	}
	if r.settings().DryRun {
		for group, n := range countGroups(all) {
			w.would = append(w.would, fmt.Sprintf("Queue %s: dry run: would delete %d leases of a bucket count that is no longer used", group, n))
		}
		return all
	}
	var calls sync.WaitGroup
	removed := make([]bool, len(all))
	for i, l := range all {
		calls.Go(func() { removed[i] = r.remove(ctx, l) })
	}
	calls.Wait()
	var deleted, stay []observe.Leftover
	for i, l := range all {
		if removed[i] {
			deleted = append(deleted, l)
		} else {
			stay = append(stay, l)
		}
	}
	counts := countGroups(deleted)
	for _, group := range slices.Sorted(maps.Keys(counts)) {
		r.event(ctx, w, reasonCleanedUp, "Queue %s: %d leases of a bucket count that is no longer used were deleted", group, counts[group])
	}
	return stay
}

func countGroups(all []observe.Leftover) map[string]int {
	n := map[string]int{}
	for _, l := range all {
		n[l.Group.String()]++
	}
	return n
}

// remove deletes one leftover and logs it; false if it failed.
func (r *Reconciler) remove(ctx context.Context, l observe.Leftover) bool {
	logger := logging.FromContext(ctx).With("lease", l.Lease.Name)
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err := handover.Remove(ctx, r.leases, l.Group, l.Lease); err != nil {
		logger.Infow("Leftover lease cannot be deleted", zap.Error(err))
		return false
	}
	logger.Infow("Leftover lease deleted")
	return true
}
