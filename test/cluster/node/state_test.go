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
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

func TestStates(t *testing.T) {
	at := func(s int64) time.Time { return time.Unix(s, 0) }
	began := func(s int64) metav1.Time { return metav1.NewTime(at(s)) }
	firstEnd := &corev1.ContainerStateTerminated{
		ExitCode: 137, Reason: "Error", Message: "killed", StartedAt: began(1), FinishedAt: began(5), ContainerID: "process://1",
	}
	secondEnd := &corev1.ContainerStateTerminated{
		Reason: "Completed", StartedAt: began(6), FinishedAt: began(9), ContainerID: "process://2",
	}
	cases := map[string]struct {
		steps func(s *corev1.ContainerStatus)
		want  corev1.ContainerStatus
	}{
		"runs": {
			steps: func(s *corev1.ContainerStatus) { toRunning(s, "process://1", at(1)) },
			want: corev1.ContainerStatus{
				ContainerID: "process://1", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: began(1)}},
			},
		},
		"was killed": {
			steps: func(s *corev1.ContainerStatus) {
				toRunning(s, "process://1", at(1))
				s.Ready, s.Started = true, ptr.To(true)
				toTerminated(s, 137, "killed", at(5))
			},
			want: corev1.ContainerStatus{ContainerID: "process://1", State: corev1.ContainerState{Terminated: firstEnd}},
		},
		"waits for its restart": {
			steps: func(s *corev1.ContainerStatus) {
				toRunning(s, "process://1", at(1))
				toTerminated(s, 137, "killed", at(5))
				toWaiting(s, "CrashLoopBackOff", "back-off 10s")
			},
			want: corev1.ContainerStatus{
				ContainerID:          "process://1",
				State:                corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: "back-off 10s"}},
				LastTerminationState: corev1.ContainerState{Terminated: firstEnd},
			},
		},
		"runs again": {
			steps: func(s *corev1.ContainerStatus) {
				toRunning(s, "process://1", at(1))
				toTerminated(s, 137, "killed", at(5))
				toWaiting(s, "CrashLoopBackOff", "back-off 10s")
				toRunning(s, "process://2", at(6))
			},
			want: corev1.ContainerStatus{
				ContainerID: "process://2", RestartCount: 1,
				State:                corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: began(6)}},
				LastTerminationState: corev1.ContainerState{Terminated: firstEnd},
			},
		},
		"ended for the second time": {
			steps: func(s *corev1.ContainerStatus) {
				toRunning(s, "process://1", at(1))
				toTerminated(s, 137, "killed", at(5))
				toRunning(s, "process://2", at(6))
				toTerminated(s, 0, "", at(9))
			},
			want: corev1.ContainerStatus{
				ContainerID: "process://2", RestartCount: 1,
				State:                corev1.ContainerState{Terminated: secondEnd},
				LastTerminationState: corev1.ContainerState{Terminated: firstEnd},
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var got corev1.ContainerStatus
			tc.steps(&got)
			tc.want.Started = ptr.To(false) // until the probes say otherwise
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("unexpected status (-want, +got): %s", diff)
			}
		})
	}
}
