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

	"github.com/google/go-cmp/cmp"
)

// vanish removes the Deployment, and not yet its pods.
func (b *bench) vanish() {
	b.t.Helper()
	if err := b.deploymentCache.Delete(b.deployment); err != nil {
		b.t.Fatal(err)
	}
}

// observeDeletion is what the generated reconciler calls when the Deployment is
// not in the cache.
func (b *bench) observeDeletion(seconds float64) {
	b.t.Helper()
	b.time.now = at(seconds)
	b.sync()
	if err := b.ObserveDeletion(b.context(), key); err != nil {
		b.t.Fatalf("ObserveDeletion: %v", err)
	}
	b.sync()
}

// TestDeletedInBetween: what is held for a Deployment that vanished is given
// back, if its pods stay, and then nothing of it is remembered.
func TestDeletedInBetween(t *testing.T) {
	b := uneven(t)
	b.until(61, 70, "pod-a_1")
	b.wrote()
	b.vanish()
	b.observeDeletion(71)
	b.observeDeletion(75.9)
	if writes := b.wrote(); len(writes) > 0 {
		t.Errorf("wrote %v before it is known whether the pods stay", writes)
	}
	b.observeDeletion(77)
	want := []string{"update taskrun.00-of-04 pod-a_1", "update taskrun.01-of-04 pod-a_1"}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
	b.observeDeletion(78)
	if len(b.work) != 0 || len(b.metrics.shown) != 0 {
		t.Errorf("remembered: %v, shown: %v", b.work, b.metrics.shown)
	}
}

// TestDeletedWithItsPods: the pods of a Deployment that vanished are asked to stop
// a moment later. What is held is not given back to a process that would not
// notice, but released when its node says that it has ended.
func TestDeletedWithItsPods(t *testing.T) {
	b := uneven(t)
	b.until(61, 70, "pod-a_1")
	b.wrote()
	b.vanish()
	b.observeDeletion(71)
	b.pod(b.replica("pod-a").Terminating(at(102).Add(-skew)).Obj())
	b.observeDeletion(72)
	b.observeDeletion(78)
	if writes := b.wrote(); len(writes) > 0 {
		t.Errorf("wrote %v before the process has ended", writes)
	}
	b.pod(b.replica("pod-a").Terminating(at(102).Add(-skew)).Finished(at(79).Add(-skew), 0).Obj())
	b.observeDeletion(80)
	want := []string{"delete taskrun.00-of-04", "delete taskrun.01-of-04"}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
}

// TestDeletedAndPodsGoneAtOnce: a node tells the end of a process and removes its
// pod in the same moment. What was said last counts.
func TestDeletedAndPodsGoneAtOnce(t *testing.T) {
	b := uneven(t)
	b.until(61, 70, "pod-a_1")
	b.wrote()
	b.vanish()
	b.observeDeletion(71)
	pod := b.replica("pod-a").Terminating(at(102).Add(-skew)).Finished(at(72).Add(-skew), 0).Obj()
	b.time.now = at(72)
	b.pod(pod)
	if err := b.podCache.Delete(pod); err != nil {
		t.Fatal(err)
	}
	b.observer.Tracker.PodGone(pod, at(72))
	b.observeDeletion(73)
	want := []string{"delete taskrun.00-of-04", "delete taskrun.01-of-04"}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
}

// TestReturnedInBetween: a Deployment that is there again is no missing one.
func TestReturnedInBetween(t *testing.T) {
	b := uneven(t)
	b.until(61, 70, "pod-a_1")
	b.wrote()
	b.vanish()
	b.observeDeletion(71)
	b.deploy(b.deployment)
	b.deployment.Status.UpdatedReplicas = 0 // a rollout
	b.reconcileAt(72)
	want := []string{"update taskrun.00-of-04 pod-a_1", "update taskrun.01-of-04 pod-a_1"}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
}

// TestDeletedAndPodsGone: without the old holder's pod the wait is waited, and
// then the lease is opened.
func TestDeletedAndPodsGone(t *testing.T) {
	b := uneven(t)
	b.until(61, 70, "pod-a_1")
	b.vanish()
	if err := b.podCache.Delete(b.replica("pod-a").Obj()); err != nil {
		t.Fatal(err)
	}
	b.wrote()
	for second := 71; second < 152; second++ {
		b.observeDeletion(float64(second))
	}
	for _, write := range b.wrote() {
		if write != "update taskrun.00-of-04 "+ownIdentity && write != "update taskrun.01-of-04 "+ownIdentity {
			t.Errorf("before the wait is over: %s", write)
		}
	}
	b.observeDeletion(152) // 60 + 10 + 2 x 40 + 2
	want := []string{"delete taskrun.00-of-04", "delete taskrun.01-of-04"}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
}

// TestDeletedInPeace: a Deployment of which nothing is in flight is forgotten at
// once, and so is one that was never known.
func TestDeletedInPeace(t *testing.T) {
	b := uneven(t)
	b.observeDeletion(61)
	if len(b.woken) != 0 {
		t.Errorf("an unknown Deployment comes back after %v", b.woken)
	}
	b.deployment.Status.ReadyReplicas = 1
	b.reconcileAt(62)
	if len(b.work) != 1 || len(b.metrics.shown) != 1 {
		t.Fatalf("remembered: %v, shown: %v", b.work, b.metrics.shown)
	}
	b.vanish()
	b.observeDeletion(63)
	if len(b.work) != 0 || len(b.metrics.shown) != 0 {
		t.Errorf("remembered: %v, shown: %v", b.work, b.metrics.shown)
	}
}
