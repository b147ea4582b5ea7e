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

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/balance"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// causes are the leases of a view that nobody leads, by ordinal, and why.
func causes(v View) map[int]Cause {
	m := map[int]Cause{}
	for _, g := range v.Groups {
		for i, l := range g.Leases {
			if l.Vacant != nil {
				m[i] = l.Vacant.Cause
			}
		}
	}
	return m
}

// released is what an elector writes that stops cleanly.
func (w *world) releases(seconds float64, names ...string) {
	for _, name := range names {
		w.SawLease(leasestesting.MakeLease(name).UID(name).Holder("").Renewed(stampAt(seconds)).Duration(1).Obj(), at(seconds))
	}
}

// emptied is what somebody does by hand.
func (w *world) emptied(seconds float64, names ...string) {
	for _, name := range names {
		lease := record(name, "", 0)
		lease.Spec = coordinationv1.LeaseSpec{}
		w.SawLease(lease, at(seconds))
	}
}

// gone removes a pod as its last state was.
func (w *world) gone(pod *corev1.Pod) {
	w.t.Helper()
	if err := w.pods.Delete(pod); err != nil {
		w.t.Fatalf("failed to delete: %v", err)
	}
	w.PodGone(pod, at(62))
}

// TestVacant: pod-b leads the last two leases until 60 s by our clock, and by
// its node's, and then something happens.
func TestVacant(t *testing.T) {
	both := func(c Cause) map[int]Cause { return map[int]Cause{2: c, 3: c} }
	none := map[int]Cause{}
	mine := []string{taskrun.Name(2), taskrun.Name(3)}
	cases := map[string]struct {
		then func(*world)
		now  float64 // 62 if not set
		want map[int]Cause
	}{
		"nothing": {then: func(*world) {}, want: none},

		"its container was restarted in place": {
			then: func(w *world) { w.see(62, w.make("pod-b").Restarted(stampAt(61), 137).Started(stampAt(61)).Obj()) },
			want: both(Crashed),
		},
		"its container waits for its restart": {
			then: func(w *world) {
				pod := w.make("pod-b").Restarted(stampAt(61), 137).Obj()
				pod.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{}}
				w.see(62, pod)
			},
			want: both(Crashed),
		},
		"its container has ended": {
			then: func(w *world) { w.see(62, w.make("pod-b").Finished(stampAt(61), 1).Obj()) }, want: both(Crashed),
		},
		"it renewed after that: another process": {
			then: func(w *world) { w.see(62, w.make("pod-b").Restarted(stampAt(59), 137).Started(stampAt(59)).Obj()) }, want: none,
		},
		"its pod is being deleted": {
			then: func(w *world) { w.see(62, w.make("pod-b").Terminating(stampAt(90)).Obj()) }, want: none,
		},
		"its pod is not ready": {
			then: func(w *world) { w.see(62, w.make("pod-b").NotReady(stampAt(61)).Obj()) }, want: none,
		},
		"its pod has failed, and its container ended": {
			then: func(w *world) {
				w.see(62, w.make("pod-b").Phase(corev1.PodFailed).Finished(stampAt(61), 1).Obj())
			},
			want: both(Crashed),
		},
		"its pod is said to have failed, nobody knows of its container": {
			then: func(w *world) { w.see(62, w.make("pod-b").Phase(corev1.PodFailed).Obj()) }, want: none,
		},
		"its pod is gone": {
			then: func(w *world) { w.gone(w.make("pod-b").Obj()) }, want: both(Vanished),
		},
		"its pod is gone, its container had ended": {
			then: func(w *world) { w.gone(w.make("pod-b").Terminating(stampAt(90)).Finished(stampAt(61), 1).Obj()) },
			want: both(Crashed),
		},
		"its pod crashed and its leases expired": {
			then: func(w *world) { w.see(62, w.make("pod-b").Finished(stampAt(61), 1).Obj()) }, now: 121, want: none,
		},
		"its hostname may be another pod's as well": {
			then: func(w *world) {
				pod := w.make("pod-b").Hostname("pod-b").Finished(stampAt(61), 1).Obj()
				w.see(62, pod)
			},
			want: none,
		},

		"it released them and is being deleted": {
			then: func(w *world) { w.releases(61, mine...); w.see(62, w.make("pod-b").Terminating(stampAt(90)).Obj()) },
			want: both(Released),
		},
		"it released them and is gone": {
			then: func(w *world) { w.releases(61, mine...); w.gone(w.make("pod-b").Terminating(stampAt(90)).Obj()) },
			want: both(Released),
		},
		"it released them, was restarted in place": {
			then: func(w *world) {
				w.releases(61, mine...)
				w.see(62, w.make("pod-b").Restarted(stampAt(61), 0).Started(stampAt(62)).Obj())
			},
			want: both(Released),
		},
		"it released them, and its pod runs": {then: func(w *world) { w.releases(61, mine...) }, want: none},
		"they were emptied by hand, and its pod is being deleted": {
			then: func(w *world) { w.emptied(61, mine...); w.see(62, w.make("pod-b").Terminating(stampAt(90)).Obj()) },
			want: none,
		},

		"it has ended, and one was deleted": {
			then: func(w *world) {
				w.see(61, w.make("pod-b").Finished(stampAt(61), 1).Obj())
				w.LeaseGone(mine[0], at(61))
			},
			want: map[int]Cause{2: Deleted, 3: Crashed},
		},
		"one was deleted while it is being deleted": {
			then: func(w *world) {
				w.LeaseGone(mine[0], at(61))
				w.see(62, w.make("pod-b").Terminating(stampAt(90)).Obj())
			},
			want: none,
		},
		"one was deleted long ago": {
			then: func(w *world) {
				w.LeaseGone(mine[0], at(61))
				w.see(62, w.make("pod-b").Finished(stampAt(61), 1).Obj())
			},
			now: 122, want: none,
		},
		"we hold one": {
			then: func(w *world) {
				w.saw(61, mine[0], ours)
				w.see(62, w.make("pod-b").Finished(stampAt(61), 1).Obj())
			},
			want: map[int]Cause{3: Crashed},
		},
		"another one was faster": {
			then: func(w *world) {
				w.releases(61, mine...)
				w.saw(62, mine[0], "pod-a_1")
				w.gone(w.make("pod-b").Terminating(stampAt(90)).Obj())
			},
			want: map[int]Cause{3: Released},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 2)
			w.ready("pod-a", "pod-b")
			two(w)
			tc.then(w)
			if tc.now == 0 {
				tc.now = 62
			}
			w.renews(tc.now, "pod-a_1", taskrun.Name(0), taskrun.Name(1))
			if diff := cmp.Diff(tc.want, causes(w.view(tc.now, nil))); diff != "" {
				t.Errorf("vacant leases (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestVacancy: what a vacancy tells, and that nothing may move meanwhile.
func TestVacancy(t *testing.T) {
	w := newWorld(t, 2)
	w.ready("pod-a", "pod-b")
	two(w)
	dead := w.make("pod-b").Finished(stampAt(61), 1).Obj()
	w.see(62, dead)
	v := w.view(62, nil)
	want := &Vacancy{Cause: Crashed, Pod: dead, Identity: "pod-b_1", Record: record(taskrun.Name(3), "pod-b_1", 60), Since: at(60)}
	if diff := cmp.Diff(want, v.Groups[0].Leases[3].Vacant); diff != "" {
		t.Errorf("vacancy (-want, +got):\n%s", diff)
	}
	w.deployment.Status.ReadyReplicas = 2
	transit := map[string]Transit{
		taskrun.Name(2): {Group: taskrun, From: "pod-b", Vacant: true},
		taskrun.Name(3): {Group: taskrun, From: "pod-b", To: "pod-a", Vacant: true},
	}
	v = w.view(62, transit)
	if got := v.Groups[0].Blocked; got != balance.LeaseUnowned {
		t.Errorf("blocked: %q, want %q", got, balance.LeaseUnowned)
	}
}

// TestDeadInOneSecond: a process ends and the next one starts within the
// resolution of what the kubelet reports, a second.
func TestDeadInOneSecond(t *testing.T) {
	cases := map[string]struct {
		stamps []float64
		want   bool
	}{
		"it wrote before that second":                      {[]float64{50, 60.999}, true},
		"it wrote before and within that second":           {[]float64{51.3, 61.3}, true},
		"it wrote within that second only":                 {[]float64{61.3}, false},
		"it wrote after that second, too: its clock went":  {[]float64{50, 62.1}, false},
		"it wrote before that second after its clock went": {[]float64{62.1, 50}, false},
		"it wrote nothing":                                 {nil, false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 1)
			second := metav1.NewTime(stampAt(61))
			pod := w.make("pod-a").Restarted(second.Time, 137).Started(second.Time).Obj()
			w.SawLease(record(taskrun.Name(0), "pod-a_1", 0), at(0))
			for i, s := range tc.stamps {
				w.SawLease(record(taskrun.Name(0), "pod-a_1", s), at(float64(10+i)))
			}
			w.SawPod(pod, at(62))
			if got := w.Dead(pod, "pod-a_1", retryPeriod, at(62)); got != tc.want {
				t.Errorf("dead = %v, want %v", got, tc.want)
			}
		})
	}
}

// TestOwnStamp: after a start of ours, a record shows by itself whether its
// holder wrote it: what we write has the same two stamps.
func TestOwnStamp(t *testing.T) {
	renewed := leasestesting.MakeLease(taskrun.Name(0)).Holder("pod-a_1").Acquired(stampAt(0)).Renewed(stampAt(60)).Duration(60)
	cases := map[string]struct {
		lease *coordinationv1.Lease
		want  bool
	}{
		"renewed since it was acquired": {renewed.Obj(), true},
		"acquired, or written by us":    {renewed.Acquired(stampAt(60)).Obj(), false},
		"not known when":                {record(taskrun.Name(0), "pod-a_1", 60), false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 1)
			w.SawLease(tc.lease, at(60))
			w.see(62, w.make("pod-a").Restarted(stampAt(61), 137).Started(stampAt(61)).Obj())
			w.saw(76, taskrun.Name(1), "pod-b_1") // it is not heard, others are
			if got := len(causes(w.view(76, nil))) == 1; got != tc.want {
				t.Errorf("vacant = %v, want %v", got, tc.want)
			}
		})
	}
}

