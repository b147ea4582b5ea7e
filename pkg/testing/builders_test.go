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
	"time"

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func TestMakeLease(t *testing.T) {
	got := MakeLease("x").Namespace("ns").UID("u").ResourceVersion("7").Annotation("a", "b").
		Holder("p_1").Acquired(noon).Renewed(noon.Add(time.Second)).Duration(60).Transitions(3).Obj()
	want := &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "ns", Name: "x", UID: "u", ResourceVersion: "7", Annotations: map[string]string{"a": "b"},
		},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity:       ptr.To("p_1"),
			LeaseDurationSeconds: ptr.To[int32](60),
			AcquireTime:          ptr.To(metav1.NewMicroTime(noon)),
			RenewTime:            ptr.To(metav1.NewMicroTime(noon.Add(time.Second))),
			LeaseTransitions:     ptr.To[int32](3),
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("unexpected lease (-want, +got):\n", diff)
	}
}

func TestMakePod(t *testing.T) {
	type status struct {
		Phase      corev1.PodPhase
		Ready      bool
		Since      time.Time
		Restarts   int32
		Started    time.Time
		Finished   time.Time
		LastFinish time.Time
		Deleted    bool
	}
	cases := map[string]struct {
		pod  *PodBuilder
		want status
	}{
		"new":     {MakePod("p"), status{Phase: corev1.PodPending}},
		"started": {MakePod("p").Started(noon), status{Phase: corev1.PodRunning, Started: noon}},
		"ready":   {MakePod("p").Ready(noon), status{Phase: corev1.PodRunning, Started: noon, Ready: true, Since: noon}},
		"ready later": {
			MakePod("p").Started(noon).Ready(noon.Add(time.Minute)),
			status{Phase: corev1.PodRunning, Started: noon, Ready: true, Since: noon.Add(time.Minute)},
		},
		"not ready any more": {
			MakePod("p").Ready(noon).NotReady(noon.Add(time.Hour)),
			status{Phase: corev1.PodRunning, Started: noon, Since: noon.Add(time.Hour)},
		},
		"restarted": {
			MakePod("p").Restarts(3).Restarted(noon, 137).Ready(noon.Add(time.Second)),
			status{
				Phase: corev1.PodRunning, Started: noon.Add(time.Second), Ready: true, Since: noon.Add(time.Second),
				Restarts: 4, LastFinish: noon,
			},
		},
		"finished": {
			MakePod("p").Ready(noon).Finished(noon.Add(time.Hour), 1).Phase(corev1.PodFailed),
			status{Phase: corev1.PodFailed, Since: noon, Finished: noon.Add(time.Hour)},
		},
		"terminating": {MakePod("p").Terminating(noon), status{Phase: corev1.PodPending, Deleted: true}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			pod := tc.pod.Obj()
			container := pod.Status.ContainerStatuses[0]
			got := status{
				Phase: pod.Status.Phase, Ready: container.Ready, Restarts: container.RestartCount,
				Deleted: pod.DeletionTimestamp != nil,
			}
			if len(pod.Status.Conditions) > 0 {
				got.Since = pod.Status.Conditions[0].LastTransitionTime.Time
			}
			if running := container.State.Running; running != nil {
				got.Started = running.StartedAt.Time
			}
			if ended := container.State.Terminated; ended != nil {
				got.Finished = ended.FinishedAt.Time
			}
			if ended := container.LastTerminationState.Terminated; ended != nil {
				got.LastFinish = ended.FinishedAt.Time
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error("unexpected status (-want, +got):\n", diff)
			}
		})
	}
}

func TestMakePodIsIndependent(t *testing.T) {
	d := MakeDeployment("d").Obj()
	rs := MakeReplicaSet(d, "h")
	b := MakePod("p").OwnedBy(rs)
	one := b.Obj()
	one.Labels["app"], one.Spec.Containers[0].Name = "changed", "changed"
	if two := b.Obj(); two.Labels["app"] != "d" || two.Spec.Containers[0].Name != "d" {
		t.Errorf("a built pod shares %v and %v with the next one", two.Labels, two.Spec.Containers)
	}
	if rs.Labels["app"] != "d" || d.Labels["app"] != "" {
		t.Errorf("a built pod shares its labels with its owners: %v, %v", rs.Labels, d.Labels)
	}
}

func TestMakeDeployment(t *testing.T) {
	type rollout struct {
		Want, Have, Updated, Ready, Unavailable int32
		Generation, Observed                    int64
	}
	cases := map[string]struct {
		deployment *DeploymentBuilder
		want       rollout
	}{
		"one replica": {MakeDeployment("d"), rollout{Want: 1, Have: 1, Updated: 1, Ready: 1, Generation: 1, Observed: 1}},
		"complete":    {MakeDeployment("d").Replicas(3), rollout{Want: 3, Have: 3, Updated: 3, Ready: 3, Generation: 1, Observed: 1}},
		"one is not ready": {
			MakeDeployment("d").Replicas(3).ReadyReplicas(2),
			rollout{Want: 3, Have: 3, Updated: 3, Ready: 2, Unavailable: 1, Generation: 1, Observed: 1},
		},
		"rolling": {
			MakeDeployment("d").Replicas(3).Updated(1).Generation(2, 1),
			rollout{Want: 3, Have: 3, Updated: 1, Ready: 3, Generation: 2, Observed: 1},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			d := tc.deployment.Annotation("a", "b").Args("-x").Obj()
			got := rollout{
				Want: *d.Spec.Replicas, Have: d.Status.Replicas, Updated: d.Status.UpdatedReplicas,
				Ready: d.Status.ReadyReplicas, Unavailable: d.Status.UnavailableReplicas,
				Generation: d.Generation, Observed: d.Status.ObservedGeneration,
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error("unexpected rollout (-want, +got):\n", diff)
			}
			if d.Annotations["a"] != "b" || d.Spec.Template.Spec.Containers[0].Args[0] != "-x" {
				t.Errorf("annotations %v, containers %v", d.Annotations, d.Spec.Template.Spec.Containers)
			}
		})
	}
}
