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
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/balance"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

func TestStanding(t *testing.T) {
	ready := func(w *world) *corev1.Pod { return w.make("pod-a").Obj() }
	notReady := func(w *world) *corev1.Pod { return w.make("pod-a").NotReady(stampAt(0)).Obj() }
	type judged struct {
		Standing   balance.Reason
		EligibleAt time.Time
	}
	cases := map[string]struct {
		see  func(*world)
		now  float64
		want judged
	}{
		"ready, as we see it for the first time": {
			see: func(w *world) { w.see(5, ready(w)) }, now: 5, want: judged{balance.ReplicaOnProbation, at(35)},
		},
		"not yet long enough":     {see: func(w *world) { w.see(5, ready(w)) }, now: 34.999, want: judged{balance.ReplicaOnProbation, at(35)}},
		"long enough":             {see: func(w *world) { w.see(5, ready(w)) }, now: 35},
		"seen again all the time": {see: func(w *world) { w.see(5, ready(w)); w.see(20, ready(w)); w.see(34, ready(w)) }, now: 35},
		"not ready":               {see: func(w *world) { w.see(5, notReady(w)) }, now: 100, want: judged{Standing: balance.HolderNotReady}},
		"no longer ready":         {see: func(w *world) { w.see(5, ready(w)); w.see(50, notReady(w)) }, now: 100, want: judged{Standing: balance.HolderNotReady}},
		"ready once more": {
			see: func(w *world) { w.see(5, ready(w)); w.see(50, notReady(w)); w.see(51, ready(w)) },
			now: 80, want: judged{balance.ReplicaOnProbation, at(111)},
		},
		"nothing is known of it": {
			see: func(w *world) { w.see(5, leasestesting.MakePod("pod-a").OwnedBy(w.replicaSet).Obj()) },
			now: 100, want: judged{Standing: balance.HolderNotReady},
		},
		"ready and being deleted": {
			see: func(w *world) { w.see(5, ready(w)); w.see(50, w.make("pod-a").Terminating(stampAt(80)).Obj()) },
			now: 60, want: judged{Standing: balance.HolderNotReady},
		},
		"deleted, and another of that name": {
			see: func(w *world) {
				w.see(5, ready(w))
				w.PodGone(ready(w), at(6))
				w.see(50, w.make("pod-a").UID("new").Obj())
			},
			now: 60, want: judged{balance.ReplicaOnProbation, at(80)},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 1)
			tc.see(w)
			r := w.view(tc.now, nil).Replicas[0]
			if diff := cmp.Diff(tc.want, judged{r.Standing, r.EligibleAt}); diff != "" {
				t.Errorf("replica (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestRollout: nothing moves while the members of the Deployment change.
func TestRollout(t *testing.T) {
	cases := map[string]struct {
		deployment func(*leasestesting.DeploymentBuilder) *leasestesting.DeploymentBuilder
		pods       func(*world)
		want       balance.Reason
	}{
		"none": {},
		"a spec that was not seen yet": {
			deployment: func(b *leasestesting.DeploymentBuilder) *leasestesting.DeploymentBuilder { return b.Generation(2, 1) },
			want:       balance.RolloutInProgress,
		},
		"replicas of an older template": {
			deployment: func(b *leasestesting.DeploymentBuilder) *leasestesting.DeploymentBuilder { return b.Updated(1) },
			want:       balance.RolloutInProgress,
		},
		"a replica that is not ready": {
			deployment: func(b *leasestesting.DeploymentBuilder) *leasestesting.DeploymentBuilder { return b.ReadyReplicas(1) },
			want:       balance.RolloutInProgress,
		},
		"a pod that is being deleted": {
			pods: func(w *world) { w.see(0, w.make("pod-b").Terminating(stampAt(30)).Obj()) },
			want: balance.RolloutInProgress,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 2)
			w.ready("pod-a", "pod-b")
			w.renews(60, "pod-a_1", taskrun.Names()...)
			if tc.deployment != nil {
				w.deployment = tc.deployment(leasestesting.MakeDeployment("controller").Replicas(2)).Obj()
			}
			if tc.pods != nil {
				tc.pods(w)
			}
			if got := w.view(60, nil).Groups[0].Blocked; got != tc.want {
				t.Errorf("blocked by %q, want %q", got, tc.want)
			}
		})
	}
	surge := newWorld(t, 2)
	surge.ready("pod-a", "pod-b")
	surge.renews(60, "pod-a_1", taskrun.Names()...)
	surge.deployment.Status.Replicas = 3
	if got := surge.view(60, nil).Groups[0].Blocked; got != balance.RolloutInProgress {
		t.Errorf("with one replica too many: blocked by %q, want %q", got, balance.RolloutInProgress)
	}
	unset := newWorld(t, 1)
	unset.ready("pod-a")
	unset.renews(60, "pod-a_1", taskrun.Names()...)
	unset.deployment.Spec.Replicas = nil // one, by default
	if got := unset.view(60, nil).Groups[0].Blocked; got != "" {
		t.Errorf("with replicas unset: blocked by %q", got)
	}
}

// TestRolloutEnds: one that takes too long does not count for ever, and the next
// one is as new as the first was.
func TestRolloutEnds(t *testing.T) {
	w := newWorld(t, 2)
	w.ready("pod-a", "pod-b")
	blocked := func(seconds float64, ready int32) balance.Reason {
		w.deployment.Status.ReadyReplicas = ready
		w.renews(seconds, "pod-a_1", taskrun.Names()...)
		return w.view(seconds, nil).Groups[0].Blocked
	}
	for _, step := range []struct {
		seconds float64
		ready   int32
		want    balance.Reason
	}{
		{60, 1, balance.RolloutInProgress},
		{659, 1, balance.RolloutInProgress},
		{660, 1, ""},
		{5000, 1, ""},
		{5001, 2, ""},
		{5002, 1, balance.RolloutInProgress},
		{5601, 1, balance.RolloutInProgress},
		{5602, 1, ""},
	} {
		if got := blocked(step.seconds, step.ready); got != step.want {
			t.Errorf("at %vs with %d of 2 ready: blocked by %q, want %q", step.seconds, step.ready, got, step.want)
		}
	}
	w.ForgetDeployment(w.deployment.UID)
	if got := blocked(6000, 1); got != balance.RolloutInProgress {
		t.Errorf("after the Deployment was created anew: blocked by %q, want %q", got, balance.RolloutInProgress)
	}
}

// TestOwned: pods are those of the Deployment's own ReplicaSets.
func TestOwned(t *testing.T) {
	w := newWorld(t, 3)
	older := leasestesting.MakeReplicaSet(w.deployment, "older")
	elsewhere := leasestesting.MakeReplicaSet(w.deployment, "elsewhere")
	elsewhere.Namespace = "elsewhere"
	sameName := leasestesting.MakeDeployment("controller").Obj()
	sameName.UID = "another"
	stranger := leasestesting.MakeReplicaSet(sameName, "77")
	for _, rs := range []*appsv1.ReplicaSet{older, elsewhere, stranger} {
		w.add(w.replicaSets, rs)
	}
	of := func(name string, rs *appsv1.ReplicaSet) *corev1.Pod {
		return leasestesting.MakePod(name).OwnedBy(rs).Obj()
	}
	uncontrolled := of("uncontrolled", w.replicaSet)
	uncontrolled.OwnerReferences[0].Controller = ptr.To(false)
	other := of("elsewhere", w.replicaSet)
	other.Namespace = "elsewhere"
	failed := of("failed", w.replicaSet)
	failed.Status.Phase = corev1.PodFailed
	done := of("done", w.replicaSet)
	done.Status.Phase = corev1.PodSucceeded
	for _, pod := range []*corev1.Pod{
		of("pod-b", w.replicaSet), of("pod-a", older), of("stranger", stranger), of("orphan", &appsv1.ReplicaSet{}),
		leasestesting.MakePod("alone").Obj(), of("in-between", elsewhere), uncontrolled, other, failed, done,
	} {
		w.see(0, pod)
	}
	var got []string
	for _, r := range w.view(1, nil).Replicas {
		got = append(got, r.Pod.Name)
	}
	if diff := cmp.Diff([]string{"pod-a", "pod-b"}, got); diff != "" {
		t.Errorf("replicas (-want, +got):\n%s", diff)
	}
}