// TestForgetsPods: pods that are gone are remembered as long as a lease was led
// by one of them last.
func TestForgetsPods(t *testing.T) {
	w := newWorld(t, 2)
	w.ready("pod-a", "pod-b", "pod-c")
	two(w)
	w.saw(61, taskrun.Name(3), "pod-c_1")
	for _, name := range []string{"pod-b", "pod-c"} {
		w.gone(w.make(name).Obj())
	}
	check := func(want ...string) {
		t.Helper()
		got := map[string]bool{}
		for hostname := range w.past {
			got[hostname] = true
		}
		wanted := map[string]bool{}
		for _, name := range want {
			wanted[name] = true
		}
		if diff := cmp.Diff(wanted, got); diff != "" {
			t.Errorf("remembered (-want, +got):\n%s", diff)
		}
	}
	check("pod-b", "pod-c")
	w.saw(62, taskrun.Name(2), "pod-a_1")
	w.saw(62, taskrun.Name(3), "pod-a_1")
	w.gone(w.make("pod-d").Obj())
	check()
	if got := len(w.identities); got != 1 {
		t.Errorf("%d identities, want that of pod-a", got)
	}
}

// TestForgetsOthers: what a pod on the host's network leaves behind may be another
// pod's, so that nothing of it is remembered.
func TestForgetsOthers(t *testing.T) {
	w := newWorld(t, 1)
	pod := w.make("pod-a").HostNetwork("node-1").Obj()
	w.see(0, pod)
	w.renews(60, "node-1_1", taskrun.Name(0))
	w.gone(pod)
	if len(w.past) != 0 || len(w.identities) != 0 {
		t.Errorf("%d pods and %d identities are remembered, want none", len(w.past), len(w.identities))
	}
}

