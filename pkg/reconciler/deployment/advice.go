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
	"strings"
	"time"

	"k8s.io/utils/ptr"
	"knative.dev/pkg/leaderelection"
	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// advise says what only the administrator can mend: once when it begins to
// hold, and again only after it did not hold for a while. While that is not
// certain, nothing is said and nothing withdrawn.
func (r *Reconciler) advise(ctx context.Context, w *work, view observe.View, blocked balance.Reason, left []observe.Leftover) {
	texts, certain := r.advice(w, view, blocked, left)
	if !certain {
		return
	}
	logger := logging.FromContext(ctx).With("deployment", w.key.Name)
	holds := map[string]bool{}
	for _, text := range texts {
		holds[text] = true
		if !w.advised[text] {
			logger.Infow("Advice", "advice", text)
			r.event(ctx, w, reasonAdvice, "%s", text)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(w.advised)) {
		if !holds[text] {
			logger.Infow("Advice withdrawn", "advice", text)
		}
	}
	w.advised = holds
}

// advice lists what holds now. It is not certain while replicas come and go, or
// leases move.
func (r *Reconciler) advice(w *work, view observe.View, blocked balance.Reason, left []observe.Leftover) (texts []string, certain bool) {
	if denied := r.brake.denied(r.clock.Now()); denied != "" {
		return []string{"The leases controller may not do what it has to: " + denied +
			"; its Role must be that of config/200-leases-controller-role.yaml, and no policy may forbid it more"}, true
	}
	if blocked == balance.NotApplicable {
		return []string{blocked.Sentence() + " " + r.detail(w, blocked)}, true
	}
	if strangers := r.strangers(w, view); strangers != "" {
		return []string{strangers}, true
	}
	var eligible []string
	for _, r := range view.Replicas {
		if r.Standing != "" {
			return nil, false
		}
		eligible = append(eligible, r.Pod.Name)
	}
	for _, g := range view.Groups {
		if g.Blocked != "" || g.InTransit() {
			return nil, false
		}
	}
	if restart := w.restartDue(view); restart != "" {
		texts = append(texts, restart)
	}
	if len(left) > 0 && !r.settings().CleanUpLeftovers {
		texts = append(texts, fmt.Sprintf("%d leases of a bucket count that is no longer used are left over, such as %s; they are deleted with: "+
			"kubectl -n %s patch configmap %s --type merge -p '{\"data\":{\"clean-up-leftovers\":\"true\"}}'",
			len(left), left[0].Lease.Name, w.key.Namespace, leaderelection.ConfigMapName()))
	}
	return append(texts, w.shares(view, eligible)...), true
}

// strangersAfter is how long replicas may lead nothing before that is odd: more
// than a lease needs to expire and to be acquired anew, at most 88 s at Tekton's
// defaults.
const strangersAfter = 2 * time.Minute

// strangers is the advice on replicas that are Ready but hold no lease by a
// hostname of theirs, so that none of their queues is known.
func (r *Reconciler) strangers(w *work, view observe.View) string {
	ready := 0
	for _, r := range view.Replicas {
		if r.Standing == "" || r.Standing == balance.HolderUnknown {
			ready++
		}
	}
	if len(view.Groups) > 0 || ready < 2 {
		w.strangeSince = time.Time{}
		return ""
	}
	now := r.clock.Now()
	if w.strangeSince.IsZero() {
		w.strangeSince = now
	}
	if now.Sub(w.strangeSince) < strangersAfter {
		return ""
	}
	return fmt.Sprintf("None of the %d replicas holds a lease in the name of its own hostname, so nothing can be balanced; "+
		"a holder is <hostname>_<uuid>, and the hostname must be that of one pod only (spec.hostname, hostNetwork and setHostnameAsFQDN change it): "+
		"kubectl -n %s get leases", ready, w.key.Namespace)
}

// shares is the advice on bucket counts that do not suit the replicas.
func (w *work) shares(view observe.View, replicas []string) (texts []string) {
	uneven := map[int]bool{}
	for _, g := range view.Groups {
		switch n := len(g.Leases); {
		case n < len(replicas):
			texts = append(texts, fmt.Sprintf("Queue %s: %d replicas share %d bucket(s), so %s idle in it; raise buckets in ConfigMap %s (1 to 10) and restart: %s",
				g.Prefix, len(replicas), n, idle(g, replicas), w.configMap(), w.restart()))
		case n%len(replicas) != 0:
			uneven[n] = true
		}
	}
	for _, n := range slices.Sorted(maps.Keys(uneven)) {
		best := int(leaderelection.MaxBuckets) / len(replicas) * len(replicas)
		texts = append(texts, fmt.Sprintf("%d buckets do not divide evenly by %d replicas, so in each queue some have %d leases and others %d; "+
			"with %d they would: set buckets in ConfigMap %s and restart: %s",
			n, len(replicas), n/len(replicas)+1, n/len(replicas), best, w.configMap(), w.restart()))
	}
	return texts
}

// restartDue is the advice on a configuration that the replicas have not read
// yet: they use another one, as far as their leases show, or it has changed, as
// we saw, since they were made.
func (w *work) restartDue(view observe.View) string {
	if w.ignoresBuckets(view) {
		return fmt.Sprintf("The replicas use one bucket per queue although ConfigMap %s has said %d since before they started: "+
			"their release does not honour buckets, so there is nothing to balance", w.configMap(), w.election.Buckets)
	}
	differs := w.differs(view)
	if differs == "" || !w.electionKnown {
		return ""
	}
	return fmt.Sprintf("The replicas have not read ConfigMap %s as it is now (%s), which they do when they start: %s", w.configMap(), differs, w.restart())
}

// ignoresBuckets tells whether all replicas have surely read how many buckets they
// are to use, and use one.
func (w *work) ignoresBuckets(view observe.View) bool {
	if !w.electionKnown || w.election.Buckets == 1 || len(view.Groups) == 0 {
		return false
	}
	return !slices.ContainsFunc(view.Groups, func(g observe.Group) bool { return g.Buckets != 1 }) &&
		!slices.ContainsFunc(view.Replicas, func(r observe.Replica) bool { return !w.hasRead(r.Pod) })
}

// differs says in what the replicas' configuration is another one than that of
// their ConfigMap, "" if nothing shows that it is.
func (w *work) differs(view observe.View) string {
	want := w.election.LeaseDuration.Truncate(time.Second)
	for _, g := range view.Groups {
		if g.Buckets != w.election.Buckets {
			return fmt.Sprintf("buckets is %d in it, and %d in use", w.election.Buckets, g.Buckets)
		}
		for _, l := range g.Leases {
			if l.Holder == "" || l.Pinned != "" {
				continue // nobody renews it, or not long enough to be sure that it wrote this
			}
			if got := time.Duration(ptr.Deref(l.Object.Spec.LeaseDurationSeconds, 0)) * time.Second; got != want {
				return fmt.Sprintf("lease-duration is %v in it, and %v in use", want, got)
			}
		}
	}
	for _, r := range view.Replicas {
		if r.Pod.CreationTimestamp.Time.Before(w.electionEdited) {
			return "it has changed since they started"
		}
	}
	return ""
}

// configMap names the ConfigMap of the electors.
func (w *work) configMap() string {
	if w.electionName == "" {
		return "that CONFIG_LEADERELECTION_NAME names"
	}
	return w.electionName
}

// restart is the command that restarts all replicas.
func (w *work) restart() string {
	return fmt.Sprintf("kubectl -n %s rollout restart deployment %s", w.key.Namespace, w.key.Name)
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
