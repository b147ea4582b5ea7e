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
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
)

var eight = bucket.Group{Prefix: taskrun.Prefix, Buckets: 8}

// lines shows a view, a line per lease: its name after the component's, who
// leads it, and what is wrong.
func lines(v View) []string {
	var all []string
	for _, g := range v.Groups {
		for i, l := range g.Leases {
			line := fmt.Sprintf("%s %d", g.String()[len("tekton-pipelines-controller."):], i)
			for _, part := range []string{l.Holder, string(l.Trouble), string(l.Pinned)} {
				if part != "" {
					line += " " + part
				}
			}
			if l.Transit != nil {
				line += fmt.Sprintf(" from %s to %q", l.Transit.From, l.Transit.To)
			}
			all = append(all, line)
		}
	}
	return all
}

// blocks are what stands in the way of each group of a view.
func blocks(v View) map[string]balance.Reason {
	m := map[string]balance.Reason{}
	for _, g := range v.Groups {
		m[g.String()[len("tekton-pipelines-controller."):]] = g.Blocked
	}
	return m
}

// groupsCase is a picture of leases, and what blocks their groups.
type groupsCase struct {
	see     func(*world)
	now     float64 // 60 if not set
	transit map[string]Transit
	want    []string
	blocked map[string]balance.Reason
}

func runGroups(t *testing.T, cases map[string]groupsCase) {
	t.Helper()
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 2)
			w.ready("pod-a", "pod-b")
			tc.see(w)
			if tc.now == 0 {
				tc.now = 60
			}
			v := w.view(tc.now, tc.transit)
			if diff := cmp.Diff(tc.want, lines(v)); diff != "" {
				t.Errorf("leases (-want, +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.blocked, blocks(v)); diff != "" {
				t.Errorf("blocked (-want, +got):\n%s", diff)
			}
		})
	}
}

var (
	split   = []string{"taskrun-of-04 0 pod-a", "taskrun-of-04 1 pod-a", "taskrun-of-04 2 pod-b", "taskrun-of-04 3 pod-b"}
	free    = map[string]balance.Reason{"taskrun-of-04": ""}
	nothing = map[string]balance.Reason{}
)

// two has each of two replicas lead two leases.
func two(w *world) {
	w.renews(60, "pod-a_1", taskrun.Name(0), taskrun.Name(1))
	w.renews(60, "pod-b_1", taskrun.Name(2), taskrun.Name(3))
}

// three has one lease less than all led.
func three(w *world) {
	w.renews(60, "pod-a_1", taskrun.Name(0), taskrun.Name(1))
	w.renews(60, "pod-b_1", taskrun.Name(2))
}

func TestGroups(t *testing.T) {
	last := func(line string) []string { return append(split[:3:3], "taskrun-of-04 3 "+line) }
	by := func(r balance.Reason) map[string]balance.Reason { return map[string]balance.Reason{"taskrun-of-04": r} }
	runGroups(t, map[string]groupsCase{
		"each replica leads some":    {see: two, want: split, blocked: free},
		"no lease at all":            {see: func(*world) {}, blocked: nothing},
		"as long as they are good":   {see: two, now: 120, want: lateSplit(), blocked: free},
		"all have expired":           {see: two, now: 120.001, blocked: nothing},
		"one is missing":             {see: three, want: last("LeasesMissing"), blocked: by(balance.LeasesMissing)},
		"one is deleted":             {see: func(w *world) { two(w); w.LeaseGone(taskrun.Name(3), at(60)) }, want: last("LeasesMissing"), blocked: by(balance.LeasesMissing)},
		"one was released":           {see: func(w *world) { three(w); w.saw(60, taskrun.Name(3), "") }, want: last("LeaseUnowned"), blocked: by(balance.LeaseUnowned)},
		"one has expired":            {see: func(w *world) { three(w); w.saw(-0.001, taskrun.Name(3), "pod-b_1") }, want: last("LeaseUnowned"), blocked: by(balance.LeaseUnowned)},
		"one is held by nobody here": {see: func(w *world) { three(w); w.saw(60, taskrun.Name(3), "pod-z_1") }, want: last("HolderUnknown"), blocked: by(balance.HolderUnknown)},
		"one is held by no elector":  {see: func(w *world) { three(w); w.saw(60, taskrun.Name(3), "somebody") }, want: last("HolderUnknown"), blocked: by(balance.HolderUnknown)},
		"one was not seen renewing":  {see: func(w *world) { three(w); w.saw(60, taskrun.Name(3), "pod-b_1") }, want: last("pod-b NotSeenRenewing"), blocked: free},
		"a hold of ours that we have no memory of": {
			see:  func(w *world) { two(w); w.saw(60, taskrun.Name(3), ours) },
			want: last("HandoverInFlight"), blocked: by(balance.HandoverInFlight),
		},
		"a hold of ours": {
			see:     func(w *world) { two(w); w.saw(60, taskrun.Name(3), ours) },
			transit: map[string]Transit{taskrun.Name(3): {Group: taskrun, From: "pod-b", To: "pod-a"}},
			want:    last(`from pod-b to "pod-a"`), blocked: free,
		},
		"a lease that we deleted": {
			see:     func(w *world) { two(w); w.LeaseGone(taskrun.Name(3), at(60)) },
			transit: map[string]Transit{taskrun.Name(3): {Group: taskrun, From: "pod-b"}},
			want:    last(`from pod-b to ""`), blocked: free,
		},
		"all leases are ours": {
			see: func(w *world) {
				for _, name := range taskrun.Names() {
					w.saw(60, name, ours)
				}
			},
			transit: map[string]Transit{taskrun.Name(0): {Group: taskrun, From: "pod-a"}},
			want: []string{
				`taskrun-of-04 0 from pod-a to ""`, "taskrun-of-04 1 HandoverInFlight",
				"taskrun-of-04 2 HandoverInFlight", "taskrun-of-04 3 HandoverInFlight",
			},
			blocked: by(balance.HandoverInFlight),
		},
		"all leases are holds of another process, whose old holders are ours": {
			see: func(w *world) {
				two(w)
				for _, name := range taskrun.Names() {
					w.saw(61, name, ours)
				}
			}, now: 61,
			want: []string{
				"taskrun-of-04 0 HandoverInFlight", "taskrun-of-04 1 HandoverInFlight",
				"taskrun-of-04 2 HandoverInFlight", "taskrun-of-04 3 HandoverInFlight",
			},
			blocked: by(balance.HandoverInFlight),
		},
		"a replica that has ended since it renewed": {
			see: func(w *world) {
				two(w)
				w.see(60, w.make("pod-b").Restarted(stampAt(60), 1).Started(stampAt(61)).Obj())
			},
			want:    append(split[:2:2], "taskrun-of-04 2 LeaseUnowned", "taskrun-of-04 3 LeaseUnowned"),
			blocked: by(balance.LeaseUnowned),
		},
	})
}

