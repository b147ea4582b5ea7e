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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// TestHomes: which replicas leases that nobody leads are given to.
func TestHomes(t *testing.T) {
	replica := func(name string, standing balance.Reason, faulty, outdated bool) Replica {
		return Replica{
			Pod:      &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}},
			Standing: standing, Faulty: faulty, Outdated: outdated,
		}
	}
	const probation, notReady = balance.ReplicaOnProbation, balance.HolderNotReady
	cases := map[string]struct {
		replicas []Replica
		rolling  bool
		want     map[string]string // of the two leases
	}{
		"all count": {
			replicas: []Replica{replica("a", "", false, false), replica("b", "", false, false)},
			want:     map[string]string{"0": "a", "1": "b"},
		},
		"one is on probation": {
			replicas: []Replica{replica("a", "", false, false), replica("b", probation, false, false)},
			want:     map[string]string{"0": "a", "1": "a"},
		},
		"both are on probation": {
			replicas: []Replica{replica("a", probation, false, false), replica("b", probation, false, false)},
			want:     map[string]string{"0": "a", "1": "b"},
		},
		"both are on probation, one of them once more": {
			replicas: []Replica{replica("a", probation, true, false), replica("b", probation, false, false)},
			want:     map[string]string{"0": "b", "1": "b"},
		},
		"one is not ready": {
			replicas: []Replica{replica("a", notReady, false, false), replica("b", probation, false, false)},
			want:     map[string]string{"0": "b", "1": "b"},
		},
		"nobody counts": {
			replicas: []Replica{replica("a", notReady, false, false), replica("b", probation, true, false)},
			want:     map[string]string{},
		},
		"a rollout: the new ones count, the old ones do not": {
			replicas: []Replica{replica("a", "", false, true), replica("b", probation, false, false), replica("c", "", false, false)},
			rolling:  true, want: map[string]string{"0": "b", "1": "c"},
		},
		"a rollout, but no new one is ready": {
			replicas: []Replica{replica("a", "", false, true), replica("b", notReady, false, false)},
			rolling:  true, want: map[string]string{"0": "a", "1": "a"},
		},
		"a rollout, the new one was restarted": {
			replicas: []Replica{replica("a", "", false, true), replica("b", probation, true, false)},
			rolling:  true, want: map[string]string{"0": "a", "1": "a"},
		},
		"a rollout that takes too long": {
			replicas: []Replica{replica("a", "", false, true), replica("b", probation, false, false)},
			want:     map[string]string{"0": "a", "1": "a"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			group := Group{Group: taskrun}
			for _, lease := range []string{"0", "1"} {
				group.Leases = append(group.Leases, Lease{Name: lease, Transit: &Transit{Group: taskrun, From: "gone", Vacant: true}})
			}
			got := homes(balance.Plan{}, View{Replicas: tc.replicas, Groups: []Group{group}, Rolling: tc.rolling}).Targets()
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("placements (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestHomesOnly: a lease that we took from a replica goes where the plan says.
func TestHomesOnly(t *testing.T) {
	view := View{
		Replicas: []Replica{{Pod: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, Standing: balance.ReplicaOnProbation}},
		Groups: []Group{{Group: taskrun, Leases: []Lease{
			{Name: "0", Transit: &Transit{Group: taskrun, From: "gone", Vacant: true}},
			{Name: "1", Transit: &Transit{Group: taskrun, From: "a"}},
		}}},
	}
	plan := balance.Plan{Placements: []balance.Placement{{Group: taskrun.String(), Lease: "1", To: "elsewhere"}}}
	want := map[string]string{"0": "a", "1": "elsewhere"}
	if diff := cmp.Diff(want, homes(plan, view).Targets()); diff != "" {
		t.Errorf("placements (-want, +got):\n%s", diff)
	}
}
