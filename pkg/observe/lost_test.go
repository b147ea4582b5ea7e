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

// TestLostLeases: a lease that somebody deleted or emptied under a holder that
// leads on, and nothing else, has a record to be restored.
func TestLostLeases(t *testing.T) {
	name := taskrun.Name(0)
	change := func(f func(*coordinationv1.LeaseSpec)) func(*world) {
		return func(w *world) {
			lease := record(name, "pod-a_1", 60)
			f(&lease.Spec)
			w.SawLease(lease, at(61))
		}
	}
	deleted := func(w *world) { w.LeaseGone(name, at(61)) }
	emptied := change(func(s *coordinationv1.LeaseSpec) { *s = coordinationv1.LeaseSpec{} })
	then := func(steps ...func(*world)) func(*world) {
		return func(w *world) {
			for _, step := range steps {
				step(w)
			}
		}
	}
	saw := func(seconds float64, identity string) func(*world) {
		return func(w *world) { w.saw(seconds, name, identity) }
	}
	cases := map[string]struct {
		see     func(*world)
		now     float64 // 62 if not set
		transit map[string]Transit
		want    bool
	}{
		"nothing happened":       {see: func(*world) {}},
		"deleted":                {see: deleted, want: true},
		"emptied":                {see: emptied, want: true},
		"the holder was removed": {see: change(func(s *coordinationv1.LeaseSpec) { s.HolderIdentity = nil }), want: true},
		"the holder was blanked": {see: change(func(s *coordinationv1.LeaseSpec) { s.HolderIdentity = ptr.To("") }), want: true},
		"emptied, then deleted":  {see: then(emptied, deleted), want: true},
		"emptied, then labelled": {
			see: then(emptied, func(w *world) {
				lease := record(name, "", 60)
				lease.Spec = coordinationv1.LeaseSpec{}
				lease.Labels = map[string]string{"a": "b"}
				w.SawLease(lease, at(62))
			}), want: true,
		},
		"released by its holder": {
			see: change(func(s *coordinationv1.LeaseSpec) {
				s.HolderIdentity, s.LeaseDurationSeconds = ptr.To(""), ptr.To[int32](1)
				s.RenewTime = ptr.To(metav1.NewMicroTime(stampAt(61)))
			}),
		},
		"released by its holder, whose clock was set back": {
			see: change(func(s *coordinationv1.LeaseSpec) {
				s.HolderIdentity, s.LeaseDurationSeconds = ptr.To(""), ptr.To[int32](1)
				s.RenewTime = ptr.To(metav1.NewMicroTime(stampAt(56)))
			}),
		},
		"emptied by hand, and its stamp too": {
			see: change(func(s *coordinationv1.LeaseSpec) {
				s.HolderIdentity, s.LeaseDurationSeconds, s.RenewTime = ptr.To(""), ptr.To[int32](1), nil
			}), want: true,
		},
		"emptied by hand as a release would": {
			see: change(func(s *coordinationv1.LeaseSpec) {
				s.HolderIdentity, s.LeaseDurationSeconds = ptr.To(""), ptr.To[int32](1)
			}), want: true,
		},
		"released, then deleted": {
			see: then(change(func(s *coordinationv1.LeaseSpec) {
				s.HolderIdentity, s.LeaseDurationSeconds = ptr.To(""), ptr.To[int32](1)
				s.RenewTime = ptr.To(metav1.NewMicroTime(stampAt(61)))
			}), deleted),
		},
		"another replica acquired it":          {see: then(deleted, saw(62, "pod-b_1"))},
		"its holder created it again":          {see: then(deleted, saw(62, "pod-a_1"))},
		"it is ours":                           {see: then(saw(61, ours), deleted)},
		"until it must have given up":          {see: deleted, now: 109.999, want: true},
		"no longer":                            {see: deleted, now: 110},
		"deleted just before that":             {see: func(w *world) { w.LeaseGone(name, at(109)) }, now: 109.5, want: true},
		"deleted after it must have given up":  {see: func(w *world) { w.LeaseGone(name, at(115)) }, now: 115.5},
		"the holder was not seen renewing":     {see: then(saw(61, "pod-b_1"), deleted)},
		"the holder had not renewed for long":  {see: func(w *world) { w.LeaseGone(name, at(120.001)) }, now: 121},
		"a replica that is terminating":        {see: then(deleted, func(w *world) { w.see(61, w.make("pod-a").Terminating(stampAt(90)).Obj()) })},
		"a process that has ended since":       {see: then(deleted, func(w *world) { w.see(61, w.make("pod-a").Restarted(stampAt(61), 1).Started(stampAt(62)).Obj()) })},
		"a process that has ended before that": {see: then(func(w *world) { w.see(61, w.make("pod-a").Finished(stampAt(60), 1).Obj()) }, deleted)},
		"a handover of ours deleted it": {
			see: deleted, transit: map[string]Transit{name: {Group: taskrun, From: "pod-a"}},
		},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			w := newWorld(t, 2)
			w.ready("pod-a", "pod-b")
			w.renews(60, "pod-a_1", taskrun.Names()...)
			tc.see(w)
			if tc.now == 0 {
				tc.now = 62
			}
			w.renews(tc.now, "pod-b_1", taskrun.Name(1), taskrun.Name(2), taskrun.Name(3))
			lost := w.view(tc.now, tc.transit).Groups[0].Leases[0].Lost
			if tc.want != (lost != nil) {
				t.Errorf("lost %v, want one: %v", lost, tc.want)
			}
			if lost != nil && (holder(lost) != "pod-a_1" || duration(lost).Seconds() != 60) {
				t.Errorf("lost %+v, want the record of pod-a_1", lost.Spec)
			}
		})
	}
}

// TestLostGroup: a group of which every lease was deleted still belongs to the
// replicas that lead it, as long as they surely do.
func TestLostGroup(t *testing.T) {
	w := newWorld(t, 2)
	w.ready("pod-a", "pod-b")
	w.renews(60, "pod-a_1", taskrun.Names()...)
	for _, name := range taskrun.Names() {
		w.LeaseGone(name, at(61))
	}
	for seconds, want := range map[float64]int{62: 1, 121: 1, 121.001: 0, 9999: 0} {
		if got := len(w.view(seconds, nil).Groups); got != want {
			t.Errorf("at %vs: %d groups, want %d", seconds, got, want)
		}
	}
}
