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
	"testing"

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// TestCase19HolderIsGone: the pod of a holder is gone and its lease has not
// expired. It counts for no replica and is nobody's surplus.
func TestCase19HolderIsGone(t *testing.T) {
	w := newWorld(t, 2)
	w.ready("pod-a", "pod-b", "pod-z")
	w.renews(60, "pod-a_1", taskrun.Name(0))
	w.renews(60, "pod-z_1", taskrun.Name(1), taskrun.Name(2), taskrun.Name(3))
	gone := w.make("pod-z").Obj()
	if err := w.pods.Delete(gone); err != nil {
		t.Fatal(err)
	}
	w.PodGone(gone, at(61))
	v := w.view(61, nil)
	want := []string{
		"taskrun-of-04 0 pod-a", "taskrun-of-04 1 HolderUnknown", "taskrun-of-04 2 HolderUnknown", "taskrun-of-04 3 HolderUnknown",
	}
	if diff := cmp.Diff(want, lines(v)); diff != "" {
		t.Errorf("leases (-want, +got):\n%s", diff)
	}
	plan := balance.Make(v.Snapshot())
	if len(plan.Moves) != 0 {
		t.Errorf("moves %+v, want none", plan.Moves)
	}
	// Expired, they are the electors' to acquire.
	w.renews(121, "pod-a_1", taskrun.Name(0))
	for _, l := range w.view(121, nil).Groups[0].Leases[1:] {
		if l.Holder != "" || l.Trouble != balance.LeaseUnowned {
			t.Errorf("expired: lease %s of %q, %q; want nobody's, %q", l.Name, l.Holder, l.Trouble, balance.LeaseUnowned)
		}
	}
}

// TestCase20IncompleteRecords: whatever is missing in a record, the lease is
// unowned and nothing panics.
func TestCase20IncompleteRecords(t *testing.T) {
	specs := map[string]func(*coordinationv1.LeaseSpec){
		"empty spec":         func(s *coordinationv1.LeaseSpec) { *s = coordinationv1.LeaseSpec{} },
		"no holder":          func(s *coordinationv1.LeaseSpec) { s.HolderIdentity = nil },
		"empty holder":       func(s *coordinationv1.LeaseSpec) { s.HolderIdentity = ptr.To("") },
		"no renewTime":       func(s *coordinationv1.LeaseSpec) { s.RenewTime = nil },
		"no duration":        func(s *coordinationv1.LeaseSpec) { s.LeaseDurationSeconds = nil },
		"negative duration":  func(s *coordinationv1.LeaseSpec) { s.LeaseDurationSeconds = ptr.To[int32](-1) },
		"only a holder":      func(s *coordinationv1.LeaseSpec) { *s = coordinationv1.LeaseSpec{HolderIdentity: s.HolderIdentity} },
		"zero renewTime":     func(s *coordinationv1.LeaseSpec) { s.RenewTime, s.HolderIdentity = &metav1.MicroTime{}, nil },
		"renewed before all": func(s *coordinationv1.LeaseSpec) { s.RenewTime, s.LeaseDurationSeconds = &metav1.MicroTime{}, nil },
	}
	for name, change := range specs {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 2)
			w.ready("pod-a", "pod-b")
			three(w)
			for i := range 3 { // from something to nothing and again
				lease := record(taskrun.Name(3), "pod-b_1", 58+float64(i))
				if i != 1 {
					change(&lease.Spec)
				}
				w.SawLease(lease, at(58+float64(i)))
			}
			w.Process("pod-b", retryPeriod, at(61))
			w.Alive(nil, "pod-b_1", stampAt(0))
			v := w.view(61, nil)
			l := v.Groups[0].Leases[3]
			if l.Holder != "" || l.Trouble != balance.LeaseUnowned || v.Groups[0].Blocked != balance.LeaseUnowned {
				t.Errorf("led by %q, trouble %q, group blocked by %q; want nobody and %q",
					l.Holder, l.Trouble, v.Groups[0].Blocked, balance.LeaseUnowned)
			}
			if moves := balance.Make(v.Snapshot()).Moves; len(moves) != 0 {
				t.Errorf("moves %+v, want none", moves)
			}
		})
	}
}

// TestCase30ForeignLeases: leases in the namespace that are no buckets of the
// Deployment are not in its picture.
func TestCase30ForeignLeases(t *testing.T) {
	w := newWorld(t, 2)
	w.ready("pod-a", "pod-b")
	two(w)
	want := lines(w.view(60, nil))
	webhook := bucket.Group{Prefix: "tekton-pipelines-webhook.configmapwebhook", Buckets: 4}
	shared := bucket.Group{Prefix: "tekton-pipelines-controller.another", Buckets: 4}
	for i, name := range []string{
		"kube-controller-manager", "an-application-lock", "tekton-leases-controller.deployment.00-of-01", "00-of-4294967295",
		taskrun.Prefix, taskrun.Prefix + ".4-of-4", taskrun.Prefix + ".00-of-4294967295", taskrun.Prefix + ".04-of-04",
	} {
		w.renews(60, fmt.Sprintf("other-%d_1", i), name)
	}
	w.renews(60, "tekton-leases-controller-5f6c-abcde_1", "tekton-leases-controller.reconciler.00-of-01")
	w.renews(60, "webhook_1", webhook.Names()...)
	w.renews(60, "other_1", shared.Names()...) // the same first word, held by another component
	// What one of our pods holds by a name that is no bucket's is not a bucket either.
	w.renews(60, "pod-a_1", "an-application-lock", taskrun.Prefix+".00-of-4294967295")
	v := w.view(60, nil)
	if diff := cmp.Diff(want, lines(v)); diff != "" {
		t.Errorf("leases (-want, +got):\n%s", diff)
	}
	if got := v.Replica("pod-a").Process.Leases; got != 2 {
		t.Errorf("pod-a holds %d leases, want 2", got)
	}
}
