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

package lab

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// TestReleasedAfterClockWasSetBack: the clock of a holder's node is set back by
// 20 s, and then its process is asked to end, under a pod that stays (a failed
// liveness probe). What it releases must not be given back to it.
func TestReleasedAfterClockWasSetBack(t *testing.T) {
	run(t, Options{}, func(l *Lab) {
		l.StartController()
		replicas := l.Arrange([]int{5, 5}, []int{5, 5}, []int{5, 5})
		time.Sleep(2 * time.Minute)
		replicas[0].StepClock(-20 * time.Second)
		time.Sleep(2 * time.Second)
		since := time.Now()
		replicas[0].process.stop()
		l.Wait("all led again", 2*time.Minute, func() bool { return len(l.Ledger.Gaps(time.Now())) == 0 && l.led() })
		if took := time.Since(since); took > 30*time.Second {
			l.T.Errorf("leases that were released are led again after %v, want 22s at most", took.Round(time.Second))
		}
	})
}

// TestCase42PodIsSaidToHaveFailed: the Node object of the holder is deleted in the
// middle of a handover. The garbage collector of pods writes phase Failed before it
// deletes the pod, and a finalizer keeps that for a while. The kubelet has not
// stopped the process, which leads on.
func TestCase42PodIsSaidToHaveFailed(t *testing.T) {
	run(t, Options{}, func(l *Lab) {
		l.StartController()
		holder := l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})[0]
		l.Wait("hold", 3*time.Minute, func() bool { return len(l.Writes.Taken()) > 0 })
		time.Sleep(3 * time.Second)
		holder.update(func(pod *corev1.Pod) { pod.Status.Phase = corev1.PodFailed })
		time.Sleep(time.Minute)
	})
}
