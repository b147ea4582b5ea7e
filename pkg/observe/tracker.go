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
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"knative.dev/pkg/leaderelection"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// keptRenewals is how many renewals of a lease are remembered: enough for the
// longest wait of a handover (renew deadline twice, at a retry period of a
// quarter of it).
const keptRenewals = 24

// Tracker remembers when this process saw what. It is fed by the handlers of
// the informers and safe for concurrent use. Each time that it is given is by
// the clock of this process.
type Tracker struct {
	mu         sync.Mutex
	leases     map[string]*track
	identities map[string]*known
	ready      map[types.UID]time.Time
	rollouts   map[types.UID]time.Time
}

// NewTracker returns a tracker that has seen nothing.
func NewTracker() *Tracker {
	return &Tracker{
		leases:     map[string]*track{},
		identities: map[string]*known{},
		ready:      map[types.UID]time.Time{},
		rollouts:   map[types.UID]time.Time{},
	}
}

// renewal is one renewal of a lease that we saw.
type renewal struct {
	seen     time.Time
	interval time.Duration // since the sight before
}

// track is what we saw of one lease.
type track struct {
	group bucket.Group
	lease *coordinationv1.Lease // nil once it is deleted
	// changed is when its record was last seen to change.
	changed time.Time
	// renewals are those of the present holder, without the first one: when
	// we wrote its name into the lease, it came at any time.
	renewals []renewal
	renewed  int
	// stamp is the last renewTime that the present holder surely wrote itself.
	stamp time.Time
	// leader is the last elector in it.
	leader string
	// lost is the last record of a holder that somebody else than an elector
	// deleted or emptied while it was renewed. Its holder still leads.
	lost *coordinationv1.Lease
}

// known is an elector's identity.
type known struct {
	bucket.Identity
	prefix string
	first  time.Time // seen first
	stamp  time.Time // last renewTime that it surely wrote itself
}

// SawLease notes that the watch shows the lease. It tells whether its holder,
// duration or existence changed, which is when somebody should look. Leases
// that are no buckets are ignored.
func (t *Tracker) SawLease(lease *coordinationv1.Lease, now time.Time) bool {
	group, _, err := bucket.Parse(lease.Name)
	if err != nil || group.Buckets > leaderelection.MaxBuckets {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.leases[lease.Name]
	if s == nil {
		s = &track{group: group}
		t.leases[lease.Name] = s
	}
	before := s.lease
	s.lease = lease
	if before != nil && before.UID == lease.UID && sameRecord(before, lease) {
		return false
	}
	switch {
	case holder(lease) != "" || isRelease(before, lease):
		s.lost = nil
	case s.led(before, now):
		s.lost = before
	}
	same := before != nil && before.UID == lease.UID && holder(before) == holder(lease)
	if same {
		t.renewedBy(s, lease, now)
	} else {
		s.renewals, s.renewed, s.stamp = nil, 0, time.Time{}
	}
	s.changed = now
	if by := holder(lease); by != "" && !bucket.IsOwn(by) {
		s.leader = by
		t.learn(by, group.Prefix, s.stamp, now)
	}
	return !same || duration(before) != duration(lease)
}

// releasedDuration is what an elector that stops cleanly writes beside an empty
// holder (client-go).
const releasedDuration = time.Second

// isRelease tells whether the lease was emptied by its elector, which stamps
// what it writes. Whoever empties a lease by hand does not.
func isRelease(before, lease *coordinationv1.Lease) bool {
	return duration(lease) == releasedDuration && (before == nil || renewTime(lease).After(renewTime(before)))
}

// led tells whether an elector led by the record that the lease had until now.
func (s *track) led(before *coordinationv1.Lease, now time.Time) bool {
	return before != nil && s.renewed > 0 && s.alive(before, now) && !bucket.IsOwn(holder(before))
}

// renewedBy notes a renewal by the holder that the lease had before.
func (t *Tracker) renewedBy(s *track, lease *coordinationv1.Lease, now time.Time) {
	s.renewed++
	s.stamp = renewTime(lease)
	if s.renewed == 1 {
		return
	}
	s.renewals = append(s.renewals, renewal{seen: now, interval: now.Sub(s.changed)})
	if len(s.renewals) > keptRenewals {
		s.renewals = s.renewals[1:]
	}
}

// learn remembers an elector's identity.
func (t *Tracker) learn(identity, prefix string, stamp, now time.Time) {
	k := t.identities[identity]
	if k == nil {
		id, err := bucket.ParseIdentity(identity)
		if err != nil {
			return
		}
		k = &known{Identity: id, prefix: prefix, first: now}
		t.identities[identity] = k
	}
	if stamp.After(k.stamp) {
		k.stamp = stamp
	}
}

// LeaseGone notes that the lease was deleted.
func (t *Tracker) LeaseGone(name string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.leases[name]
	if s == nil {
		return false
	}
	if s.led(s.lease, now) {
		s.lost = s.lease
	}
	s.lease, s.changed = nil, now
	s.renewals, s.renewed, s.stamp = nil, 0, time.Time{}
	return true
}

// SawPod notes since when a pod is Ready.
func (t *Tracker) SawPod(pod *corev1.Pod, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !isReady(pod) {
		delete(t.ready, pod.UID)
	} else if _, ok := t.ready[pod.UID]; !ok {
		t.ready[pod.UID] = now
	}
}

// PodGone forgets a pod and the identities of its processes that hold nothing.
func (t *Tracker) PodGone(pod *corev1.Pod) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.ready, pod.UID)
	hostname, ok := bucket.Hostname(pod)
	if !ok {
		return
	}
	for identity, k := range t.identities {
		if k.Hostname == hostname {
			delete(t.identities, identity)
		}
	}
}

// rolling returns since when the rollout of a Deployment goes on, and forgets
// it when it does not.
func (t *Tracker) rolling(uid types.UID, on bool, now time.Time) time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !on {
		delete(t.rollouts, uid)
		return now
	}
	if _, ok := t.rollouts[uid]; !ok {
		t.rollouts[uid] = now
	}
	return t.rollouts[uid]
}

// ForgetDeployment drops what was remembered of a Deployment.
func (t *Tracker) ForgetDeployment(uid types.UID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.rollouts, uid)
}

func holder(lease *coordinationv1.Lease) string {
	return ptr.Deref(lease.Spec.HolderIdentity, "")
}

func duration(lease *coordinationv1.Lease) time.Duration {
	return time.Duration(ptr.Deref(lease.Spec.LeaseDurationSeconds, 0)) * time.Second
}

func renewTime(lease *coordinationv1.Lease) time.Time {
	if lease.Spec.RenewTime == nil {
		return time.Time{}
	}
	return lease.Spec.RenewTime.Time
}

// sameRecord tells whether nothing that an elector looks at has changed.
func sameRecord(a, b *coordinationv1.Lease) bool {
	return holder(a) == holder(b) && duration(a) == duration(b) && renewTime(a).Equal(renewTime(b))
}
