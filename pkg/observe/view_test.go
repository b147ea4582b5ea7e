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
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	appsv1listers "k8s.io/client-go/listers/apps/v1"
	corev1listers "k8s.io/client-go/listers/core/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// TestSnapshot: what the planner is told.
func TestSnapshot(t *testing.T) {
	w := newWorld(t, 4)
	w.ready("pod-a", "pod-b")
	w.see(50, w.make("pod-c").Obj())
	w.see(0, w.make("pod-d").Terminating(stampAt(90)).Obj())
	six := bucket.Group{Prefix: taskrun.Prefix, Buckets: 6}
	w.renews(60, "pod-a_1", six.Name(0))
	w.saw(60, six.Name(1), "pod-b_1")
	w.saw(60, six.Name(2), "pod-z_1")
	w.saw(60, six.Name(3), ours)
	w.renews(60, "pod-d_1", six.Name(4))
	transit := map[string]Transit{six.Name(3): {Group: six, From: "pod-b", To: "pod-a"}}
	want := balance.Snapshot{
		Replicas: []balance.Replica{
			{Name: "pod-a"}, {Name: "pod-b"}, {Name: "pod-c", Standing: balance.ReplicaOnProbation},
		},
		Groups: []balance.Group{{
			Name: six.String(), Blocked: balance.RolloutInProgress,
			Leases: []balance.Lease{
				{Name: six.Name(0), Holder: "pod-a"},
				{Name: six.Name(1), Holder: "pod-b", Pinned: balance.NotSeenRenewing},
				{Name: six.Name(2), Holder: "pod-z_1"},
				{Name: six.Name(3), From: "pod-b", Target: "pod-a"},
				{Name: six.Name(4), Holder: "pod-d"},
				{Name: six.Name(5)},
			},
		}},
	}
	if diff := cmp.Diff(want, w.view(60, transit).Snapshot()); diff != "" {
		t.Errorf("snapshot (-want, +got):\n%s", diff)
	}
}

// TestPinned: what keeps a lease where it is.
func TestPinned(t *testing.T) {
	cases := map[string]struct {
		sights []sight
		now    float64
		want   balance.Reason
	}{
		"five renewals were seen":       {sights: []sight{a(0), a(1), a(11), a(21), a(31), a(41)}, now: 42},
		"four renewals were seen":       {sights: []sight{a(0), a(1), a(11), a(21), a(31)}, now: 32, want: balance.NotSeenRenewing},
		"late, not too late":            {sights: []sight{a(0), a(1), a(26), a(36), a(46), a(56)}, now: 56},
		"late by more than is safe":     {sights: []sight{a(0), a(1), a(26.001), a(36), a(46), a(56)}, now: 56, want: balance.HolderLate},
		"overdue by more than is safe":  {sights: []sight{a(0), a(1), a(11), a(21), a(31), a(41)}, now: 66.001, want: balance.HolderLate},
		"few renewals of another lease": {sights: append(on(1, a(38)), a(0), a(1), a(11), a(21), a(31), a(41)), now: 42},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 2)
			w.ready("pod-a", "pod-b")
			w.follow(tc.sights)
			if got := w.view(tc.now, nil).Groups[0].Leases[0].Pinned; got != tc.want {
				t.Errorf("pinned by %q, want %q", got, tc.want)
			}
		})
	}
}

// TestBlockedPolicy: what blocks all comes before what blocks a queue.
func TestBlockedPolicy(t *testing.T) {
	w := newWorld(t, 2)
	w.ready("pod-a", "pod-b")
	three(w)
	paused := policy
	paused.Blocked = balance.Paused
	v, err := w.observer().View(w.deployment, paused, nil, at(60))
	if err != nil {
		t.Fatalf("View: %v", err)
	}
	if got := v.Blocked(taskrun); got != balance.Paused {
		t.Errorf("blocked by %q, want %q", got, balance.Paused)
	}
	if got := v.Blocked(eight); got != "" {
		t.Errorf("a group that is not there is blocked by %q", got)
	}
}

