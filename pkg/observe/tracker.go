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

// keptDurations is for how many lease durations the renewals of a process are
// remembered: for longer than any wait of a handover, which is twice the renew
// deadline, a retry period and a margin of up to nine eighths of the renew deadline.
// client-go demands that the renew deadline is shorter than the lease duration.
const keptDurations = 4

// Tracker remembers when this process saw what. It is fed by the handlers of
// the informers and safe for concurrent use. Each time that it is given is by
// the clock of this process.
type Tracker struct {
	mu         sync.Mutex
	leases     map[string]*track
	identities map[string]*known
	pods       map[types.UID]*presence
	// past are pods that are gone, as they were shown last, by hostname: as long
	// as a lease was led by one of them last.
	past        map[string]*corev1.Pod
	deployments map[types.UID]*membership
	// reports are when each end of a process that a pod's status shows was
	// reported first.
	reports map[types.UID]map[end]time.Time
	// heard is when the watch of the leases showed anything last.
	heard time.Time
}

// NewTracker returns a tracker that has seen nothing.
func NewTracker() *Tracker {
	return &Tracker{
		leases:      map[string]*track{},
		identities:  map[string]*known{},
		pods:        map[types.UID]*presence{},
		past:        map[string]*corev1.Pod{},
		deployments: map[types.UID]*membership{},
		reports:     map[types.UID]map[end]time.Time{},
	}
}

// track is what we saw of one lease.
type track struct {
	group bucket.Group
	lease *coordinationv1.Lease // nil once it is deleted
	// changed is when its record was last seen to change.
	changed time.Time
	// renewed counts the renewals of the present holder. intervals are those
	// before the last MinRenewals of them, as we saw them, but not before the first
	// one: when we wrote its name into the lease, it came at any time.
	renewed   int
	intervals []time.Duration
	// stamp is the last renewTime that the present holder surely wrote itself.
	stamp time.Time
	// leader is the last elector in it.
	leader string
	// lost is the last record of a holder that somebody else than an elector
	// deleted or emptied while it was renewed. Its holder still leads.
	lost *coordinationv1.Lease
	// kept is when that record was last seen to be renewed.
	kept time.Time
	// released: its leader itself emptied it. It leads no more.
	released bool
	// gone is the lease as it was deleted, if it was.
	gone *coordinationv1.Lease
}

// known is an elector's identity.
type known struct {
	bucket.Identity
	group bucket.Group
	// first is when it was seen first, and seen when it was last seen to write.
	first, seen time.Time
	// began and stamp are the first and the last renewTime that it surely
	// wrote itself. Zero for none.
	began, stamp time.Time
	// wrote is when it surely wrote something itself, as far as that may still
	// count.
	wrote []Sign
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
	t.heard = now
	s, watched := t.leases[lease.Name], true
	if s == nil {
		s, watched = &track{group: group}, false
		t.leases[lease.Name] = s
	}
	before := s.lease
	s.lease, s.gone = lease, nil
	if before != nil && before.UID == lease.UID && sameRecord(before, lease) {
		return false
	}
	released := holder(lease) == "" && isRelease(before, lease)
	s.released = released && before != nil && holder(before) == s.leader
	switch {
	case holder(lease) != "" || released:
		s.lost = nil
	case s.led(before, now):
		s.lost, s.kept = before, s.changed
	}
	same := before != nil && before.UID == lease.UID && holder(before) == holder(lease)
	if same {
		t.renewedBy(s, lease, now)
	} else {
		s.intervals, s.renewed, s.stamp = nil, 0, ownStamp(lease)
	}
	s.changed = now
	if by := holder(lease); by != "" && !bucket.IsOwn(by) {
		s.leader = by
		t.learn(by, group, t.firstStamp(s, by, watched), same, now)
		if k := t.identities[by]; k != nil {
			k.forget(now.Add(-keptDurations * duration(lease)))
		}
	}
	return !same || duration(before) != duration(lease)
}

// releasedDuration is what an elector that stops cleanly writes beside an empty
// holder (client-go).
const releasedDuration = time.Second

