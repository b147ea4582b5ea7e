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
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

func TestIdentity(t *testing.T) {
	pod := leasestesting.MakePod("pod-a").Ready(stampAt(0)).Obj()
	restarted := leasestesting.MakePod("pod-a").Restarted(stampAt(101), 1).Ready(stampAt(102)).Obj()
	long := strings.Repeat("tekton-", 12) + "controller"
	withHostname := func(change func(*corev1.PodSpec)) *corev1.Pod {
		p := pod.DeepCopy()
		change(&p.Spec)
		return p
	}
	first, second, other := taskrun.Name(0), taskrun.Name(1), "tekton-pipelines-controller.pipelinerun.00-of-04"
	cases := map[string]struct {
		see  func(*world)
		pod  *corev1.Pod
		want string
	}{
		"nothing was seen":                {see: func(*world) {}},
		"it holds a lease":                {see: func(w *world) { w.saw(1, first, "pod-a_1") }, want: "pod-a_1"},
		"it held one once":                {see: func(w *world) { w.saw(1, first, "pod-a_1"); w.saw(2, first, "pod-b_1") }, want: "pod-a_1"},
		"it held one that is gone":        {see: func(w *world) { w.saw(1, first, "pod-a_1"); w.LeaseGone(first, at(2)) }, want: "pod-a_1"},
		"it holds one of another queue":   {see: func(w *world) { w.saw(1, other, "pod-a_2") }},
		"it has one name in each queue":   {see: func(w *world) { w.saw(1, other, "pod-a_2"); w.saw(2, first, "pod-a_1") }, want: "pod-a_1"},
		"another bucket count, one queue": {see: func(w *world) { w.saw(1, taskrun.Prefix+".00-of-08", "pod-a_1") }},
		"a pod with a longer name":        {see: func(w *world) { w.saw(1, first, "pod-a-2_1") }},
		"a hold of ours":                  {see: func(w *world) { w.saw(1, first, ours) }, pod: leasestesting.MakePod("tekton-leases-controller").Obj()},
		"no elector":                      {see: func(w *world) { w.saw(1, first, "pod-a") }},
		"it restarted: the younger renewed last": {
			see: func(w *world) { w.renews(100, "pod-a_1", first); w.renews(200, "pod-a_2", second) }, want: "pod-a_2",
		},
		"the younger is known though it was seen first": {
			see: func(w *world) { w.renews(200, "pod-a_2", second); w.renews(100, "pod-a_1", first) }, want: "pod-a_2",
		},
		"none was seen renewing: the one seen later": {
			see: func(w *world) { w.saw(1, first, "pod-a_2"); w.saw(2, second, "pod-a_1") }, want: "pod-a_1",
		},
		"both were seen at once: always the same": {
			see: func(w *world) { w.saw(1, first, "pod-a_1"); w.saw(1, second, "pod-a_2") }, want: "pod-a_2",
		},
		"its process has ended": {see: func(w *world) { w.renews(100, "pod-a_1", first) }, pod: restarted},
		"its process has ended, the next one came": {
			see: func(w *world) { w.renews(100, "pod-a_1", first); w.saw(103, second, "pod-a_2") }, pod: restarted, want: "pod-a_2",
		},
		"the pod has failed": {
			see: func(w *world) { w.renews(100, "pod-a_1", first) },
			pod: leasestesting.MakePod("pod-a").Ready(stampAt(0)).Phase(corev1.PodFailed).Obj(),
		},
		"its pod was deleted and one of that name came": {
			see: func(w *world) { w.saw(1, first, "pod-a_1"); w.PodGone(pod, at(2)) },
		},
		"another pod was deleted": {
			see: func(w *world) { w.saw(1, first, "pod-a_1"); w.PodGone(leasestesting.MakePod("pod-b").Obj(), at(2)) }, want: "pod-a_1",
		},
		"its name is longer than a hostname": {
			see: func(w *world) { w.saw(1, first, long[:62]+"_1") }, pod: leasestesting.MakePod(long).Obj(), want: long[:62] + "_1",
		},
		"it has a hostname of its own": {
			see: func(w *world) { w.saw(1, first, "web_1") }, pod: leasestesting.MakePod("pod-a").Hostname("web").Obj(), want: "web_1",
		},
		"its hostname cannot be known": {
			see: func(w *world) { w.saw(1, first, "pod-a_1") },
			pod: withHostname(func(s *corev1.PodSpec) { s.SetHostnameAsFQDN, s.Subdomain = ptr.To(true), "x" }),
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 1)
			tc.see(w)
			if tc.pod == nil {
				tc.pod = pod
			}
			if got := w.Identity(tc.pod, taskrun); got != tc.want {
				t.Errorf("Identity = %q, want %q", got, tc.want)
			}
		})
	}
}

// TestPodGoneWithoutHostname: what cannot be known is not forgotten either.
func TestPodGoneWithoutHostname(t *testing.T) {
	w := newWorld(t, 1)
	w.saw(1, taskrun.Name(0), "pod-a_1")
	pending := leasestesting.MakePod("pod-b").HostNetwork("").Obj()
	w.SawPod(pending, at(1))
	w.PodGone(pending, at(2))
	if got := w.Identity(leasestesting.MakePod("pod-a").Obj(), taskrun); got != "pod-a_1" {
		t.Errorf("Identity = %q, want pod-a_1", got)
	}
}

// TestIdentityOfACrashedProcess: the replica acquired one lease and crashed before it
// renewed it. No lease is given to a process that has ended.
func TestIdentityOfACrashedProcess(t *testing.T) {
	w := newWorld(t, 2)
	name := taskrun.Name(0)
	w.saw(0, name, "")
	w.saw(60, name, "pod-b_dead") // it made itself the holder, at 60 by its own clock
	w.saw(130, name, "pod-a_1")
	pod := w.make("pod-b").Started(stampAt(66)).Restarted(stampAt(65), 137).Ready(stampAt(68)).Obj()
	if got := w.Identity(pod, taskrun); got != "" {
		t.Errorf("identity %q, but the process that wrote at 60 ended at 65", got)
	}
}
