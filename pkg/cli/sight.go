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

package cli

import (
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
)

// tolerance is by how much clocks in the cluster may differ before a lease that
// is renewed counts as expired at the first look.
const tolerance = time.Minute

// ages turns the stamps of a namespace into times by our own clock.
type ages struct {
	now time.Time
	// newest is the newest renewal stamp in the namespace: something renews all
	// the time, so it is the time there, by one of the clocks there.
	newest time.Time
}

func newAges(leases []*coordinationv1.Lease, now time.Time) ages {
	a := ages{now: now}
	for _, l := range leases {
		if stamp := l.Spec.RenewTime; stamp != nil && stamp.After(a.newest) {
			a.newest = stamp.Time
		}
	}
	if a.newest.IsZero() {
		a.newest = now
	}
	return a
}

// of is how old a stamp is, 0 for one from the future.
func (a ages) of(stamp time.Time) time.Duration {
	return max(0, a.newest.Sub(stamp))
}

// local is a time by the clocks there by our own.
func (a ages) local(there time.Time) time.Time { return a.now.Add(there.Sub(a.newest)) }

// renewed is when a lease was renewed. One that would have expired just so
// counts as alive: clocks differ.
func (a ages) renewed(l *coordinationv1.Lease) time.Time {
	if l.Spec.RenewTime == nil {
		return a.now
	}
	age, valid := a.of(l.Spec.RenewTime.Time), time.Duration(ptr.Deref(l.Spec.LeaseDurationSeconds, 0))*time.Second
	if age > valid && age <= valid+tolerance {
		age = valid
	}
	return a.now.Add(-age)
}

// ready is since when a pod is Ready, by the report of its node.
func (a ages) ready(p *corev1.Pod) time.Time {
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodReady && !c.LastTransitionTime.IsZero() {
			return a.now.Add(-a.of(c.LastTransitionTime.Time))
		}
	}
	return a.now
}
