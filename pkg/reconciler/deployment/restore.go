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
	"sync"

	"go.uber.org/zap"
	"k8s.io/utils/ptr"
	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// restore keeps leases that somebody deleted or emptied by hand with the
// holders that lead on: they would make themselves holder again at their next
// renewal, unless another replica comes first. It does so whatever blocks
// moves, as long as the Deployment is managed; not with strategy delete, since
// a second process of ours may be the one that deletes.
func (r *Reconciler) restore(ctx context.Context, w *work, view observe.View) {
	if r.settings().Strategy == config.Delete {
		return
	}
	var calls sync.WaitGroup
	for _, l := range byName(view) {
		if l.Lost == nil || l.Transit != nil || l.OptedOut {
			continue
		}
		if r.settings().DryRun {
			w.would = append(w.would, fmt.Sprintf("Queue %s: dry run: would restore a lease that somebody deleted or emptied, for its holder, which leads on", l.group))
		} else {
			calls.Go(func() { r.restoreOne(ctx, w, l) })
		}
	}
	calls.Wait()
}

func (r *Reconciler) restoreOne(ctx context.Context, w *work, l found) {
	logger := logging.FromContext(ctx).With("deployment", w.key.Name, "lease", l.Name, "holder", ptr.Deref(l.Lost.Spec.HolderIdentity, ""))
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err := handover.Restore(ctx, r.leases, l.Lost, l.Object); err != nil {
		logger.Infow("Lease cannot be restored", zap.Error(err))
		return
	}
	logger.Infow("Lease restored: somebody deleted or emptied it, its holder leads on")
}