// TestReplaced: which pods come in the place of one that was asked to stop at 61 s.
func TestReplaced(t *testing.T) {
	d := leasestesting.MakeDeployment("controller").Obj()
	now, next := leasestesting.MakeReplicaSet(d, "a"), leasestesting.MakeReplicaSet(d, "b")
	next.UID = "b"
	stopped := leasestesting.MakePod("old").OwnedBy(now).Terminating(stampAt(91))
	made := func(seconds float64) *leasestesting.PodBuilder {
		return leasestesting.MakePod("new").OwnedBy(now).Created(stampAt(seconds))
	}
	cases := map[string]struct {
		old, other *leasestesting.PodBuilder
		want       bool
		// ended: its node has deleted it once more, at 65 s.
		ended bool
	}{
		"made in the same second":         {old: stopped, other: made(61), want: true},
		"made later":                      {old: stopped, other: made(63), want: true},
		"made before":                     {old: stopped, other: made(60), want: false},
		"made for another template":       {old: stopped, other: made(63).OwnedBy(next), want: false},
		"made before its node deleted it": {old: stopped, other: made(61), want: true, ended: true},
		"made long before that":           {old: stopped, other: made(34), want: false, ended: true},
		"asked to stop, too":              {old: stopped, other: made(63).Terminating(stampAt(94)), want: false},
		"nobody else":                     {old: stopped, other: stopped, want: false},
		"of one that was not stopped":     {old: leasestesting.MakePod("old").OwnedBy(now), other: made(63), want: false},
		"of one without an owner":         {old: leasestesting.MakePod("old").Terminating(stampAt(91)), other: made(63), want: false},
		"that has no owner":               {old: stopped, other: leasestesting.MakePod("new").Created(stampAt(63)), want: false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			view, old := View{Replicas: []Replica{{Pod: tc.other.Obj()}}}, tc.old.Obj()
			if tc.ended {
				old.DeletionTimestamp, old.DeletionGracePeriodSeconds = ptr.To(metav1.NewTime(stampAt(65))), ptr.To[int64](0)
			}
			if got := view.Replaced(old); got != tc.want {
				t.Errorf("Replaced() = %t, want %t", got, tc.want)
			}
		})
	}
}
