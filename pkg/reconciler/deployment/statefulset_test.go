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

package deployment

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"knative.dev/pkg/logging"
)

func TestStatefulSets(t *testing.T) {
	set := func(name string, env ...string) *appsv1.StatefulSet {
		s := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)}}
		container := corev1.Container{Name: "controller"}
		for _, name := range env {
			container.Env = append(container.Env, corev1.EnvVar{Name: name, Value: "x"})
		}
		s.Spec.Template.Spec.Containers = []corev1.Container{container}
		return s
	}
	ordinals := set(name, "STATEFUL_CONTROLLER_ORDINAL", "STATEFUL_SERVICE_NAME")
	cases := map[string]struct {
		do   func(*statefulSets)
		want []string
	}{
		"ordinals, said once": {
			do:   func(s *statefulSets) { s.seen(ordinals); s.seen(ordinals) },
			want: []string{"It has no leases to balance: container \\\"controller\\\" has STATEFUL_CONTROLLER_ORDINAL"},
		},
		"leases": {
			do:   func(s *statefulSets) { s.seen(set(name)) },
			want: []string{"It is a StatefulSet: only the leases of Deployments are balanced."},
		},
		"another reason": {
			do: func(s *statefulSets) { s.seen(ordinals); s.seen(set(name)) },
			want: []string{
				"It has no leases to balance: container \\\"controller\\\" has STATEFUL_CONTROLLER_ORDINAL",
				"It is a StatefulSet: only the leases of Deployments are balanced.",
			},
		},
		"created anew": {
			do: func(s *statefulSets) { s.seen(set(name)); s.gone(set(name)); s.seen(set(name)) },
			want: []string{
				"It is a StatefulSet: only the leases of Deployments are balanced.", "It is a StatefulSet: only the leases of Deployments are balanced.",
			},
		},
		"of nobody's interest": {do: func(s *statefulSets) { s.seen(set("another")) }},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			b := newBench(t)
			s := &statefulSets{
				named:  func() []string { return b.settings().Deployments },
				logger: logging.FromContext(b.context()), said: map[types.UID]string{},
			}
			tc.do(s)
			var got []string
			for line := range strings.Lines(b.log.String()) {
				if _, meaning, ok := strings.Cut(line, `"meaning": "`); ok {
					meaning, _, _ = strings.Cut(strings.TrimSuffix(meaning, "\"}\n"), ": it takes")
					got = append(got, meaning)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("said (-want, +got):\n%s", diff)
			}
		})
	}
}
