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

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func TestSeries(t *testing.T) {
	cases := map[string]struct {
		probe   corev1.Probe
		results string // y and n
		want    []verdict
	}{
		"one success makes it pass, three failures fail": {
			probe:   corev1.Probe{SuccessThreshold: 1, FailureThreshold: 3},
			results: "nyynnyn",
			want:    []verdict{undecided, passing, passing, passing, passing, passing, passing},
		},
		"the third failure": {
			probe:   corev1.Probe{SuccessThreshold: 1, FailureThreshold: 3},
			results: "ynnnny",
			want:    []verdict{passing, passing, passing, failing, failing, passing},
		},
		"two successes in a row": {
			probe:   corev1.Probe{SuccessThreshold: 2, FailureThreshold: 1},
			results: "ynyy",
			want:    []verdict{undecided, failing, failing, passing},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var s series
			var got []verdict
			for _, result := range tc.results {
				before := s.verdict
				if changed := s.observe(result == 'y', &tc.probe); changed != (s.verdict != before) {
					t.Errorf("the change from %v to %v was reported as %v", before, s.verdict, changed)
				}
				got = append(got, s.verdict)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("unexpected verdicts (-want, +got): %s", diff)
			}
		})
	}
}

func TestPortsByName(t *testing.T) {
	c := container{spec: corev1.Container{Ports: []corev1.ContainerPort{{Name: "metrics", ContainerPort: 9090}, {Name: "probes", ContainerPort: 8080}}}}
	for of, want := range map[intstr.IntOrString]int32{intstr.FromString("probes"): 8080, intstr.FromInt32(1234): 1234} {
		if got := c.port(of); got != want {
			t.Errorf("port %s is %d, want %d", of.String(), got, want)
		}
	}
}
