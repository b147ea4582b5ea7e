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
	"maps"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

// PodBuilder builds a Pod.
type PodBuilder struct{ pod corev1.Pod }

// MakePod begins a pod with one container, scheduled but not running.
func MakePod(name string) *PodBuilder {
	return &PodBuilder{corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: name, UID: types.UID(name + "-uid")},
		Spec: corev1.PodSpec{
			NodeName:                      "node",
			TerminationGracePeriodSeconds: ptr.To[int64](30),
			Containers:                    []corev1.Container{{Name: "controller"}},
		},
		Status: corev1.PodStatus{
			Phase:             corev1.PodPending,
			ContainerStatuses: []corev1.ContainerStatus{{Name: "controller"}},
		},
	}}
}

// OwnedBy makes the pod one of a ReplicaSet's, from its template.
func (b *PodBuilder) OwnedBy(rs *appsv1.ReplicaSet) *PodBuilder {
	b.pod.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(rs, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))}
	b.pod.Labels = maps.Clone(rs.Spec.Template.Labels)
	if containers := rs.Spec.Template.Spec.Containers; len(containers) > 0 {
		b.pod.Spec.Containers = containers
		b.container().Name = containers[0].Name
	}
	return b
}

// UID sets metadata.uid.
func (b *PodBuilder) UID(uid string) *PodBuilder {
	b.pod.UID = types.UID(uid)
	return b
}

// Hostname sets spec.hostname.
func (b *PodBuilder) Hostname(name string) *PodBuilder {
	b.pod.Spec.Hostname = name
	return b
}

// HostNetwork puts the pod on the network of a node.
func (b *PodBuilder) HostNetwork(node string) *PodBuilder {
	b.pod.Spec.HostNetwork = true
	b.pod.Spec.NodeName = node
	return b
}

// Created sets metadata.creationTimestamp.
func (b *PodBuilder) Created(at time.Time) *PodBuilder {
	b.pod.CreationTimestamp = metav1.NewTime(at)
	return b
}

// Started has the container run since then.
func (b *PodBuilder) Started(at time.Time) *PodBuilder {
	b.pod.Status.Phase = corev1.PodRunning
	b.container().Started = ptr.To(true)
	b.container().State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(at)}}
	return b
}

// Finished has the container ended then.
func (b *PodBuilder) Finished(at time.Time, exitCode int32) *PodBuilder {
	b.container().Ready = false
	b.container().State = corev1.ContainerState{Terminated: terminated(at, exitCode)}
	return b
}

// Restarted has the container's process before this one ended then, and counts it.
func (b *PodBuilder) Restarted(at time.Time, exitCode int32) *PodBuilder {
	b.container().RestartCount++
	b.container().LastTerminationState = corev1.ContainerState{Terminated: terminated(at, exitCode)}
	return b
}

// Restarts sets the container's restart count.
func (b *PodBuilder) Restarts(n int32) *PodBuilder {
	b.container().RestartCount = n
	return b
}

// Ready has the pod run and be Ready since then.
func (b *PodBuilder) Ready(since time.Time) *PodBuilder {
	if b.container().State.Running == nil {
		b.Started(since)
	}
	return b.ready(corev1.ConditionTrue, since)
}

// NotReady has the pod be not Ready since then.
func (b *PodBuilder) NotReady(since time.Time) *PodBuilder {
	return b.ready(corev1.ConditionFalse, since)
}

// Terminating marks the pod as deleted, to be gone at the time given.
func (b *PodBuilder) Terminating(by time.Time) *PodBuilder {
	b.pod.DeletionTimestamp = ptr.To(metav1.NewTime(by))
	b.pod.DeletionGracePeriodSeconds = b.pod.Spec.TerminationGracePeriodSeconds
	return b
}

// Phase sets status.phase.
func (b *PodBuilder) Phase(phase corev1.PodPhase) *PodBuilder {
	b.pod.Status.Phase = phase
	return b
}

// Obj returns the pod.
func (b *PodBuilder) Obj() *corev1.Pod { return b.pod.DeepCopy() }

func (b *PodBuilder) container() *corev1.ContainerStatus { return &b.pod.Status.ContainerStatuses[0] }

func (b *PodBuilder) ready(status corev1.ConditionStatus, since time.Time) *PodBuilder {
	b.container().Ready = status == corev1.ConditionTrue
	b.pod.Status.Conditions = []corev1.PodCondition{{
		Type: corev1.PodReady, Status: status, LastTransitionTime: metav1.NewTime(since),
	}}
	return b
}

func terminated(at time.Time, exitCode int32) *corev1.ContainerStateTerminated {
	return &corev1.ContainerStateTerminated{ExitCode: exitCode, FinishedAt: metav1.NewTime(at)}
}
