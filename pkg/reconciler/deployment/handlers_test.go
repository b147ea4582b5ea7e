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
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/tektoncd/leases-controller/pkg/observe"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestHandlers: each event is noted; only what changes something brings the
// Deployments back.
func TestHandlers(t *testing.T) {
	lease := func(holder string, seconds float64) *leasestesting.LeaseBuilder {
		return leasestesting.MakeLease(taskrun.Name(0)).UID("uid").Holder(holder).Renewed(at(seconds)).Duration(60)
	}
	cases := map[string]struct {
		event func(handlers)
		want  int
	}{
		"a lease appears":              {event: func(h handlers) { h.lease(lease("pod-a_1", 0).Obj()) }, want: 1},
		"a lease is renewed":           {event: func(h handlers) { h.lease(lease("pod-a_1", 0).Obj()); h.lease(lease("pod-a_1", 10).Obj()) }, want: 1},
		"a lease changes hands":        {event: func(h handlers) { h.lease(lease("pod-a_1", 0).Obj()); h.lease(lease("pod-b_1", 10).Obj()) }, want: 2},
		"a lease lasts longer":         {event: func(h handlers) { h.lease(lease("pod-a_1", 0).Obj()); h.lease(lease("pod-a_1", 0).Duration(90).Obj()) }, want: 2},
		"a lease is deleted":           {event: func(h handlers) { h.lease(lease("pod-a_1", 0).Obj()); h.leaseGone(lease("pod-a_1", 0).Obj()) }, want: 2},
		"a lease that is no bucket":    {event: func(h handlers) { h.lease(leasestesting.MakeLease("lock").Obj()) }},
		"a lease that was never known": {event: func(h handlers) { h.leaseGone(lease("pod-a_1", 0).Obj()) }},
		"a pod appears":                {event: func(h handlers) { h.pod(leasestesting.MakePod("pod-a").Obj()) }, want: 1},
		"a pod is deleted":             {event: func(h handlers) { h.podGone(leasestesting.MakePod("pod-a").Obj()) }, want: 1},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			resyncs := 0
			tc.event(handlers{tracker: observe.NewTracker(), clock: &manual{now: start}, resync: func() { resyncs++ }})
			if resyncs != tc.want {
				t.Errorf("%d times brought back, want %d", resyncs, tc.want)
			}
		})
	}
}

// TestHandlersFeedTheTracker: the times of the events are ours.
func TestHandlersFeedTheTracker(t *testing.T) {
	clock := &manual{now: at(0)}
	h := handlers{tracker: observe.NewTracker(), clock: clock, resync: func() {}}
	pod := leasestesting.MakePod("pod-a").Obj()
	for _, seconds := range []float64{0, 1, 11, 23} {
		clock.now = at(seconds)
		h.lease(leasestesting.MakeLease(taskrun.Name(0)).Holder("pod-a_1").Renewed(at(seconds - 420)).Duration(60).Obj())
	}
	p := h.tracker.Process("pod-a", tekton.RetryPeriod, at(23))
	if p.Renewals != 3 || p.Lateness.Seconds() != 2 {
		t.Errorf("process %+v, want 3 renewals, late by 2s", p)
	}
	if got := h.tracker.Identity(pod, taskrun); got != "pod-a_1" {
		t.Errorf("identity %q, want pod-a_1", got)
	}
	h.podGone(pod)
	if got := h.tracker.Identity(pod, taskrun); got != "" {
		t.Errorf("identity of a pod that is gone %q", got)
	}
}

// TestOn: what an informer hands over is taken by its kind, tombstones too.
func TestOn(t *testing.T) {
	pod := leasestesting.MakePod("pod-a").Obj()
	lease := leasestesting.MakeLease("lock").Obj()
	cases := map[string]struct {
		event      func(cache.ResourceEventHandler)
		seen, gone int
	}{
		"added":     {event: func(h cache.ResourceEventHandler) { h.OnAdd(pod, true) }, seen: 1},
		"updated":   {event: func(h cache.ResourceEventHandler) { h.OnUpdate(pod, pod) }, seen: 1},
		"deleted":   {event: func(h cache.ResourceEventHandler) { h.OnDelete(pod) }, gone: 1},
		"tombstone": {event: func(h cache.ResourceEventHandler) { h.OnDelete(cache.DeletedFinalStateUnknown{Obj: pod}) }, gone: 1},
		"another kind": {event: func(h cache.ResourceEventHandler) {
			h.OnAdd(lease, false)
			h.OnUpdate(lease, lease)
			h.OnDelete(lease)
			h.OnDelete(cache.DeletedFinalStateUnknown{Obj: lease})
			h.OnDelete(cache.DeletedFinalStateUnknown{Key: "a/b"})
			h.OnAdd(nil, false)
		}},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			seen, gone := 0, 0
			tc.event(on[*corev1.Pod]{seen: func(*corev1.Pod) { seen++ }, gone: func(*corev1.Pod) { gone++ }})
			if seen != tc.seen || gone != tc.gone {
				t.Errorf("seen %d, gone %d; want %d, %d", seen, gone, tc.seen, tc.gone)
			}
		})
	}
}
