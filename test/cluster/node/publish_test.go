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

package node

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

func TestPublishOnlyChanges(t *testing.T) {
	k, fake := newTestKubelet(t, testPod())
	p := newTestPod(k, testPod())
	for range 2 {
		if err := p.publish(t.Context(), false); err != nil {
			t.Fatal(err)
		}
	}
	p.mains[0].change(func(s *corev1.ContainerStatus) { toWaiting(s, "ErrImagePull", "") })
	if err := p.publish(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	const patch = "PATCH /api/v1/namespaces/ns/pods/pod-1/status"
	if diff := cmp.Diff([]string{patch, patch}, fake.requests); diff != "" {
		t.Errorf("unexpected requests (-want, +got): %s", diff)
	}
}

func TestPublishLeavesOthersConditionsAlone(t *testing.T) {
	scheduled := corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionTrue}
	k, fake := newTestKubelet(t, testPod(func(p *corev1.Pod) {
		p.Status.Conditions = []corev1.PodCondition{scheduled}
		p.Status.QOSClass = corev1.PodQOSBurstable
	}))
	if err := newTestPod(k, testPod()).publish(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	status := <-fake.statuses
	kept := false
	for _, c := range status.Conditions {
		kept = kept || c == scheduled
	}
	if !kept || status.QOSClass != corev1.PodQOSBurstable {
		t.Errorf("after the patch the status is %+v", status)
	}
}

func TestPodThatIsGoneNeedsNoStatus(t *testing.T) {
	k, _ := newTestKubelet(t)
	p := newTestPod(k, testPod())
	if err := p.farewell(); err != nil {
		t.Errorf("a pod whose object is gone cannot end: %v", err)
	}
}

func TestPublishPutsRightWhatOthersWrote(t *testing.T) {
	object := testPod()
	k, fake := newTestKubelet(t, object)
	p := newTestPod(k, object)
	p.mains[0].change(func(s *corev1.ContainerStatus) { s.Ready = true })
	if err := p.publish(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	object = object.DeepCopy()
	object.Status = <-fake.statuses
	for i := range object.Status.Conditions {
		if object.Status.Conditions[i].Type == corev1.PodReady {
			object.Status.Conditions[i].Status = corev1.ConditionFalse
		}
	}
	fake.add(object)
	p.update(object)
	for range 2 { // the second time there is nothing to say
		if err := p.publish(t.Context(), false); err != nil {
			t.Fatal(err)
		}
	}
	if !isReady(<-fake.statuses) || len(fake.statuses) > 0 {
		t.Error("the pod is not ready, or was published once more without a reason")
	}
}
