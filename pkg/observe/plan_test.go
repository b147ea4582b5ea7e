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
	"github.com/tektoncd/leases-controller/pkg/bucket"
)

const queue = "taskrun-of-04"

func move(lease, from, to string) balance.Move {
	return balance.Move{Group: queue, Lease: lease, From: from, To: to}
}

func stays(lease, from, to string, reason balance.Reason) balance.Stay {
	return balance.Stay{Group: queue, Lease: lease, Holder: from, To: to, Reason: reason}
}

// viewOf is a view in which replicas hold this many leases in all.
func viewOf(leases map[string]int) View {
	var v View
	for replica, n := range leases {
		v.Replicas = append(v.Replicas, Replica{
			Pod: &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Name: replica},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "controller"}}},
			},
			Process: Process{Leases: n},
		})
	}
	return v
}

func TestKeepLast(t *testing.T) {
	cases := map[string]struct {
		leases map[string]int
		plan   balance.Plan
		want   balance.Plan
	}{
		"nothing moves": {leases: map[string]int{"a": 1}},
		"it keeps enough": {
			leases: map[string]int{"a": 3}, plan: balance.Plan{Moves: []balance.Move{move("0", "a", "b"), move("1", "a", "b")}},
			want: balance.Plan{Moves: []balance.Move{move("0", "a", "b"), move("1", "a", "b")}},
		},
		"its last one stays": {
			leases: map[string]int{"a": 2}, plan: balance.Plan{Moves: []balance.Move{move("0", "a", "b"), move("1", "a", "b")}},
			want: balance.Plan{
				Moves: []balance.Move{move("0", "a", "b")},
				Stays: []balance.Stay{stays("1", "a", "b", balance.LastLease)},
			},
		},
		"each process has a last one": {
			leases: map[string]int{"a": 1, "c": 2}, plan: balance.Plan{Moves: []balance.Move{move("0", "a", "b"), move("1", "c", "b")}},
			want: balance.Plan{
				Moves: []balance.Move{move("1", "c", "b")},
				Stays: []balance.Stay{stays("0", "a", "b", balance.LastLease)},
			},
		},
		"stays are in the planner's order": {
			leases: map[string]int{"a": 1},
			plan: balance.Plan{
				Moves: []balance.Move{move("1", "a", "b")},
				Stays: []balance.Stay{stays("0", "a", "b", balance.HolderLate), stays("2", "a", "b", balance.HolderLate)},
			},
			want: balance.Plan{Stays: []balance.Stay{
				stays("0", "a", "b", balance.HolderLate), stays("1", "a", "b", balance.LastLease), stays("2", "a", "b", balance.HolderLate),
			}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, keepLast(tc.plan, viewOf(tc.leases))); diff != "" {
				t.Errorf("plan (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestKeepLastOfAPodWithTwoProcesses: the leases of another queue may be those of
// the other process.
func TestKeepLastOfAPodWithTwoProcesses(t *testing.T) {
	v := viewOf(map[string]int{"a": 5})
	v.Replicas[0].Pod.Spec.Containers = append(v.Replicas[0].Pod.Spec.Containers, corev1.Container{Name: "another"})
	for prefix, n := range map[string]int{"taskrun": 2, "another": 3} {
		g := Group{Group: bucket.Group{Prefix: prefix, Buckets: 4}}
		for i := range n {
			g.Leases = append(g.Leases, Lease{Name: g.Name(uint32(i)), Holder: "a"})
		}
		v.Groups = append(v.Groups, g)
	}
	plan := balance.Plan{Moves: []balance.Move{move("0", "a", "b"), move("1", "a", "b")}}
	want := balance.Plan{
		Moves: []balance.Move{move("0", "a", "b")},
		Stays: []balance.Stay{stays("1", "a", "b", balance.LastLease)},
	}
	if diff := cmp.Diff(want, keepLast(plan, v)); diff != "" {
		t.Errorf("plan (-want, +got):\n%s", diff)
	}
}

// TestPatient: while a lease has to wait, only moves that make a queue more even
// are made.
func TestPatient(t *testing.T) {
	group := func(holders ...string) View {
		g := Group{Group: bucket.Group{Prefix: "taskrun", Buckets: 4}}
		for _, by := range holders {
			l := Lease{Name: g.Name(uint32(len(g.Leases))), Holder: by}
			if by == "" {
				l.Transit = &Transit{From: "a", To: "b"}
			}
			g.Leases = append(g.Leases, l)
		}
		return View{Groups: []Group{g}}
	}
	waits := []balance.Stay{stays("9", "c", "a", balance.HolderLate)}
	cases := map[string]struct {
		view  View
		plan  balance.Plan
		moves []balance.Move
	}{
		"nothing has to wait": {
			view: group("a", "b"), plan: balance.Plan{Moves: []balance.Move{move("0", "a", "c")}},
			moves: []balance.Move{move("0", "a", "c")},
		},
		"only the totals would be more even": {
			view: group("a", "b"), plan: balance.Plan{Moves: []balance.Move{move("0", "a", "c")}, Stays: waits},
		},
		"the queue would be more even": {
			view: group("a", "a", "b"), plan: balance.Plan{Moves: []balance.Move{move("0", "a", "c")}, Stays: waits},
			moves: []balance.Move{move("0", "a", "c")},
		},
		"though no replica has more than the larger share": {
			view: group("a", "a", "a", "a", "b", "b", "b", "b", "c", "c"),
			plan: balance.Plan{Moves: []balance.Move{move("0", "a", "c")}, Stays: waits}, moves: []balance.Move{move("0", "a", "c")},
		},
		"the first is enough": {
			view:  group("a", "a", "a", "c"),
			plan:  balance.Plan{Moves: []balance.Move{move("0", "a", "c"), move("1", "a", "b"), move("2", "a", "b")}, Stays: waits},
			moves: []balance.Move{move("0", "a", "c"), move("1", "a", "b")},
		},
		"a lease in transit counts where it goes": {
			view: group("a", "a", ""), plan: balance.Plan{Moves: []balance.Move{move("0", "a", "b")}, Stays: waits},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := patient(tc.plan, tc.view)
			if diff := cmp.Diff(tc.moves, got.Moves); diff != "" {
				t.Errorf("moves (-want, +got):\n%s", diff)
			}
			if was, is := len(tc.plan.Moves)+len(tc.plan.Stays), len(got.Moves)+len(got.Stays); was != is {
				t.Errorf("%d leases in the plan, want %d: each that does not move has its reason", is, was)
			}
		})
	}
}

// TestForesight: leases whose holder was not seen renewing yet are planned as if
// it had been, and wait. Moving others in their place would be for nothing.
func TestForesight(t *testing.T) {
	view := viewOf(map[string]int{"a": 5, "b": 5, "c": 5})
	for _, queue := range []string{"pipelinerun", "taskrun"} {
		g := Group{Group: bucket.Group{Prefix: queue, Buckets: 3}}
		holders := []string{"a", "b", "c"}
		if queue == "taskrun" {
			holders = []string{"a", "c", "c"}
		}
		for i, by := range holders {
			l := Lease{Name: g.Name(uint32(i)), Holder: by}
			if queue == "taskrun" && by == "c" {
				l.Pinned = balance.NotSeenRenewing
			}
			g.Leases = append(g.Leases, l)
		}
		view.Groups = append(view.Groups, g)
	}
	want := balance.Plan{Stays: []balance.Stay{
		{Group: "taskrun-of-03", Lease: "taskrun.01-of-03", Holder: "c", To: "b", Reason: balance.NotSeenRenewing},
	}}
	if diff := cmp.Diff(want, view.Plan()); diff != "" {
		t.Errorf("plan (-want, +got):\n%s", diff)
	}
	// As soon as it was seen renewing, the lease moves.
	view.Groups[1].Leases[1].Pinned, view.Groups[1].Leases[2].Pinned = "", ""
	want = balance.Plan{Moves: []balance.Move{{Group: "taskrun-of-03", Lease: "taskrun.01-of-03", From: "c", To: "b"}}}
	if diff := cmp.Diff(want, view.Plan()); diff != "" {
		t.Errorf("plan (-want, +got):\n%s", diff)
	}
}
