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
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestEnded: a process has ended only if what it wrote itself is older than what
// its own node says of its end. Anything else proves nothing.
func TestEnded(t *testing.T) {
	running := func() *leasestesting.PodBuilder { return leasestesting.MakePod("pod-a").Ready(stampAt(100)) }
	two := func(second corev1.ContainerState) *corev1.Pod {
		pod := running().Obj()
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{Name: "sidecar", State: second})
		return pod
	}
	finished := func(seconds float64) *corev1.ContainerStateTerminated {
		return running().Finished(stampAt(seconds), 1).Obj().Status.ContainerStatuses[0].State.Terminated
	}
	cases := map[string]struct {
		pod *corev1.Pod
		// stamp in seconds, or the zero time if never is set.
		stamp float64
		never bool
		want  bool
	}{
		"written before the start of this run":        {pod: running().Obj(), stamp: 99.999, want: true},
		"written in the second of its start":          {pod: running().Obj(), stamp: 100},
		"written after it":                            {pod: running().Obj(), stamp: 101},
		"nothing was written":                         {pod: running().Obj(), never: true},
		"written before the end of the run":           {pod: running().Finished(stampAt(130), 137).Obj(), stamp: 129, want: true},
		"written in the second of its end":            {pod: running().Finished(stampAt(130), 137).Obj(), stamp: 130, want: true},
		"written after the end: by another process":   {pod: running().Finished(stampAt(130), 137).Obj(), stamp: 130.001},
		"the end has no time":                         {pod: running().Finished(time.Time{}, 137).Obj(), stamp: 110},
		"nothing was written, the run has ended":      {pod: running().Finished(stampAt(130), 137).Obj(), never: true},
		"written before the end of the run before":    {pod: leasestesting.MakePod("pod-a").Restarted(stampAt(130), 1).Obj(), stamp: 129, want: true},
		"written by the run that follows":             {pod: leasestesting.MakePod("pod-a").Restarted(stampAt(130), 1).Started(stampAt(131)).Obj(), stamp: 132},
		"restarted, written by the run before":        {pod: leasestesting.MakePod("pod-a").Restarted(stampAt(130), 1).Started(stampAt(131)).Obj(), stamp: 130, want: true},
		"restarted, written between the two":          {pod: leasestesting.MakePod("pod-a").Restarted(stampAt(130), 1).Started(stampAt(131)).Obj(), stamp: 130.5, want: true},
		"the pod is said to have failed":              {pod: running().Phase(corev1.PodFailed).Obj(), stamp: 500},
		"the pod is said to have succeeded":           {pod: running().Phase(corev1.PodSucceeded).Obj(), never: true},
		"the pod failed, its container has ended":     {pod: running().Phase(corev1.PodFailed).Finished(stampAt(130), 1).Obj(), stamp: 500, want: true},
		"the pod succeeded, its container has ended":  {pod: running().Phase(corev1.PodSucceeded).Finished(stampAt(130), 0).Obj(), never: true, want: true},
		"the pod is unknown":                          {pod: running().Phase(corev1.PodUnknown).Obj(), stamp: 110},
		"the pod is being deleted":                    {pod: running().Terminating(stampAt(110)).Obj(), stamp: 105},
		"the pod is being deleted since long":         {pod: running().Terminating(stampAt(110)).Obj(), stamp: 101},
		"the pod is not ready":                        {pod: running().NotReady(stampAt(110)).Obj(), stamp: 105},
		"many restarts without a time":                {pod: running().Restarts(7).Obj(), stamp: 105},
		"no container was reported":                   {pod: &corev1.Pod{}, stamp: 105},
		"the container waits for the first time":      {pod: leasestesting.MakePod("pod-a").Obj(), stamp: 105},
		"two containers, one of them is older":        {pod: two(corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}), stamp: 50},
		"two containers, one of them ended before":    {pod: two(corev1.ContainerState{Terminated: finished(40)}), stamp: 50},
		"two containers, both ended or started since": {pod: two(corev1.ContainerState{Terminated: finished(60)}), stamp: 50, want: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 1)
			w.saw(0, taskrun.Name(0), "pod-a_1")
			if !tc.never {
				w.SawLease(record(taskrun.Name(0), "pod-a_1", tc.stamp), at(10))
			}
			w.SawPod(tc.pod, at(40))
			if got := w.Dead(tc.pod, "pod-a_1", retryPeriod, at(41)); got != tc.want {
				t.Errorf("Dead = %v, want %v", got, tc.want)
			}
		})
	}
}

