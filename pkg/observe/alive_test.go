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

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// TestAlive: what the process with the identity pod-a_1 surely wrote itself.
func TestAlive(t *testing.T) {
	one := &corev1.Pod{Spec: corev1.PodSpec{
		Containers:     []corev1.Container{{Name: "controller"}},
		InitContainers: []corev1.Container{{Name: "waits for something"}},
	}}
	two := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "controller"}, {Name: "another"}}}}
	sidecar := one.DeepCopy()
	sidecar.Spec.InitContainers[0].RestartPolicy = ptr.To(corev1.ContainerRestartPolicyAlways)
	// otherQueue is renewed under another identity of the same host.
	otherQueue := func(w *world) {
		for _, s := range []float64{2, 12, 22} {
			w.saw(s, bucket.Group{Prefix: "pipelines.another", Buckets: 4}.Name(0), "pod-a_2")
		}
	}
	cases := map[string]struct {
		pod    *corev1.Pod
		sights []sight
		then   func(*world)
		since  float64
		want   []Sign
	}{
		"nothing was seen":                     {pod: one},
		"who wrote its name first is not sure": {pod: one, sights: []sight{a(1)}},
		"each renewal":                         {pod: one, sights: []sight{a(1), a(11), a(21)}, want: signs(11, 21)},
		"since then":                           {pod: one, sights: []sight{a(1), a(11), a(21)}, since: 11, want: signs(21)},
		"of each lease, by their stamps": {
			pod: one, sights: append(on(1, a(2), a(12), a(22)), a(1), a(11), a(21)), want: signs(11, 12, 21, 22),
		},
		"late sights": {
			pod: one, sights: []sight{a(1), {seen: 15, holder: "pod-a_1", renewed: 11}, {seen: 15, holder: "pod-a_1", renewed: 12}},
			want: []Sign{{stampAt(11), at(15)}, {stampAt(12), at(15)}},
		},
		"also of a lease that it lost since": {
			pod: one, sights: []sight{a(1), a(11), a(21), {seen: 31, holder: "pod-b_1", renewed: 31}}, want: signs(11, 21),
		},
		"an edit beside the record is none": {
			pod: one, sights: []sight{a(1), a(11), {seen: 15, holder: "pod-a_1", renewed: 11}}, want: signs(11),
		},
		"what we gave back, it had written before": {
			pod: one, sights: []sight{a(1), a(11), {seen: 12, holder: ours, renewed: 12}, {seen: 15, holder: "pod-a_1", renewed: 11}}, since: 11,
		},
		"long ago":     {pod: one, sights: []sight{a(1), a(11), a(21), a(262)}, want: signs(262)},
		"another host": {pod: one, sights: []sight{{1, 0, "pod-b_1", 1}, {11, 0, "pod-b_1", 11}}},
		"its other queues, where the pod has one process": {
			pod: one, sights: []sight{a(1), a(11)}, then: otherQueue, want: signs(11, 12, 22),
		},
		"they may be another process's where it has two": {
			pod: two, sights: []sight{a(1), a(11)}, then: otherQueue, want: signs(11),
		},
		"or one that goes on beside it": {
			pod: sidecar, sights: []sight{a(1), a(11)}, then: otherQueue, want: signs(11),
		},
		"or where nothing is known of the pod": {
			sights: []sight{a(1), a(11)}, then: otherQueue, want: signs(11),
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 1)
			w.saw(0, taskrun.Name(3), "pod-a_1") // whatever comes now was not written by the first to have the name
			w.follow(tc.sights)
			if tc.then != nil {
				tc.then(w)
			}
			if diff := cmp.Diff(tc.want, w.Alive(tc.pod, "pod-a_1", stampAt(tc.since))); diff != "" {
				t.Errorf("signs of life (-want, +got):\n%s", diff)
			}
		})
	}
}

func signs(seconds ...float64) []Sign {
	all := make([]Sign, 0, len(seconds))
	for _, s := range seconds {
		all = append(all, Sign{stampAt(s), at(s)})
	}
	return all
}
