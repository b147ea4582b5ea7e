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

package status

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

var (
	now     = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)
	taskrun = bucket.Group{Prefix: "tekton.pkg.reconciler.taskrun.reconciler", Buckets: 4}
)

// replica is a pod of the view.
func replica(name string, standing balance.Reason) observe.Replica {
	return observe.Replica{
		Pod:      &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PodSpec{NodeName: "node-" + name}},
		Standing: standing,
	}
}

// queue is a group whose leases these replicas lead. "" is unowned, "-" missing,
// "?" somebody else's, and "a>" in a handover from a.
func queue(group bucket.Group, holders ...string) observe.Group {
	g := observe.Group{Group: group}
	for i, by := range holders {
		l := observe.Lease{Name: group.Name(uint32(i)), Identity: by + "_1", Holder: by}
		switch by {
		case "":
			l = observe.Lease{Name: l.Name, Trouble: balance.LeaseUnowned}
		case "-":
			l = observe.Lease{Name: l.Name, Trouble: balance.LeasesMissing}
		case "?":
			l = observe.Lease{Name: l.Name, Identity: "x_1", Trouble: balance.HolderUnknown}
		case "!":
			l = observe.Lease{Name: l.Name, Identity: "ours_1", Trouble: balance.HandoverInFlight}
		case "a>":
			l = observe.Lease{Name: l.Name, Identity: "ours_1", Transit: &observe.Transit{Group: group, From: "a"}}
		}
		g.Leases = append(g.Leases, l)
	}
	return g
}

func TestOf(t *testing.T) {
	move := func(i uint32, to string) balance.Move {
		return balance.Move{Group: taskrun.String(), Lease: taskrun.Name(i), From: "a", To: to}
	}
	stay := func(i uint32, reason balance.Reason) balance.Stay {
		return balance.Stay{Group: taskrun.String(), Lease: taskrun.Name(i), Holder: "a", To: "b", Reason: reason}
	}
	cases := map[string]struct {
		holders []string
		b       balance.Reason // the standing of replica b
		plan    balance.Plan
		blocked balance.Reason
		even    bool
		want    State
	}{
		"even":                    {holders: []string{"a", "a", "b", "b"}, even: true, want: Balanced},
		"moves":                   {holders: []string{"a", "a", "a", "a"}, plan: balance.Plan{Moves: []balance.Move{move(2, "b"), move(3, "b")}}, want: Waiting},
		"even, but not in all":    {holders: []string{"a", "a", "b", "b"}, plan: balance.Plan{Moves: []balance.Move{move(0, "b")}}, want: Waiting},
		"on probation":            {holders: []string{"a", "a", "a", "a"}, b: balance.ReplicaOnProbation, plan: balance.Plan{Stays: []balance.Stay{stay(2, balance.ReplicaOnProbation)}}, want: Waiting},
		"one will not be Ready":   {holders: []string{"a", "a", "a", "a"}, b: balance.HolderNotReady, plan: balance.Plan{Stays: []balance.Stay{stay(2, balance.HolderNotReady)}}, even: true, want: Balanced},
		"a rollout":               {holders: []string{"a", "a", "a", "a"}, b: balance.HolderNotReady, plan: balance.Plan{Stays: []balance.Stay{stay(2, balance.RolloutInProgress)}}, want: Waiting},
		"nobody leads one":        {holders: []string{"a", "a", "b", ""}, want: Waiting},
		"one is missing":          {holders: []string{"a", "a", "b", "-"}, want: Waiting},
		"one is elsewhere":        {holders: []string{"a", "b", "b", "?"}, want: Waiting},
		"in a handover":           {holders: []string{"a", "a", "b", "a>"}, want: Moving},
		"in another's handover":   {holders: []string{"a", "a", "b", "!"}, want: Moving},
		"it will stay so":         {holders: []string{"a", "a", "a", "a"}, plan: balance.Plan{Stays: []balance.Stay{stay(3, balance.LastLease)}}, want: Blocked},
		"not managed":             {holders: []string{"a", "a", "a", "a"}, blocked: balance.NotManaged, plan: balance.Plan{Stays: []balance.Stay{stay(2, balance.NotManaged)}}, want: Blocked},
		"not managed, and even":   {holders: []string{"a", "a", "b", "b"}, blocked: balance.NotManaged, even: true, want: Balanced},
		"no election":             {blocked: balance.NotApplicable, even: true, want: NotApplicable},
		"even, with a reason":     {holders: []string{"a", "a", "b", "b"}, plan: balance.Plan{Stays: []balance.Stay{stay(0, balance.SingleBucket)}}, even: true, want: Balanced},
		"paused":                  {holders: []string{"a", "a", "a", "a"}, blocked: balance.Paused, plan: balance.Plan{Stays: []balance.Stay{stay(2, balance.Paused)}}, want: Paused},
		"paused, and even":        {holders: []string{"a", "a", "b", "b"}, blocked: balance.Paused, even: true, want: Paused},
		"paused in a handover":    {holders: []string{"a", "a", "b", "a>"}, blocked: balance.Paused, want: Paused},
		"a fault of two, not one": {holders: []string{"a", "a", "a", "b"}, plan: balance.Plan{Stays: []balance.Stay{stay(2, balance.LastLease)}}, want: Blocked},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			view := observe.View{Replicas: []observe.Replica{replica("a", ""), replica("b", tc.b)}}
			if len(tc.holders) > 0 {
				view.Groups = []observe.Group{queue(taskrun, tc.holders...)}
			}
			got := Of("tekton", view, tc.plan, tc.blocked, now)
			if got.Even != tc.even || got.State != tc.want {
				t.Errorf("even %v, %s, want %v, %s", got.Even, got.State, tc.even, tc.want)
			}
			for _, q := range got.Queues { // there is only one, so it is in the same state
				if q.State != tc.want {
					t.Errorf("queue %s, want %s", q.State, tc.want)
				}
			}
		})
	}
	if got := Of("tekton", observe.View{}, balance.Plan{}, "", now); !got.Even || got.State != Balanced {
		t.Errorf("without replicas: even %v, %s", got.Even, got.State)
	}
	none := observe.View{Replicas: []observe.Replica{replica("a", "")}}
	if got := Of("tekton", none, balance.Plan{}, "", now); got.Even || got.State != Waiting {
		t.Errorf("without leases: even %v, %s", got.Even, got.State)
	}
}

