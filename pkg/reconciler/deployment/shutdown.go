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
	"sync"

	"go.uber.org/zap"
	"k8s.io/apimachinery/pkg/types"
	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// stop ends what is in flight when this process stops or is no longer the
// leader: leases whose old holder may still lead are given back to it, the
// others are released. What cannot be ended expires by itself. All calls are made
// side by side: with an API server that hangs, one after the other would take
// longer than the pod's grace period.
func (r *Reconciler) stop(ctx context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.retired = true
	logger := logging.FromContext(ctx)
	var calls sync.WaitGroup
	for key, w := range r.work {
		view, err := r.observe(ctx, w, "", r.clock.Now())
		if err != nil {
			logger.Warnw("Handovers in flight are left to expire", "deployment", key.Name, zap.Error(err))
		}
		leases := byName(view)
		for _, h := range w.inFlight() {
			calls.Go(func() { r.finish(ctx, w, h.Handover, view, leases[h.Lease]) })
		}
		r.metrics.forget(key)
	}
	calls.Wait()
	r.work = map[types.NamespacedName]*work{}
	r.status.reset()
}

// lead notes that our leadership begins.
func (r *Reconciler) lead() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.retired = false
}

// finish cancels one handover: it reads the lease first where an answer is
// missing, and then makes one call.
func (r *Reconciler) finish(ctx context.Context, w *work, h *handover.Handover, view observe.View, l found) {
	for range 2 {
		now := r.clock.Now()
		facts := r.facts(w, h, view, l, h.From.Replica, now)
		facts.Cancel = true
		d := h.Next(now, facts)
		if d.Action == handover.Wait || !r.do(ctx, h, d) || d.Action != handover.Read {
			return
		}
	}
}