// isRelease tells whether the lease was emptied by its elector, which stamps
// what it writes. Whoever empties a lease by hand does not. The stamp may be an
// earlier one than before: clocks are set back.
func isRelease(before, lease *coordinationv1.Lease) bool {
	return duration(lease) == releasedDuration && !renewTime(lease).IsZero() &&
		(before == nil || !renewTime(lease).Equal(renewTime(before)))
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
	s.intervals = append(s.intervals, now.Sub(s.changed))
	s.intervals = s.intervals[max(0, len(s.intervals)-MinRenewals):]
}

// firstStamp is the stamp of a lease's record that its holder wrote itself. Nobody
// else can have written the name of one that was never seen before, in a lease that
// was: we give leases only to those that we know.
func (t *Tracker) firstStamp(s *track, by string, watched bool) time.Time {
	if watched && t.identities[by] == nil {
		return renewTime(s.lease)
	}
	return s.stamp
}

// learn remembers an elector's identity. It was seen to write if it renewed a
// lease; what it is new in may have been written by us.
func (t *Tracker) learn(identity string, group bucket.Group, stamp time.Time, renewed bool, now time.Time) {
	k := t.identities[identity]
	if k == nil {
		id, err := bucket.ParseIdentity(identity)
		if err != nil {
			return
		}
		k = &known{Identity: id, group: group, first: now, seen: now}
		t.identities[identity] = k
	}
	if renewed {
		k.seen = now
	}
	if stamp.After(k.stamp) {
		k.stamp = stamp
	}
	if stamp.IsZero() {
		return
	}
	k.wrote = append(k.wrote, Sign{Stamp: stamp, Seen: now})
	if k.began.IsZero() || stamp.Before(k.began) {
		k.began = stamp
	}
}

// ownStamp is the renewal stamp of a record that its holder surely wrote
// itself, although it was not seen doing so: in what we write in its name, both
// stamps are the same. Zero otherwise.
func ownStamp(lease *coordinationv1.Lease) time.Time {
	acquired := lease.Spec.AcquireTime
	if holder(lease) == "" || acquired == nil || acquired.Time.Equal(renewTime(lease)) {
		return time.Time{}
	}
	return renewTime(lease)
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
		s.lost, s.kept = s.lease, s.changed
	}
	if s.lease != nil {
		s.gone, s.changed = s.lease, now
	}
	s.lease, s.released = nil, false
	s.intervals, s.renewed, s.stamp = nil, 0, time.Time{}
	return true
}

// SawPod notes since when a pod is Ready, and what happened to it.
func (t *Tracker) SawPod(pod *corev1.Pod, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.pods[pod.UID]
	if p == nil {
		p = &presence{restarts: restarts(pod)}
		t.pods[pod.UID] = p
	}
	p.saw(isReady(pod), restarts(pod), now)
	t.reported(pod, now)
	if hostname, ok := bucket.Hostname(pod); ok {
		delete(t.past, hostname)
	}
}

// PodGone forgets a pod, but for what its last state says of the processes that
// led leases last.
func (t *Tracker) PodGone(pod *corev1.Pod, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.pods, pod.UID)
	hostname, ok := bucket.Hostname(pod)
	if !ok {
		return
	}
	t.reported(pod, now)
	if unique(pod) {
		t.past[hostname] = pod
	}
	t.prune(hostname)
}

// prune drops the pods that are gone, and their identities, which led no lease
// last. One of them is gone just now.
func (t *Tracker) prune(gone string) {
	leaders, hostnames := map[string]bool{}, map[string]bool{}
	for _, s := range t.leases {
		leaders[s.leader], hostnames[bucket.HostnameOf(s.leader)] = true, true
	}
	for identity, k := range t.identities {
		past := t.past[k.Hostname] != nil
		if (past && !leaders[identity]) || (!past && k.Hostname == gone) {
			delete(t.identities, identity)
		}
	}
	for hostname := range t.past {
		if !hostnames[hostname] {
			delete(t.past, hostname)
		}
	}
	past := map[types.UID]bool{}
	for _, pod := range t.past {
		past[pod.UID] = true
	}
	for uid := range t.reports {
		if t.pods[uid] == nil && !past[uid] {
			delete(t.reports, uid)
		}
	}
}

// ForgetDeployment drops what was remembered of a Deployment.
func (t *Tracker) ForgetDeployment(uid types.UID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.deployments, uid)
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
