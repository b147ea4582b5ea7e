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
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// MinRenewals is how many renewals of a process this process must have seen
// before one of its leases is moved: fewer do not show how late it is.
const MinRenewals = 5

// Process is what the leases of one process, known by its hostname, show of it.
type Process struct {
	// Renewals is how many renewals of one of its leases we saw in a row.
	Renewals int
	// Lateness is how late the last MinRenewals renewals of each of its leases
	// were at the most.
	Lateness time.Duration
	// Longest is the longest interval between renewals among them.
	Longest time.Duration
	// Leases is how many leases it holds.
	Leases int
	// Silence is how long none of them was seen to change.
	Silence time.Duration
}

// Process sums up the leases that the process with this hostname holds now. A
// renewal that is overdue counts as late. retryPeriod is the pause that its
// electors make between two renewals.
func (t *Tracker) Process(hostname string, retryPeriod time.Duration, now time.Time) Process {
	var p Process
	t.each(hostname, now, func(s *track) {
		silence := now.Sub(s.changed)
		if p.Leases == 0 || silence < p.Silence {
			p.Silence = silence
		}
		p.Leases++
		p.Renewals = max(p.Renewals, s.renewed)
		if s.renewed > 0 {
			p.Lateness = max(p.Lateness, now.Sub(s.changed)-retryPeriod)
		}
		for _, interval := range s.intervals {
			p.Lateness = max(p.Lateness, interval-retryPeriod)
			p.Longest = max(p.Longest, interval)
		}
	})
	return p
}

// each calls f with what we saw of each lease that the process holds. Leases that
// have expired are those of an earlier process on the same host, or of one that
// renews nothing any more.
func (t *Tracker) each(hostname string, now time.Time, f func(*track)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.leases {
		if s.alive(s.lease, now) && bucket.HostnameOf(holder(s.lease)) == hostname {
			f(s)
		}
	}
}

// Identity is the holder identity that the present process of a pod has in the
// group, "" while it is not known: a process publishes it with the first lease
// that it acquires there.
func (t *Tracker) Identity(pod *corev1.Pod, group bucket.Group) string {
	hostname, ok := bucket.Hostname(pod)
	if !ok {
		return ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.past[hostname] != nil {
		return "" // only what its processes left is remembered
	}
	var best string
	for identity, k := range t.identities {
		if k.Hostname != hostname || k.group != group || over(pod) || t.ended(pod, k) {
			continue
		}
		if b := t.identities[best]; b == nil || k.later(b) || (!b.later(k) && identity > best) {
			best = identity
		}
	}
	return best
}

// later tells whether k is the younger of two identities.
func (k *known) later(o *known) bool {
	if !k.stamp.Equal(o.stamp) {
		return k.stamp.After(o.stamp)
	}
	return k.first.After(o.first)
}

func isReady(pod *corev1.Pod) bool {
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}
