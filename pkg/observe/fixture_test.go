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

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	appsv1listers "k8s.io/client-go/listers/apps/v1"
	corev1listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

const (
	retryPeriod = 10 * time.Second
	// ours is the identity of a hold.
	ours = "tekton-leases-controller_0aef"
)

var (
	// start is when the tests begin, by our clock. All times are counted from it.
	start = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)
	// stamp is the same moment by the clock of the holders' node.
	stamp = start.Add(-7 * time.Minute)

	taskrun = bucket.Group{Prefix: "tekton-pipelines-controller.taskrun", Buckets: 4}
	policy  = Policy{
		Window: 30 * time.Second, MaxRolloutWait: 10 * time.Minute,
		RetryPeriod: retryPeriod, GiveUp: 50 * time.Second, LateLimit: 15 * time.Second,
	}
)

// at is the time so many seconds after start, by our clock.
func at(seconds float64) time.Time {
	return start.Add(time.Duration(seconds * float64(time.Second)))
}

// stampAt is the same by the clock of the holders' node.
func stampAt(seconds float64) time.Time {
	return stamp.Add(time.Duration(seconds * float64(time.Second)))
}

// record is a lease as an elector writes it at the time given.
func record(name, holder string, seconds float64) *coordinationv1.Lease {
	return leasestesting.MakeLease(name).UID(name).Holder(holder).Renewed(stampAt(seconds)).Duration(60).Obj()
}

// world is a Deployment with its pods and leases, and what was seen of them.
type world struct {
	*Tracker
	t           *testing.T
	deployment  *appsv1.Deployment
	replicaSet  *appsv1.ReplicaSet
	pods        cache.Indexer
	replicaSets cache.Indexer
}

func newWorld(t *testing.T, replicas int32) *world {
	t.Helper()
	namespaced := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	w := &world{
		Tracker:     NewTracker(),
		t:           t,
		deployment:  leasestesting.MakeDeployment("controller").Replicas(replicas).Obj(),
		pods:        cache.NewIndexer(cache.MetaNamespaceKeyFunc, namespaced),
		replicaSets: cache.NewIndexer(cache.MetaNamespaceKeyFunc, namespaced),
	}
	w.replicaSet = leasestesting.MakeReplicaSet(w.deployment, "5f6c")
	w.add(w.replicaSets, w.replicaSet)
	return w
}

func (w *world) add(indexer cache.Indexer, obj any) {
	w.t.Helper()
	if err := indexer.Add(obj); err != nil {
		w.t.Fatalf("failed to index: %v", err)
	}
}

// see puts a pod where the lister and the tracker find it.
func (w *world) see(seconds float64, pod *corev1.Pod) {
	w.t.Helper()
	w.add(w.pods, pod)
	w.SawPod(pod, at(seconds))
}

// make begins a pod of the Deployment that runs since an hour and is Ready.
func (w *world) make(name string) *leasestesting.PodBuilder {
	return leasestesting.MakePod(name).OwnedBy(w.replicaSet).Started(stampAt(-3600)).Ready(stampAt(-3600))
}

// ready adds replicas that are eligible from 30 s on.
func (w *world) ready(names ...string) {
	w.t.Helper()
	for _, name := range names {
		w.see(0, w.make(name).Obj())
	}
}

// saw notes the write of an elector, seen at the moment when it was made.
func (w *world) saw(seconds float64, name, holder string) bool {
	return w.SawLease(record(name, holder, seconds), at(seconds))
}

// renews notes renewals of leases every retry period, the last one at the time
// given: enough of them that the holder may be moved.
func (w *world) renews(until float64, holder string, names ...string) {
	for i := MinRenewals; i >= 0; i-- {
		for _, name := range names {
			w.saw(until-float64(i)*retryPeriod.Seconds(), name, holder)
		}
	}
}

func (w *world) observer() *Observer {
	return &Observer{
		Tracker:     w.Tracker,
		Pods:        corev1listers.NewPodLister(w.pods),
		ReplicaSets: appsv1listers.NewReplicaSetLister(w.replicaSets),
	}
}

// view is the picture at a time, with handovers of ours.
func (w *world) view(seconds float64, transit map[string]Transit) View {
	w.t.Helper()
	v, err := w.observer().View(w.deployment, policy, transit, at(seconds))
	if err != nil {
		w.t.Fatalf("View: %v", err)
	}
	return v
}