// TestLeases: where each lease is, and what becomes of it.
func TestLeases(t *testing.T) {
	view := observe.View{
		Replicas: []observe.Replica{replica("a", ""), replica("b", "")},
		Groups:   []observe.Group{queue(bucket.Group{Prefix: "taskrun", Buckets: 7}, "a", "a", "", "-", "?", "a>", "!")},
	}
	name := view.Groups[0].Name
	plan := balance.Plan{
		Moves:      []balance.Move{{Lease: name(0), From: "a", To: "b"}},
		Placements: []balance.Placement{{Lease: name(5), To: "b"}},
		Stays:      []balance.Stay{{Lease: name(1), Holder: "a", To: "b", Reason: balance.HolderLate}},
	}
	want := []Lease{
		{Name: name(0), Bucket: "00", Place: Led, Identity: "a_1", Holder: "a", To: "b"},
		{Name: name(1), Bucket: "01", Place: Led, Identity: "a_1", Holder: "a", To: "b", Reason: balance.HolderLate},
		{Name: name(2), Bucket: "02", Place: Unowned},
		{Name: name(3), Bucket: "03", Place: Missing},
		{Name: name(4), Bucket: "04", Place: Elsewhere, Identity: "x_1"},
		{Name: name(5), Bucket: "05", Place: InHandover, Identity: "ours_1", From: "a", To: "b"},
		{Name: name(6), Bucket: "06", Place: InHandover, Identity: "ours_1"},
	}
	got := Of("tekton", view, plan, "", now)
	if diff := cmp.Diff(want, got.Queues[0].Leases); diff != "" {
		t.Errorf("leases (-want, +got):\n%s", diff)
	}
	steps := []Step{{Queue: "taskrun", From: "a", To: "b", Buckets: []string{"00"}}}
	if diff := cmp.Diff(steps, got.Moves()); diff != "" {
		t.Errorf("moves (-want, +got):\n%s", diff)
	}
	stays := []Stay{{
		Reason: balance.HolderLate, Meaning: balance.HolderLate.Sentence(),
		Step: Step{Queue: "taskrun", From: "a", To: "b", Buckets: []string{"01"}},
	}}
	if diff := cmp.Diff(stays, got.Stays()); diff != "" {
		t.Errorf("stays (-want, +got):\n%s", diff)
	}
}

