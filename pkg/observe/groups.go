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
	"maps"
	"slices"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// groups are the living groups of the replicas: those in which one of them, or
// of the former ones, leads, or of which we have a lease in transit. A group whose
// leases have all expired is a leftover of another bucket count. webhook: there
// are none but those of webhooks.
func (t *Tracker) groups(replicas []Replica, former map[string]*corev1.Pod, transit map[string]Transit, p Policy, now time.Time) (groups []Group, webhook bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	hosts := hosts(replicas)
	pods := maps.Clone(former)
	for hostname, r := range hosts {
		pods[hostname] = r.Pod
	}
	mine := map[bucket.Group]bool{}
	for _, tr := range transit {
		mine[tr.Group] = true
	}
	for _, s := range t.leases {
		if pods[bucket.HostnameOf(s.leader)] == nil || !s.alive(s.lease, now) && !s.alive(s.lost, now) {
			continue
		}
		if s.group.Webhook() {
			webhook = true
		} else {
			mine[s.group] = true
		}
	}
	groups = make([]Group, 0, len(mine))
	for group := range mine {
		g := Group{Group: group}
		for _, name := range group.Names() {
			l := t.lease(name, hosts, transit, p, now)
			if s := t.leases[name]; s != nil && l.Transit == nil {
				l.vacate(t.vacancy(s, pods, p.RetryPeriod, now))
			}
			g.Leases = append(g.Leases, l)
		}
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b Group) int { return strings.Compare(a.String(), b.String()) })
	return groups, webhook && len(groups) == 0
}

// lease is what we know of one lease of a group.
func (t *Tracker) lease(name string, hosts map[string]Replica, transit map[string]Transit, p Policy, now time.Time) Lease {
	l := Lease{Name: name}
	s := t.leases[name]
	if s != nil && s.lease != nil {
		l.Object, l.Seen, l.Identity = s.lease, s.changed, holder(s.lease)
	}
	if tr, ok := transit[name]; ok {
		l.Transit = &tr
		return l
	}
	if s != nil && s.lost != nil {
		l.Lost = t.keeper(s.lost, hosts, now.Sub(s.kept), p.GiveUp)
	}
	by, known := hosts[bucket.HostnameOf(l.Identity)]
	switch {
	case l.Object == nil:
		l.Trouble = balance.LeasesMissing
	case !s.alive(s.lease, now):
		l.Trouble = balance.LeaseUnowned
	case bucket.IsOwn(l.Identity):
		l.Trouble = balance.HandoverInFlight
	case !known:
		l.Trouble = balance.HolderUnknown
	case t.dead(by.Pod, l.Identity, p.RetryPeriod, now):
		l.Trouble = balance.LeaseUnowned
	default:
		l.Holder = by.Pod.Name
		if s.renewed == 0 {
			l.Pinned = balance.NotSeenRenewing
		}
	}
	return l
}

// vacate notes that nobody leads the bucket.
func (l *Lease) vacate(v *Vacancy) {
	l.Vacant = v
	if v != nil && v.Cause == Crashed {
		l.Holder, l.Pinned, l.Trouble = "", "", balance.LeaseUnowned
	}
}

// keeper returns the record of a lease that somebody deleted or emptied, if its
// holder surely leads on: its pod runs, and it was last seen to renew it, the time
// given ago, within its lease duration and before it must have given up.
func (t *Tracker) keeper(lost *coordinationv1.Lease, hosts map[string]Replica, since, giveUp time.Duration) *coordinationv1.Lease {
	by, known := hosts[bucket.HostnameOf(holder(lost))]
	if !known || by.Pod.DeletionTimestamp != nil || over(by.Pod) || t.ended(by.Pod, t.identities[holder(lost)]) || since >= min(giveUp, duration(lost)) {
		return nil
	}
	return lost
}

// alive tells whether a record of the lease has a holder and has not expired,
// as this process saw it: it changed within its own duration.
func (s *track) alive(lease *coordinationv1.Lease, now time.Time) bool {
	return lease != nil && holder(lease) != "" && lease.Spec.RenewTime != nil &&
		now.Sub(s.changed) <= duration(lease)
}

// hosts are the replicas by hostname.
func hosts(replicas []Replica) map[string]Replica {
	m := make(map[string]Replica, len(replicas))
	for _, r := range replicas {
		if r.Hostname != "" {
			m[r.Hostname] = r
		}
	}
	return m
}
