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

package testing

import (
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

func TestSpecAndStatusAreWrittenApart(t *testing.T) {
	api := NewAPI()
	c := api.NewClient("test", ClientOptions{}).Kube().AppsV1().Deployments(Namespace)
	d, err := c.Create(t.Context(), MakeDeployment("d").Replicas(2).Obj(), metav1.CreateOptions{})
	if err != nil {
		t.Fatal("failed to create:", err)
	}
	if d.Generation != 1 || d.Status.Replicas != 0 {
		t.Errorf("created with generation %d and status %v, want 1 and none", d.Generation, d.Status)
	}

	d.Status.Replicas, d.Spec.Replicas = 2, ptr.To[int32](7)
	if d, err = c.UpdateStatus(t.Context(), d, metav1.UpdateOptions{}); err != nil {
		t.Fatal("failed to update the status:", err)
	}
	if d.Generation != 1 || d.Status.Replicas != 2 || *d.Spec.Replicas != 2 {
		t.Errorf("after a status write: generation %d, status %d, spec %d; want 1, 2, 2", d.Generation, d.Status.Replicas, *d.Spec.Replicas)
	}

	d.Status.Replicas, d.Spec.Replicas = 9, ptr.To[int32](4)
	if d, err = c.Update(t.Context(), d, metav1.UpdateOptions{}); err != nil {
		t.Fatal("failed to update:", err)
	}
	if d.Generation != 2 || d.Status.Replicas != 2 || *d.Spec.Replicas != 4 {
		t.Errorf("after a spec write: generation %d, status %d, spec %d; want 2, 2, 4", d.Generation, d.Status.Replicas, *d.Spec.Replicas)
	}

	d.Annotations = map[string]string{"a": "b"}
	if d, err = c.Update(t.Context(), d, metav1.UpdateOptions{}); err != nil {
		t.Fatal("failed to update:", err)
	}
	if d.Generation != 3 {
		t.Errorf("generation = %d after an annotation, want 3", d.Generation)
	}
	d.Labels = map[string]string{"a": "b"}
	if d, err = c.Update(t.Context(), d, metav1.UpdateOptions{}); err != nil {
		t.Fatal("failed to update:", err)
	}
	if d.Generation != 3 {
		t.Errorf("generation = %d after a label, want 3", d.Generation)
	}
}

func TestPodDeletion(t *testing.T) {
	now := metav1.DeleteOptions{GracePeriodSeconds: ptr.To[int64](0)}
	cases := map[string]struct {
		pod     *corev1.Pod
		options metav1.DeleteOptions
		// grace is how long the pod stays marked; nil if it is gone at once.
		grace *int64
	}{
		"running":               {pod: MakePod("p").Obj(), grace: ptr.To[int64](30)},
		"running, shorter":      {pod: MakePod("p").Obj(), options: metav1.DeleteOptions{GracePeriodSeconds: ptr.To[int64](5)}, grace: ptr.To[int64](5)},
		"by force":              {pod: MakePod("p").Obj(), options: now},
		"ended":                 {pod: MakePod("p").Phase(corev1.PodFailed).Obj()},
		"not scheduled":         {pod: MakePod("p").HostNetwork("").Obj()},
		"already being deleted": {pod: MakePod("p").Terminating(time.Now().Add(10 * time.Second)).Obj(), grace: ptr.To[int64](30)},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			api := NewAPI(tc.pod)
			c := api.NewClient("test", ClientOptions{}).Kube().CoreV1().Pods(Namespace)
			if err := c.Delete(t.Context(), "p", tc.options); err != nil {
				t.Fatal("failed to delete:", err)
			}
			pods := Objects(api, tc.pod)
			if tc.grace == nil {
				if len(pods) != 0 {
					t.Errorf("pod is there: %v, want it gone", pods[0].ObjectMeta)
				}
				return
			}
			if len(pods) != 1 || pods[0].DeletionTimestamp == nil || *pods[0].DeletionGracePeriodSeconds != *tc.grace {
				t.Fatalf("pods = %v, want one with %d s of grace", pods, *tc.grace)
			}
			if err := c.Delete(t.Context(), "p", now); err != nil {
				t.Fatal("failed to delete by force:", err)
			}
			if pods := Objects(api, tc.pod); len(pods) != 0 {
				t.Error("pod outlived a delete without grace")
			}
		})
	}
}

func TestTerminatingCannotBeUndone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := NewAPI(MakePod("p").Obj())
		c := api.NewClient("test", ClientOptions{}).Kube().CoreV1().Pods(Namespace)
		if err := c.Delete(t.Context(), "p", metav1.DeleteOptions{}); err != nil {
			t.Fatal("failed to delete:", err)
		}
		pod, err := c.Get(t.Context(), "p", metav1.GetOptions{})
		if err != nil {
			t.Fatal("failed to get:", err)
		}
		want := metav1.NewTime(time.Now().Add(30 * time.Second))
		if !pod.DeletionTimestamp.Equal(&want) {
			t.Errorf("deletionTimestamp = %v, want %v", pod.DeletionTimestamp, want)
		}
		pod.DeletionTimestamp = nil
		if pod, err = c.Update(t.Context(), pod, metav1.UpdateOptions{}); err != nil {
			t.Fatal("failed to update:", err)
		}
		if !pod.DeletionTimestamp.Equal(&want) {
			t.Errorf("deletionTimestamp = %v after an update, want %v", pod.DeletionTimestamp, want)
		}
	})
}

func TestPodOfADeployment(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	d := MakeDeployment("d").Env("CONFIG_LEADERELECTION_NAME", "cm").Obj()
	rs := MakeReplicaSet(d, "abc")
	pod := MakePod("d-abc-x").OwnedBy(rs).Started(now).Ready(now.Add(time.Second)).Obj()
	if owner := metav1.GetControllerOf(rs); owner == nil || owner.UID != d.UID {
		t.Errorf("the ReplicaSet's owner is %v, want the Deployment", owner)
	}
	if owner := metav1.GetControllerOf(pod); owner == nil || owner.UID != rs.UID || owner.Kind != "ReplicaSet" {
		t.Errorf("the pod's owner is %v, want the ReplicaSet", owner)
	}
	if pod.Labels["app"] != "d" || pod.Labels["pod-template-hash"] != "abc" || d.Spec.Template.Labels["pod-template-hash"] != "" {
		t.Errorf("labels %v of the pod and %v of the Deployment, want the hash on the pod only", pod.Labels, d.Spec.Template.Labels)
	}
	status := pod.Status.ContainerStatuses[0]
	if status.Name != "d" || pod.Spec.Containers[0].Env[0].Value != "cm" {
		t.Errorf("containers %v, status of %q; want those of the template", pod.Spec.Containers, status.Name)
	}
	if !status.Ready || !status.State.Running.StartedAt.Time.Equal(now) {
		t.Errorf("status = %v, want Ready and started at %v", status, now)
	}
}
