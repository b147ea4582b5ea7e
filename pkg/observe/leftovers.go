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

package observe

import (
	"fmt"
	"slices"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// Leftover is a lease of a queue with a bucket count that nobody uses any more.
type Leftover struct {
	Group bucket.Group
	Lease *coordinationv1.Lease
}

// Leftovers are the leases of the queues in a view that have another bucket
// count, by name. Nothing in their group has changed for the time given, as
// this process saw it: all have long expired, and every elector that contends
// for them would have tried, and succeeded, many times. None of them names a
// process that may still be there. Errors are those of the lister.
func (o *Observer) Leftovers(view View, namespace string, idle time.Duration, now time.Time) ([]Leftover, error) {
	pods, err := o.Pods.Pods(namespace).List(labels.Everything())
	if err != nil {
		return nil, fmt.Errorf("failed to list the pods of namespace %q: %w", namespace, err)
	}
	t := o.Tracker
	t.mu.Lock()
	defer t.mu.Unlock()
	living := map[string]*corev1.Pod{}
	for _, pod := range pods {
		if hostname, ok := bucket.Hostname(pod); ok && !exited(pod) {
			living[hostname] = pod
		}
	}
	var all []Leftover
	for _, s := range t.leases {
		if s.lease == nil || !view.replaced(s.group) || t.inUse(s.group, idle, now) {
			continue
		}
		by := holder(s.lease)
		if pod := living[bucket.HostnameOf(by)]; pod == nil || t.ended(pod, t.identities[by]) {
			all = append(all, Leftover{Group: s.group, Lease: s.lease})
		}
	}
	slices.SortFunc(all, func(a, b Leftover) int { return strings.Compare(a.Lease.Name, b.Lease.Name) })
	return all, nil
}

// replaced tells whether a queue's leases have another bucket count than in the
// group, and are led under it.
func (v View) replaced(group bucket.Group) bool {
	if v.Has(group) {
		return false
	}
	return slices.ContainsFunc(v.Groups, func(g Group) bool {
		return g.Prefix == group.Prefix && g.Blocked == "" && slices.ContainsFunc(g.Leases, func(l Lease) bool { return l.Holder != "" })
	})
}

// inUse tells whether a lease of a group has not expired, or has changed within
// the time given.
func (t *Tracker) inUse(group bucket.Group, idle time.Duration, now time.Time) bool {
	for _, s := range t.leases {
		if s.group == group && s.lease != nil && (s.alive(s.lease, now) || now.Sub(s.changed) < idle) {
			return true
		}
	}
	return false
}
