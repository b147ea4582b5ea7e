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
	"testing"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// TestSawLease: only a change of holder, duration or existence is worth a look.
func TestSawLease(t *testing.T) {
	name := taskrun.Name(0)
	cases := map[string]struct {
		change func(*coordinationv1.Lease)
		want   bool
	}{
		"the same again":  {change: func(*coordinationv1.Lease) {}},
		"a renewal":       {change: func(l *coordinationv1.Lease) { l.Spec.RenewTime = ptr.To(metav1.NewMicroTime(stampAt(10))) }},
		"a label":         {change: func(l *coordinationv1.Lease) { l.Labels = map[string]string{"a": "b"} }},
		"another holder":  {change: func(l *coordinationv1.Lease) { l.Spec.HolderIdentity = ptr.To("pod-b_1") }, want: true},
		"a hold of ours":  {change: func(l *coordinationv1.Lease) { l.Spec.HolderIdentity = ptr.To(ours) }, want: true},
		"no holder":       {change: func(l *coordinationv1.Lease) { l.Spec.HolderIdentity = nil }, want: true},
		"another uuid":    {change: func(l *coordinationv1.Lease) { l.Spec.HolderIdentity = ptr.To("pod-a_2") }, want: true},
		"longer":          {change: func(l *coordinationv1.Lease) { l.Spec.LeaseDurationSeconds = ptr.To[int32](90) }, want: true},
		"nothing left":    {change: func(l *coordinationv1.Lease) { l.Spec = coordinationv1.LeaseSpec{} }, want: true},
		"a lease instead": {change: func(l *coordinationv1.Lease) { l.UID = "another" }, want: true},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			w := newWorld(t, 1)
			if !w.saw(0, name, "pod-a_1") {
				t.Error("a new lease is not worth a look")
			}
			lease := record(name, "pod-a_1", 0)
			lease.ResourceVersion = "2"
			tc.change(lease)
			if got := w.SawLease(lease, at(10)); got != tc.want {
				t.Errorf("SawLease = %v, want %v", got, tc.want)
			}
		})
	}
}

// TestForeignNames: leases that are no buckets are not remembered, whatever they
// are called.
func TestForeignNames(t *testing.T) {
	names := []string{
		"kube-controller-manager", "tekton-leases-controller.deployment", "", ".", "00-of-04", "a.0-of-4", "a.04-of-04",
		"a.00-of-4294967295", "a.00-of-4294967296", "a.00-of-99999999999999999999", "a.00-of-11", "a.00-of-00", "a.00-of--4",
		"a.00-of-04.b", "A.00-of-04", "a.00-of-04\n", "a.+0-of-04",
	}
	w := newWorld(t, 1)
	w.ready("pod-a")
	for _, name := range names {
		if w.saw(0, name, "pod-a_1") {
			t.Errorf("%q is taken for a bucket", name)
		}
		if w.LeaseGone(name, at(1)) {
			t.Errorf("%q is remembered", name)
		}
	}
	if v := w.view(60, nil); len(v.Groups) != 0 {
		t.Errorf("groups %v, want none", v.Groups)
	}
}

func TestLeaseGone(t *testing.T) {
	w := newWorld(t, 1)
	if w.LeaseGone(taskrun.Name(0), at(0)) {
		t.Error("a lease that was never seen is gone")
	}
	w.ready("pod-a")
	w.renews(50, "pod-a_1", taskrun.Name(0), taskrun.Name(1))
	if !w.LeaseGone(taskrun.Name(0), at(51)) {
		t.Error("a deleted lease is not worth a look")
	}
	if got := w.Process("pod-a", retryPeriod, at(51)).Leases; got != 1 {
		t.Errorf("pod-a holds %d leases, want 1", got)
	}
	// A new lease of that name starts from nothing.
	w.LeaseGone(taskrun.Name(1), at(52))
	w.saw(53, taskrun.Name(0), "pod-a_1")
	if got := w.Process("pod-a", retryPeriod, at(53)).Renewals; got != 0 {
		t.Errorf("%d renewals of a new lease, want 0", got)
	}
}

// TestTrackerIsBounded: what comes and goes leaves nothing behind but the last
// leader of each lease, and its pod.
func TestTrackerIsBounded(t *testing.T) {
	w := newWorld(t, 1)
	for i := range 100 {
		name, identity := taskrun.Name(uint32(i%4)), "pod-a_"+string(rune('a'+i%26))
		pod := w.make("pod-a").Obj()
		w.SawPod(pod, at(float64(i)))
		w.saw(float64(i), name, identity)
		w.LeaseGone(name, at(float64(i)))
		w.PodGone(pod, at(float64(i)))
	}
	for range 100 {
		w.member("uid", nil, true, at(1))
		w.ForgetDeployment("uid")
	}
	if len(w.leases) != 4 || len(w.identities) != 4 || len(w.Tracker.pods) != 0 || len(w.past) != 1 || len(w.deployments) != 0 {
		t.Errorf("%d leases, %d identities, %d pods, %d that are gone, %d Deployments are remembered; want 4, 4, 0, 1, 0",
			len(w.leases), len(w.identities), len(w.Tracker.pods), len(w.past), len(w.deployments))
	}
	for seconds := 1000; seconds < 2000; seconds += 10 {
		w.saw(float64(seconds), taskrun.Name(0), "pod-a_1")
	}
	if got, want := len(w.leases[taskrun.Name(0)].intervals), MinRenewals; got != want {
		t.Errorf("%d intervals between renewals are remembered, want %d", got, want)
	}
	if got, want := len(w.identities["pod-a_1"].wrote), 25; got != want {
		t.Errorf("%d signs of life are remembered, want the %d of 4 lease durations", got, want)
	}
}
