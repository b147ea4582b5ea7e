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
	"strings"

	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// advise says what only the administrator can mend: once when it begins to
// hold, and again only after it did not hold for a while.
func (r *Reconciler) advise(ctx context.Context, w *work, view observe.View, blocked balance.Reason) {
	holds := map[string]bool{}
	for _, text := range advice(w, view, blocked) {
		holds[text] = true
		if !w.advised[text] {
			logging.FromContext(ctx).Infow("Advice", "deployment", w.key.Name, "advice", text)
			r.event(ctx, w, reasonAdvice, "%s", text)
		}
	}
	w.advised = holds
}

// advice lists what holds now. While replicas come and go nothing is certain.
func advice(w *work, view observe.View, blocked balance.Reason) []string {
	if blocked == balance.NotApplicable {
		_, why := config.Elects(&w.deployment.Spec.Template)
		return []string{fmt.Sprintf("%s Its replicas have no leases to balance: %s.", blocked.Sentence(), why)}
	}
	var all []string
	var eligible []string
	for _, r := range view.Replicas {
		if r.Standing != "" {
			return nil
		}
		eligible = append(eligible, r.Pod.Name)
	}
	for _, g := range view.Groups {
		if g.Blocked != "" || g.InTransit() {
			return nil
		}
	}
	for _, g := range view.Groups {
		n := len(g.Leases)
		if n >= len(eligible) {
			continue
		}
		mend := fmt.Sprintf("raise buckets in ConfigMap %s (1 to 10) and restart: kubectl -n %s rollout restart deployment %s",
			w.electionName, w.key.Namespace, w.key.Name)
		all = append(all, fmt.Sprintf("Queue %s: %d replicas share %d bucket(s), so %s idle in it; %s",
			g.Prefix, len(eligible), n, idle(g, eligible), mend))
	}
	return all
}

// idle names the replicas that lead nothing in a group.
func idle(g observe.Group, replicas []string) string {
	var names []string
	for _, name := range replicas {
		if g.Held(name) == 0 {
			names = append(names, name)
		}
	}
	if len(names) == 1 {
		return names[0] + " is"
	}
	return strings.Join(names, ", ") + " are"
}
