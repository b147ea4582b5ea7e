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
	"strings"

	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/observe"
)

// saySettings tells when what decides most has changed in our configuration.
func (r *Reconciler) saySettings(ctx context.Context, w *work) {
	was, is := w.settings, r.settings()
	w.settings = is
	if was == nil {
		return
	}
	if was.Strategy != is.Strategy {
		r.event(ctx, w, reasonConfigChanged, "strategy was %s and is now %s", was.Strategy, is.Strategy)
	}
	if before, now := strings.Join(was.Deployments, ", "), strings.Join(is.Deployments, ", "); before != now {
		r.event(ctx, w, reasonConfigChanged, "deployments was %q and is now %q", before, now)
	}
}

// faults are what is wrong with annotations by which a Deployment or its leases
// ask to be left alone.
func faults(w *work, view observe.View) []string {
	var texts []string
	if _, err := observe.OptsOut("Deployment", w.deployment); err != nil {
		texts = append(texts, err.Error())
	}
	for _, g := range view.Groups {
		for _, l := range g.Leases {
			if l.Fault != "" {
				texts = append(texts, l.Fault)
			}
		}
	}
	return texts
}

// sayFaults warns of each once, as long as it is there.
func (r *Reconciler) sayFaults(ctx context.Context, w *work, texts []string) {
	there := make(map[string]bool, len(texts))
	for _, text := range texts {
		there[text] = true
		if !w.faults[text] {
			logging.FromContext(ctx).Warnw("Annotation is not legal", "deployment", w.key.Name, "reason", text)
			r.warn(ctx, w, reasonConfigInvalid, "%s", text)
		}
	}
	w.faults = there
}
