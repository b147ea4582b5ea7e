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
	"slices"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// Cause is why nobody leads a bucket.
type Cause string

const (
	// Crashed says that the process of the holder has ended, by its own node's
	// report, and left its record in the lease.
	Crashed Cause = "crashed"
	// Released says that the holder emptied the lease, because it was asked to
	// stop.
	Released Cause = "released"
	// Deleted says that somebody deleted the lease, and its holder's process has
	// ended.
	Deleted Cause = "deleted"
	// Vanished says that the holder's pod is gone without a report that its
	// process has ended. That alone proves nothing: it may lead on until it must
	// have given up by itself.
	Vanished Cause = "vanished"
)

// Causes are all of them.
var Causes = []Cause{Crashed, Released, Deleted, Vanished}

// Vacancy is a bucket that nobody leads, or soon will not, while others cannot
// know that: they wait for the lease to expire, or for their next try.
type Vacancy struct {
	// Cause is why.
	Cause Cause
	// Pod is the one that led last, as it was shown last. It may be gone.
	Pod *corev1.Pod
	// Identity is the one that led last.
	Identity string
	// Record is the lease as it is, or as it was when it was deleted.
	Record *coordinationv1.Lease
	// Since is when this process saw it change, or be deleted, last.
	Since time.Time
}

// vacancy tells why nobody leads the bucket of a lease, nil if somebody may.
// pods are those of the Deployment, by hostname, with those that are gone.
func (t *Tracker) vacancy(s *track, pods map[string]*corev1.Pod, retryPeriod time.Duration, now time.Time) *Vacancy {
	pod := pods[bucket.HostnameOf(s.leader)]
	if pod == nil || !unique(pod) {
		return nil
	}
	v := &Vacancy{Pod: pod, Identity: s.leader, Record: s.lease, Since: s.changed}
	dead := t.dead(pod, s.leader, retryPeriod, now)
	switch {
	case s.lease == nil:
		if !dead || s.gone == nil || now.Sub(s.changed) > duration(s.gone) {
			return nil
		}
		v.Cause, v.Record = Deleted, s.gone
	case s.released && (dead || pod.DeletionTimestamp != nil):
		v.Cause = Released
	case holder(s.lease) != s.leader || !s.alive(s.lease, now):
		return nil
	case dead:
		v.Cause = Crashed
	case t.past[bucket.HostnameOf(s.leader)] != nil:
		v.Cause = Vanished
	default:
		return nil
	}
	return v
}

// Leaving tells whether a replica's process with the identity will come for
// nothing any more: it has ended, or is asked to.
func (o *Observer) Leaving(v View, replica, identity string) bool {
	r := v.Replica(replica)
	if r == nil || r.Pod.DeletionTimestamp != nil {
		return true
	}
	o.Tracker.mu.Lock()
	defer o.Tracker.mu.Unlock()
	return o.Tracker.ended(r.Pod, o.Tracker.identities[identity])
}

// Replaced tells whether another pod comes in the place of one that was asked to
// stop: their ReplicaSet has made it since then. In a rollout it is another
// ReplicaSet that makes the new ones.
func (v View) Replaced(pod *corev1.Pod) bool {
	owner := metav1.GetControllerOfNoCopy(pod)
	if pod.DeletionTimestamp == nil || owner == nil {
		return false
	}
	// The API server's clock says both, in whole seconds. The node deletes the pod once
	// more when its processes have ended, with no grace and a stamp of that moment: then
	// it was asked to stop a grace period before that, at the earliest.
	grace := ptr.Deref(pod.DeletionGracePeriodSeconds, 0)
	if grace == 0 {
		grace = ptr.Deref(pod.Spec.TerminationGracePeriodSeconds, 0)
	}
	asked := pod.DeletionTimestamp.Add(-time.Duration(grace) * time.Second)
	return slices.ContainsFunc(v.Replicas, func(r Replica) bool {
		return r.Pod.UID != pod.UID && r.Pod.DeletionTimestamp == nil &&
			metav1.IsControlledBy(r.Pod, &metav1.ObjectMeta{UID: owner.UID}) && !r.Pod.CreationTimestamp.Time.Before(asked)
	})
}

// unique tells whether no other pod ever has the hostname of this one, so that
// what is said of the pod is said of the process with that hostname.
func unique(pod *corev1.Pod) bool {
	return !pod.Spec.HostNetwork && pod.Spec.Hostname == "" && pod.Spec.HostnameOverride == nil
}

// former are the pods of a Deployment that have no process any more, as they
// were shown last, by hostname: those that are over, and those that are gone.
func (t *Tracker) former(pods []*corev1.Pod, mine func(*corev1.Pod) bool) map[string]*corev1.Pod {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := map[string]*corev1.Pod{}
	for hostname, pod := range t.past {
		if mine(pod) {
			m[hostname] = pod
		}
	}
	for _, pod := range pods {
		if hostname, ok := bucket.Hostname(pod); ok && over(pod) {
			m[hostname] = pod
		}
	}
	return m
}