func TestReplicas(t *testing.T) {
	late, few, soon := replica("late", ""), replica("few", ""), replica("soon", balance.ReplicaOnProbation)
	late.Process = observe.Process{Renewals: observe.MinRenewals, Lateness: 1234 * time.Millisecond}
	few.Process = observe.Process{Renewals: observe.MinRenewals - 1, Lateness: time.Second}
	soon.EligibleAt = now.Add(12300 * time.Millisecond)
	soon.Process = observe.Process{Renewals: observe.MinRenewals, Lateness: -time.Second}
	view := observe.View{Replicas: []observe.Replica{late, few, soon}, Groups: []observe.Group{queue(taskrun, "late", "late", "few", "late")}}
	want := []Replica{
		{Name: "late", Node: "node-late", Leases: 3, Lateness: "1.2s"},
		{Name: "few", Node: "node-few", Leases: 1},
		{Name: "soon", Node: "node-soon", Standing: balance.ReplicaOnProbation, EligibleAt: &metav1.Time{Time: now.Add(12 * time.Second)}, Lateness: "0s"},
	}
	if diff := cmp.Diff(want, Of("tekton", view, balance.Plan{}, "", now).Replicas); diff != "" {
		t.Errorf("replicas (-want, +got):\n%s", diff)
	}
}

func TestShortNames(t *testing.T) {
	groups := func(names ...bucket.Group) (groups []observe.Group) {
		for _, g := range names {
			groups = append(groups, observe.Group{Group: g})
		}
		return groups
	}
	cases := map[string]struct {
		groups []observe.Group
		want   []string
	}{
		"none": {want: []string{}},
		"one":  {groups: groups(taskrun), want: []string{"taskrun"}},
		"two bucket counts": {
			groups: groups(taskrun, bucket.Group{Prefix: taskrun.Prefix, Buckets: 8}, bucket.Group{Prefix: "a.customrun", Buckets: 4}),
			want:   []string{"taskrun-of-04", "taskrun-of-08", "customrun"},
		},
		"alike in all but the start": {
			groups: groups(taskrun, bucket.Group{Prefix: "a.taskrun", Buckets: 4}),
			want:   []string{taskrun.String(), "a.taskrun-of-04"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, shortNames(tc.groups)); diff != "" {
				t.Errorf("names (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestForesee: only what time alone will show is taken as shown, in a copy.
func TestForesee(t *testing.T) {
	view := observe.View{Groups: []observe.Group{queue(taskrun, "a", "a", "a", "b")}}
	leases := view.Groups[0].Leases
	leases[0].Pinned, leases[1].Pinned, leases[2].Pinned = balance.NotSeenRenewing, balance.HolderLate, balance.NotSeenRenewing
	got, unseen := Foresee(view)
	if unseen != 2 {
		t.Errorf("%d leases unseen, want 2", unseen)
	}
	for i, want := range []balance.Reason{"", balance.HolderLate, "", ""} {
		if got := got.Groups[0].Leases[i].Pinned; got != want {
			t.Errorf("lease %d is pinned by %q, want %q", i, got, want)
		}
	}
	if leases[0].Pinned != balance.NotSeenRenewing {
		t.Error("the view itself was changed")
	}
}