// TestCase43RestartReportComesLate: a container restarts and its new process
// takes leases before we hear of the restart. The report is about the old one.
func TestCase43RestartReportComesLate(t *testing.T) {
	w := newWorld(t, 1)
	w.ready("pod-a")
	w.renews(100, "pod-a_old", taskrun.Names()...)
	// The process dies at 101 and a new one runs since 102; we are not told yet.
	w.saw(104, taskrun.Name(0), "pod-a_new")
	w.saw(105, taskrun.Name(1), "pod-a_new")
	w.saw(114, taskrun.Name(0), "pod-a_new")
	check := func(seconds float64, identity string, holders ...string) {
		t.Helper()
		v := w.view(seconds, nil)
		for i, want := range holders {
			if got := v.Groups[0].Leases[i].Holder; got != want {
				t.Errorf("at %vs: lease %d is led by %q, want %q", seconds, i, got, want)
			}
		}
		if got := w.Identity(v.Replicas[0].Pod, taskrun); got != identity {
			t.Errorf("at %vs: identity %q, want %q", seconds, got, identity)
		}
	}
	check(115, "pod-a_new", "pod-a", "pod-a", "pod-a", "pod-a")
	w.see(116, w.make("pod-a").Restarted(stampAt(101), 137).Started(stampAt(102)).Ready(stampAt(112)).Obj())
	// The second lease was not renewed yet: nothing says that it is dead.
	check(117, "pod-a_new", "pod-a", "pod-a", "", "")
	w.saw(119, taskrun.Name(2), "pod-a_new") // taken, not renewed
	check(120, "pod-a_new", "pod-a", "pod-a", "pod-a", "")
}

// TestCase43ClockSetBack: a node boots with its clock ahead of time and its clock
// is set back after the container was started. Each stamp of the living process is
// before the start of its own container for an hour.
func TestCase43ClockSetBack(t *testing.T) {
	ahead := func(w *world) *corev1.Pod { return w.make("pod-a").Started(stampAt(3600)).Ready(stampAt(3600)).Obj() }
	restarted := func(w *world) *corev1.Pod {
		return w.make("pod-a").Restarted(stampAt(3600), 1).Started(stampAt(5)).Ready(stampAt(5)).Obj()
	}
	cases := map[string]struct {
		pod func(*world) *corev1.Pod
		// reported is when we are told, and writes when it is seen to write.
		reported float64
		writes   []float64
		now      float64
		want     bool
	}{
		"it renews":                               {pod: ahead, reported: 4, writes: []float64{5, 15, 25, 35}, now: 36},
		"it renews, the run before ended later":   {pod: restarted, reported: 4, writes: []float64{5, 15, 25, 35}, now: 36},
		"we hear of it late":                      {pod: ahead, reported: 20, writes: []float64{5, 15}, now: 21},
		"it has just begun":                       {pod: ahead, reported: 4, writes: []float64{5, 6}, now: 8},
		"it was silent for as long as it may be":  {pod: ahead, reported: 4, writes: []float64{5, 6}, now: 21},
		"it is silent for longer":                 {pod: ahead, reported: 4, writes: []float64{5, 6}, now: 21.001, want: true},
		"it came alive again":                     {pod: ahead, reported: 4, writes: []float64{5, 6, 30}, now: 31},
		"we knew it well before":                  {pod: ahead, reported: 36, writes: []float64{0, 5, 15, 25, 35}, now: 37, want: true},
		"we knew it well, and saw it write since": {pod: ahead, reported: 36, writes: []float64{0, 5, 15, 25, 35, 45}, now: 46},
		"its last write was late on its way":      {pod: ahead, reported: 36, writes: []float64{0, 5, 15, 25, 39}, now: 39, want: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 2)
			see := func(until float64) {
				if tc.reported <= until && w.reports["pod-a"] == nil {
					w.see(tc.reported, tc.pod(w))
				}
			}
			w.saw(-1, taskrun.Name(1), "pod-b_1")
			for _, s := range tc.writes {
				see(s)
				w.saw(s, taskrun.Name(0), "pod-a_1")
			}
			see(tc.now)
			w.saw(tc.now, taskrun.Name(1), "pod-b_1")
			if got := w.Dead(tc.pod(w), "pod-a_1", retryPeriod, at(tc.now)); got != tc.want {
				t.Errorf("Dead = %v, want %v", got, tc.want)
			}
		})
	}
}

// TestSilenceNeedsOthers: that a process is not heard says nothing while nobody
// is.
func TestSilenceNeedsOthers(t *testing.T) {
	w := newWorld(t, 2)
	pod := w.make("pod-a").Started(stampAt(3600)).Obj()
	w.see(4, pod)
	w.saw(5, taskrun.Name(0), "pod-a_1")
	w.saw(6, taskrun.Name(0), "pod-a_1")
	if w.Dead(pod, "pod-a_1", retryPeriod, at(100)) {
		t.Error("dead, although no lease was seen to change for as long")
	}
}

// TestSteppedBackHolderKeepsItsLeases: what a living process leads is its own,
// whatever its stamps say.
func TestSteppedBackHolderKeepsItsLeases(t *testing.T) {
	w := newWorld(t, 2)
	w.see(0, w.make("pod-a").Started(stampAt(3600)).Ready(stampAt(3600)).Obj())
	w.ready("pod-b")
	w.renews(600, "pod-a_1", taskrun.Names()...)
	v := w.view(601, nil)
	for _, l := range v.Groups[0].Leases {
		if l.Holder != "pod-a" || l.Vacant != nil {
			t.Errorf("%s: holder %q, trouble %q, vacant %v; want pod-a's", l.Name, l.Holder, l.Trouble, l.Vacant)
		}
	}
	if got := w.Identity(v.Replicas[0].Pod, taskrun); got != "pod-a_1" {
		t.Errorf("identity %q, want pod-a_1", got)
	}
}