// TestUnsettled: one lease without a holder keeps every queue from moving.
func TestUnsettled(t *testing.T) {
	w := newWorld(t, 2)
	w.ready("pod-a", "pod-b")
	pipelinerun := bucket.Group{Prefix: "tekton-pipelines-controller.pipelinerun", Buckets: 1}
	two(w)
	w.renews(60, "pod-a_2", pipelinerun.Names()...)
	if got := w.view(60, nil).Unsettled(); got != "" {
		t.Errorf("unsettled by %q, want nothing", got)
	}
	w.saw(61, taskrun.Name(3), "")
	v := w.view(61, nil)
	if got := v.Unsettled(); got != balance.LeaseUnowned {
		t.Errorf("unsettled by %q, want %q", got, balance.LeaseUnowned)
	}
	want := map[string]balance.Reason{"pipelinerun-of-01": balance.LeaseUnowned, "taskrun-of-04": balance.LeaseUnowned}
	if diff := cmp.Diff(want, blocks(v)); diff != "" {
		t.Errorf("blocked (-want, +got):\n%s", diff)
	}
}

func TestGroupCounts(t *testing.T) {
	w := newWorld(t, 2)
	w.ready("pod-a", "pod-b")
	three(w)
	g := w.view(60, nil).Groups[0]
	if g.Present() != 3 || g.Held("pod-a") != 2 || g.Held("pod-b") != 1 || g.Held("pod-c") != 0 || g.InTransit() {
		t.Errorf("%d present, held %d, %d and %d, in transit %v; want 3, 2, 1, 0, false",
			g.Present(), g.Held("pod-a"), g.Held("pod-b"), g.Held("pod-c"), g.InTransit())
	}
	g = w.view(60, map[string]Transit{taskrun.Name(0): {Group: taskrun, From: "pod-a"}}).Groups[0]
	if !g.InTransit() || g.Held("pod-a") != 1 {
		t.Errorf("in transit %v, held by pod-a %d; want true, 1", g.InTransit(), g.Held("pod-a"))
	}
}

// TestLeads: it leads if it holds anything in any queue.
func TestLeads(t *testing.T) {
	w := newWorld(t, 2)
	w.ready("pod-a", "pod-b")
	w.saw(60, taskrun.Name(0), "pod-a_1")
	v := w.view(60, nil)
	if !v.Leads("pod-a") || v.Leads("pod-b") || v.Leads("") {
		t.Errorf("pod-a leads %v, pod-b %v, nobody %v; want true, false, false", v.Leads("pod-a"), v.Leads("pod-b"), v.Leads(""))
	}
}

var errLister = errors.New("the cache is broken")

type failingPods struct {
	corev1listers.PodLister
	corev1listers.PodNamespaceLister
}

func (f failingPods) Pods(string) corev1listers.PodNamespaceLister { return f }

func (failingPods) List(labels.Selector) ([]*corev1.Pod, error) { return nil, errLister }

type failingReplicaSets struct {
	appsv1listers.ReplicaSetLister
	appsv1listers.ReplicaSetNamespaceLister
}

func (f failingReplicaSets) ReplicaSets(string) appsv1listers.ReplicaSetNamespaceLister { return f }

func (failingReplicaSets) List(labels.Selector) ([]*appsv1.ReplicaSet, error) { return nil, errLister }

// TestViewFails: no picture is better than half of one.
func TestViewFails(t *testing.T) {
	w := newWorld(t, 1)
	for name, change := range map[string]func(*Observer){
		"pods":        func(o *Observer) { o.Pods = failingPods{} },
		"ReplicaSets": func(o *Observer) { o.ReplicaSets = failingReplicaSets{} },
	} {
		o := w.observer()
		change(o)
		if v, err := o.View(w.deployment, policy, nil, at(0)); !errors.Is(err, errLister) || len(v.Replicas)+len(v.Groups) > 0 {
			t.Errorf("%s: view %+v, error %v; want none, %v", name, v, err, errLister)
		}
	}
}