// lateSplit is split when no renewal came for a minute.
func lateSplit() []string {
	var all []string
	for _, line := range split {
		all = append(all, line+" HolderLate")
	}
	return all
}

// TestTwoBucketCounts: leases of another bucket count are leftovers once they
// have expired; until then nothing moves in that queue.
func TestTwoBucketCounts(t *testing.T) {
	const pipelinerun = "tekton-pipelines-controller.pipelinerun"
	both := func(w *world) {
		two(w)
		w.renews(60, "pod-b_1", eight.Names()...)
		w.renews(60, "pod-b_2", bucket.Group{Prefix: pipelinerun, Buckets: 1}.Name(0))
	}
	w := newWorld(t, 2)
	w.ready("pod-a", "pod-b")
	both(w)
	want := map[string]balance.Reason{
		"pipelinerun-of-01": "", "taskrun-of-04": balance.TwoBucketCounts, "taskrun-of-08": balance.TwoBucketCounts,
	}
	if diff := cmp.Diff(want, blocks(w.view(60, nil))); diff != "" {
		t.Errorf("both alive: blocked (-want, +got):\n%s", diff)
	}
	w.renews(130, "pod-b_1", eight.Names()...)
	if diff := cmp.Diff(map[string]balance.Reason{"taskrun-of-08": ""}, blocks(w.view(130, nil))); diff != "" {
		t.Errorf("one expired: blocked (-want, +got):\n%s", diff)
	}
}

// TestBelongs: a lease belongs to the Deployment whose pods hold it or held it
// last, never to whoever shares the first word of its name.
func TestBelongs(t *testing.T) {
	runGroups(t, map[string]groupsCase{
		"another component of the same name": {
			see:     func(w *world) { two(w); w.renews(60, "other_1", eight.Names()...) },
			want:    split,
			blocked: free,
		},
		"a pod with a similar name": {
			see:     func(w *world) { w.renews(60, "pod-aa_1", taskrun.Names()...) },
			blocked: nothing,
		},
		"one lease is enough": {
			see: func(w *world) {
				w.renews(60, "other_1", taskrun.Name(0), taskrun.Name(1), taskrun.Name(2))
				w.renews(60, "pod-b_1", taskrun.Name(3))
			},
			want: []string{
				"taskrun-of-04 0 HolderUnknown", "taskrun-of-04 1 HolderUnknown", "taskrun-of-04 2 HolderUnknown", "taskrun-of-04 3 pod-b",
			},
			blocked: map[string]balance.Reason{"taskrun-of-04": balance.HolderUnknown},
		},
		"held once and then by others": {
			see: func(w *world) {
				w.renews(60, "pod-a_1", taskrun.Name(0))
				w.saw(61, taskrun.Name(0), "other_1")
			},
			now: 61, blocked: nothing,
		},
	})
}

// TestViewKeepsObjects: the view names the very lease that a handover begins
// from, and when it was seen.
func TestViewKeepsObjects(t *testing.T) {
	w := newWorld(t, 2)
	w.ready("pod-a", "pod-b")
	two(w)
	lease := record(taskrun.Name(0), "pod-a_1", 60)
	lease.ResourceVersion, lease.Labels = "77", map[string]string{"edited": "beside the record"}
	w.SawLease(lease, at(65))
	l := w.view(66, nil).Groups[0].Leases[0]
	if diff := cmp.Diff(lease, l.Object); diff != "" {
		t.Errorf("object (-want, +got):\n%s", diff)
	}
	if !l.Seen.Equal(at(60)) || l.Identity != "pod-a_1" || l.Name != taskrun.Name(0) {
		t.Errorf("seen %s, identity %q, name %q; want %s, pod-a_1, %s", l.Seen, l.Identity, l.Name, at(60), taskrun.Name(0))
	}
	var none *coordinationv1.Lease
	w.LeaseGone(taskrun.Name(0), at(67))
	if got := w.view(68, nil).Groups[0].Leases[0].Object; got != none {
		t.Errorf("object of a deleted lease %v", got)
	}
}
