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
	"fmt"
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// deploy makes this the Deployment, with a ReplicaSet.
func (b *bench) deploy(d *appsv1.Deployment) {
	b.t.Helper()
	b.deployment, b.replicaSet = d, leasestesting.MakeReplicaSet(d, "5f6c")
	b.add(b.deploymentCache, d)
	b.add(b.replicaSetCache, b.replicaSet)
}

// configure stores a ConfigMap that is older than all pods.
func (b *bench) configure(configMap string, keysAndValues ...string) {
	b.t.Helper()
	cm := leasestesting.MakeConfigMap(configMap, keysAndValues...)
	cm.CreationTimestamp = metav1.NewTime(start.Add(-2 * time.Hour))
	b.add(b.configMapCache, cm)
}

// pod stores a pod and has the tracker see it.
func (b *bench) pod(pod *corev1.Pod) {
	b.t.Helper()
	b.add(b.podCache, pod)
	b.observer.Tracker.SawPod(pod, b.time.now)
}

// replica begins a pod of the Deployment that is Ready.
func (b *bench) replica(pod string) *leasestesting.PodBuilder {
	long := start.Add(-skew - time.Hour)
	return leasestesting.MakePod(pod).OwnedBy(b.replicaSet).Created(long).Started(long).Ready(long)
}

// write is what an elector does: it renews or acquires a lease, and we see it at
// once.
func (b *bench) write(identity string, leases ...string) {
	b.t.Helper()
	for _, lease := range leases {
		l := leasestesting.MakeLease(lease).Holder(identity).Renewed(b.time.now.Add(-skew)).Duration(60).Obj()
		if there := b.lease(lease); there != nil {
			l.ObjectMeta = there.ObjectMeta
		}
		b.api.Seed(l)
	}
	b.sync()
}

// lease is what the API stores, nil for nothing.
func (b *bench) lease(lease string) *coordinationv1.Lease {
	all := leasestesting.Objects(b.api, &coordinationv1.Lease{})
	if i := slices.IndexFunc(all, func(l *coordinationv1.Lease) bool { return l.Name == lease }); i >= 0 {
		return all[i]
	}
	return nil
}

// remove deletes a lease by hand.
func (b *bench) remove(lease string) {
	b.t.Helper()
	hand := b.api.NewClient("somebody", leasestesting.ClientOptions{}).Kube().CoordinationV1().Leases(leasestesting.Namespace)
	if err := hand.Delete(b.t.Context(), lease, metav1.DeleteOptions{}); err != nil {
		b.t.Fatalf("failed to delete: %v", err)
	}
	b.sync()
}

// sync has the tracker and the cache see what the API stores.
func (b *bench) sync() {
	for _, cm := range leasestesting.Objects(b.api, &corev1.ConfigMap{}) {
		b.add(b.configMapCache, cm)
	}
	there := map[string]bool{}
	for _, l := range leasestesting.Objects(b.api, &coordinationv1.Lease{}) {
		there[l.Name] = true
		b.observer.Tracker.SawLease(l, b.time.now)
	}
	for _, lease := range slices.Concat(taskrun.Names(), wide.Names()) {
		if !there[lease] {
			b.observer.Tracker.LeaseGone(lease, b.time.now)
		}
	}
}

// uneven is a Deployment of two eligible replicas, the first of which leads the
// four leases of a queue since a minute, at 60 s.
func uneven(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	b.pod(b.replica("pod-a").Obj())
	b.pod(b.replica("pod-b").Obj())
	for seconds := 0; seconds <= 60; seconds += 10 {
		b.time.now = at(float64(seconds))
		b.write("pod-a_1", taskrun.Names()...)
	}
	return b
}

// until renews what each replica holds each retry period, up to a time, and
// reconciles each second.
func (b *bench) until(from, to int, identities ...string) {
	b.t.Helper()
	for second := from; second <= to; second++ {
		b.time.now = at(float64(second))
		if second%10 == 0 {
			for _, l := range leasestesting.Objects(b.api, &coordinationv1.Lease{}) {
				if by := ptr.Deref(l.Spec.HolderIdentity, ""); slices.Contains(identities, by) {
					b.write(by, l.Name)
				}
			}
		}
		b.reconcileAt(float64(second))
	}
}

// spreadNow shows who is in each lease.
func (b *bench) spreadNow() string {
	held := map[string]int{}
	for _, l := range leasestesting.Objects(b.api, &coordinationv1.Lease{}) {
		held[ptr.Deref(l.Spec.HolderIdentity, "")]++
	}
	return fmt.Sprint(held)
}
