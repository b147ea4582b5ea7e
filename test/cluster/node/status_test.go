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
)

// The states that a container can be in, for tables.
var (
	fresh   = corev1.ContainerStatus{State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{}}}
	running = corev1.ContainerStatus{State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}
	good    = corev1.ContainerStatus{State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{}}}
	bad     = corev1.ContainerStatus{State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1}}}
	backing = corev1.ContainerStatus{State: fresh.State, LastTerminationState: bad.State}
)

func TestPhase(t *testing.T) {
	const always, onFailure, never = corev1.RestartPolicyAlways, corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever
	type list = []corev1.ContainerStatus
	cases := map[string]struct {
		policy       corev1.RestartPolicy
		inits, mains list
		final        bool
		want         corev1.PodPhase
	}{
		"not started":                       {always, nil, list{fresh}, false, corev1.PodPending},
		"one of two not started":            {always, nil, list{running, fresh}, false, corev1.PodPending},
		"running":                           {always, nil, list{running}, false, corev1.PodRunning},
		"backing off":                       {always, nil, list{backing}, false, corev1.PodRunning},
		"will be restarted":                 {always, nil, list{good}, false, corev1.PodRunning},
		"failed, will be restarted":         {onFailure, nil, list{bad}, false, corev1.PodRunning},
		"failed for good":                   {never, nil, list{bad, good}, false, corev1.PodFailed},
		"failed, another runs":              {never, nil, list{bad, running}, false, corev1.PodRunning},
		"succeeded":                         {never, nil, list{good, good}, false, corev1.PodSucceeded},
		"succeeded, failure would restart":  {onFailure, nil, list{good}, false, corev1.PodSucceeded},
		"init runs":                         {never, list{running}, list{fresh}, false, corev1.PodPending},
		"init failed, will be restarted":    {always, list{backing}, list{fresh}, false, corev1.PodPending},
		"init failed for good":              {never, list{bad}, list{fresh}, false, corev1.PodFailed},
		"init done":                         {never, list{good}, list{running}, false, corev1.PodRunning},
		"ended well after its deletion":     {always, nil, list{good, good}, true, corev1.PodSucceeded},
		"ended badly after its deletion":    {always, nil, list{good, bad}, true, corev1.PodFailed},
		"deleted before it started":         {always, nil, list{fresh}, true, corev1.PodFailed},
		"deleted while an init was waiting": {always, list{fresh}, list{fresh}, true, corev1.PodFailed},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := phase(tc.policy, tc.inits, tc.mains, tc.final); got != tc.want {
				t.Errorf("got phase %s, want %s", got, tc.want)
			}
		})
	}
}

func TestFinalStatusWaitsForNothing(t *testing.T) {
	c := []*container{{status: backing}, {status: fresh}}
	want := []corev1.ContainerStatus{{State: bad.State, LastTerminationState: bad.State}, fresh}
	if diff := cmp.Diff(want, statuses(c, true)); diff != "" {
		t.Errorf("unexpected final statuses (-want, +got): %s", diff)
	}
	if diff := cmp.Diff([]corev1.ContainerStatus{backing, fresh}, statuses(c, false)); diff != "" {
		t.Errorf("unexpected statuses (-want, +got): %s", diff)
	}
}

func TestConditions(t *testing.T) {
	ready, unready := running, running
	ready.Name, ready.Ready = "a", true
	unready.Name = "b"
	cases := map[string]struct {
		status corev1.PodStatus
		want   map[corev1.PodConditionType]string // status and reason
	}{
		"ready": {
			status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{ready}},
			want:   map[corev1.PodConditionType]string{"Initialized": "True", "ContainersReady": "True", "Ready": "True"},
		},
		"one is not ready": {
			status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{ready, unready}},
			want: map[corev1.PodConditionType]string{
				"Initialized":     "True",
				"ContainersReady": "False ContainersNotReady containers with unready status: [b]",
				"Ready":           "False ContainersNotReady containers with unready status: [b]",
			},
		},
		"an init container runs": {
			status: corev1.PodStatus{
				Phase:                 corev1.PodPending,
				InitContainerStatuses: []corev1.ContainerStatus{running},
				ContainerStatuses:     []corev1.ContainerStatus{unready},
			},
			want: map[corev1.PodConditionType]string{
				"Initialized":     "False ContainersNotInitialized",
				"ContainersReady": "False ContainersNotReady containers with unready status: [b]",
				"Ready":           "False ContainersNotReady containers with unready status: [b]",
			},
		},
		"succeeded": {
			status: corev1.PodStatus{Phase: corev1.PodSucceeded, ContainerStatuses: []corev1.ContainerStatus{good}},
			want:   map[corev1.PodConditionType]string{"Initialized": "True", "ContainersReady": "False PodCompleted", "Ready": "False PodCompleted"},
		},
		"failed": {
			status: corev1.PodStatus{Phase: corev1.PodFailed, ContainerStatuses: []corev1.ContainerStatus{bad}},
			want:   map[corev1.PodConditionType]string{"Initialized": "True", "ContainersReady": "False PodFailed", "Ready": "False PodFailed"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := map[corev1.PodConditionType]string{}
			for _, c := range conditions(tc.status, nil, time.Now()) {
				got[c.Type] = string(c.Status)
				for _, more := range []string{c.Reason, c.Message} {
					if more != "" {
						got[c.Type] += " " + more
					}
				}
			}
			tc.want["PodReadyToStartContainers"] = "True"
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("unexpected conditions (-want, +got): %s", diff)
			}
		})
	}
}

func TestConditionsKeepTheirTime(t *testing.T) {
	then, now := time.Unix(1, 0), time.Unix(2, 0)
	status := corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{running}}
	before := conditions(status, nil, then)
	status.ContainerStatuses[0].Ready = true
	want := map[corev1.PodConditionType]metav1.Time{
		corev1.PodInitialized:            metav1.NewTime(then),
		corev1.PodReadyToStartContainers: metav1.NewTime(then),
		corev1.ContainersReady:           metav1.NewTime(now),
		corev1.PodReady:                  metav1.NewTime(now),
	}
	got := map[corev1.PodConditionType]metav1.Time{}
	for _, c := range conditions(status, before, now) {
		got[c.Type] = c.LastTransitionTime
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("unexpected times of transition (-want, +got): %s", diff)
	}
}
