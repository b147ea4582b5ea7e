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
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// status is what the API server should know now. After the pod's end it is final. The caller holds the lock.
func (p *pod) status(final bool) corev1.PodStatus {
	inits, mains := statuses(p.inits, final), statuses(p.mains, final)
	status := corev1.PodStatus{
		Phase:                 phase(p.object.Spec.RestartPolicy, inits, mains, final),
		HostIP:                hostIP,
		HostIPs:               []corev1.HostIP{{IP: hostIP}},
		PodIP:                 p.ip.String(),
		PodIPs:                []corev1.PodIP{{IP: p.ip.String()}},
		StartTime:             &p.startTime,
		InitContainerStatuses: inits,
		ContainerStatuses:     mains,
	}
	status.Conditions = conditions(status, p.published.last.Conditions, time.Now())
	return status
}

func statuses(containers []*container, final bool) []corev1.ContainerStatus {
	all := make([]corev1.ContainerStatus, 0, len(containers))
	for _, c := range containers {
		status := *c.status.DeepCopy()
		if last := status.LastTerminationState.Terminated; final && status.State.Waiting != nil && last != nil {
			status.State = corev1.ContainerState{Terminated: last} // it waits for nothing any more
		}
		all = append(all, status)
	}
	return all
}

// phase is where a pod is in its life, by the rules of the kubelet.
func phase(policy corev1.RestartPolicy, inits, mains []corev1.ContainerStatus, final bool) corev1.PodPhase {
	for _, c := range inits {
		if t := c.State.Terminated; t != nil && t.ExitCode != 0 && (final || policy == corev1.RestartPolicyNever) {
			return corev1.PodFailed
		}
		if c.State.Terminated == nil && !final {
			return corev1.PodPending
		}
	}
	count := tally(mains)
	switch {
	case final && count.succeeded == len(mains):
		return corev1.PodSucceeded
	case final:
		return corev1.PodFailed
	case count.new > 0:
		return corev1.PodPending
	case count.running > 0 || policy == corev1.RestartPolicyAlways:
		return corev1.PodRunning
	case count.succeeded == len(mains):
		return corev1.PodSucceeded
	case policy == corev1.RestartPolicyNever:
		return corev1.PodFailed
	default:
		return corev1.PodRunning // it will be restarted
	}
}

// counts are the numbers of containers that have never run, that run, and that ended well.
type counts struct{ new, running, succeeded int }

func tally(containers []corev1.ContainerStatus) counts {
	var n counts
	for _, c := range containers {
		switch {
		case c.State.Running != nil:
			n.running++
		case c.State.Terminated != nil && c.State.Terminated.ExitCode == 0:
			n.succeeded++
		case c.State.Terminated == nil && c.LastTerminationState.Terminated == nil:
			n.new++
		}
	}
	return n
}

// conditions derives the conditions that belong to the node. A time of transition is kept while the status is.
func conditions(status corev1.PodStatus, before []corev1.PodCondition, now time.Time) []corev1.PodCondition {
	initialized := corev1.PodCondition{Type: corev1.PodInitialized, Status: corev1.ConditionTrue}
	for _, c := range status.InitContainerStatuses {
		if c.State.Terminated == nil || c.State.Terminated.ExitCode != 0 {
			initialized.Status, initialized.Reason = corev1.ConditionFalse, "ContainersNotInitialized"
		}
	}
	ready := readiness(status)
	containersReady := ready
	containersReady.Type = corev1.ContainersReady
	all := []corev1.PodCondition{
		{Type: corev1.PodReadyToStartContainers, Status: corev1.ConditionTrue}, initialized, containersReady, ready,
	}
	for i := range all {
		all[i].LastTransitionTime = metav1.NewTime(now)
		same := func(c corev1.PodCondition) bool { return c.Type == all[i].Type && c.Status == all[i].Status }
		if j := slices.IndexFunc(before, same); j >= 0 {
			all[i].LastTransitionTime = before[j].LastTransitionTime
		}
	}
	return all
}

func readiness(status corev1.PodStatus) corev1.PodCondition {
	var unready []string
	for _, c := range status.ContainerStatuses {
		if !c.Ready {
			unready = append(unready, c.Name)
		}
	}
	condition := corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue}
	if len(unready) == 0 {
		return condition
	}
	condition.Status = corev1.ConditionFalse
	switch status.Phase {
	case corev1.PodSucceeded:
		condition.Reason = "PodCompleted"
	case corev1.PodFailed:
		condition.Reason = "PodFailed"
	default:
		condition.Reason = "ContainersNotReady"
		condition.Message = fmt.Sprintf("containers with unready status: [%s]", strings.Join(unready, " "))
	}
	return condition
}
