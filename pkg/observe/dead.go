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

package observe

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

const (
	// lateSight is how much later than the report of its end the last writes of a
	// process may be shown to us: the two come by different watches.
	lateSight = 3 * time.Second
	// lateReport is how much later than the first writes of a process the report
	// of its start may be shown to us.
	lateReport = 30 * time.Second
	// lateRenewal is how late a renewal may be before its absence says something.
	lateRenewal = 5 * time.Second
)

// end is what a container's status says of the end of a process: that the next
// one was started in that second, or that it finished in it.
type end struct {
	container string
	finished  bool
	second    time.Time
}

// endsOf are what the status of a container says.
func endsOf(c corev1.ContainerStatus) []end {
	var all []end
	if run := c.State.Running; run != nil {
		all = append(all, end{container: c.Name, second: run.StartedAt.UTC()})
	}
	for _, run := range []*corev1.ContainerStateTerminated{c.State.Terminated, c.LastTerminationState.Terminated} {
		if run != nil {
			all = append(all, end{container: c.Name, finished: true, second: run.FinishedAt.UTC()})
		}
	}
	return all
}

// reported notes what the status of a pod says now, each with the time when it
// was said first.
func (t *Tracker) reported(pod *corev1.Pod, now time.Time) {
	before, after := t.reports[pod.UID], map[end]time.Time{}
	for _, c := range pod.Status.ContainerStatuses {
		for _, e := range endsOf(c) {
			after[e] = now
			if first, ok := before[e]; ok {
				after[e] = first
			}
		}
	}
	t.reports[pod.UID] = after
}

// Dead tells whether the process with this identity has surely ended. Its own
// stamps must say so beside those of its node, see [Tracker.ended]. That the
// clock of a node may be set back, and the stamps of a living process with it, is
// why that is believed at once only of a process that we knew well before the
// report. Any other must have been silent for longer than its retryPeriod, while
// others were heard.
func (t *Tracker) Dead(pod *corev1.Pod, identity string, retryPeriod time.Duration, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dead(pod, identity, retryPeriod, now)
}

// DeadBefore is Dead for a pod that is gone, by what its status said last.
func (t *Tracker) DeadBefore(identity string, retryPeriod time.Duration, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	pod := t.past[bucket.HostnameOf(identity)]
	return pod != nil && t.dead(pod, identity, retryPeriod, now)
}

func (t *Tracker) dead(pod *corev1.Pod, identity string, retryPeriod time.Duration, now time.Time) bool {
	k := t.identities[identity]
	reported, ok := t.end(pod, k, now)
	return ok && (exited(pod) || reported.Sub(k.first) > lateReport || t.heard.Sub(k.seen) > retryPeriod+lateRenewal)
}

// ended tells whether the stamps of a process say that it has ended: for each of
// the containers of its pod, it wrote nothing after the start of the present run,
// or after the end of one. All of these are by the clock of the pod's node.
// When a report arrives, a deletion timestamp, a vanished pod or what the control
// plane says of the pod's phase prove nothing. But what was seen to write after
// such a report is not the process that it speaks of, whatever its stamps say.
func (t *Tracker) ended(pod *corev1.Pod, k *known) bool {
	_, ok := t.end(pod, k, time.Time{})
	return ok
}

// end also tells when it was reported, which is now if it was not yet.
func (t *Tracker) end(pod *corev1.Pod, k *known, now time.Time) (reported time.Time, ok bool) {
	if k == nil || len(pod.Status.ContainerStatuses) == 0 {
		return time.Time{}, false
	}
	reported = now
	for _, c := range pod.Status.ContainerStatuses {
		if over(pod) && c.State.Terminated != nil {
			continue
		}
		var last time.Time
		ended := false
		for _, e := range endsOf(c) {
			first, known := t.reports[pod.UID][e]
			if !known {
				first = now
			}
			if k.by(e) && !(known && k.seen.Sub(first) > lateSight) {
				last, ended = later(last, first), true
			}
		}
		if !ended {
			return time.Time{}, false
		}
		if last.Before(reported) {
			reported = last
		}
	}
	return reported, true
}

// by tells whether the process had surely ended by then, as its stamps say. One
// that wrote something before the second in which the next one was started is not
// that one: the resolution of the report, a second, hides the order of things.
func (k *known) by(e end) bool {
	if k.stamp.IsZero() || e.second.IsZero() {
		return false
	}
	return k.stamp.Before(e.second) || e.finished && k.stamp.Equal(e.second) ||
		k.began.Before(e.second) && k.stamp.Before(e.second.Add(time.Second))
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// exited tells whether a pod is over, and each of its containers was reported as
// terminated by its node, or none was ever started.
func exited(pod *corev1.Pod) bool {
	for _, c := range pod.Status.ContainerStatuses {
		if c.State.Terminated == nil {
			return false
		}
	}
	return over(pod)
}
