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
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// The functions of this file are the only ones that move a container from one state to the next.

func toWaiting(s *corev1.ContainerStatus, reason, message string) {
	keepTermination(s)
	s.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}}
	s.Ready, s.Started = false, ptr.To(false)
}

func toRunning(s *corev1.ContainerStatus, id string, now time.Time) {
	keepTermination(s)
	if s.LastTerminationState.Terminated != nil {
		s.RestartCount++
	}
	s.ContainerID, s.ImageID = id, s.Image
	s.State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(now)}}
	s.Ready, s.Started = false, ptr.To(false)
}

func toTerminated(s *corev1.ContainerStatus, exitCode int32, message string, now time.Time) {
	terminated := &corev1.ContainerStateTerminated{
		ExitCode: exitCode, Reason: "Completed", Message: message, ContainerID: s.ContainerID, FinishedAt: metav1.NewTime(now),
	}
	if exitCode != 0 {
		terminated.Reason = "Error"
	}
	if s.State.Running != nil {
		terminated.StartedAt = s.State.Running.StartedAt
	}
	s.State = corev1.ContainerState{Terminated: terminated}
	s.Started = ptr.To(false)
	s.Ready = false
}

func keepTermination(s *corev1.ContainerStatus) {
	if s.State.Terminated != nil {
		s.LastTerminationState = s.State
	}
}
