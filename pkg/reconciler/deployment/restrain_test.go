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
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/handover"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// reasonsNow counts why surplus leases stay, as the metrics show it.
func (b *bench) reasonsNow() map[balance.Reason]int {
	why := map[balance.Reason]int{}
	for _, s := range b.metrics.shown[key].plan.Stays {
		why[s.Reason]++
	}
	return why
}

// TestMaxHandoversInFlight: the next lease is taken when one has ended, and the
// round goes on until then.
func TestMaxHandoversInFlight(t *testing.T) {
	cases := map[string]struct {
		limit string
		holds int
		want  map[balance.Reason]int
	}{
		"no limit":  {limit: "0", holds: 2, want: map[balance.Reason]int{}},
		"enough":    {limit: "2", holds: 2, want: map[balance.Reason]int{}},
		"one":       {limit: "1", holds: 1, want: map[balance.Reason]int{balance.InFlightLimit: 1}},
		"more than": {limit: "9", holds: 2, want: map[balance.Reason]int{}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b := uneven(t)
			b.configure(config.ConfigMapName, "max-handovers-in-flight", tc.limit)
			b.until(61, 65, "pod-a_1")
			if got := len(b.wrote()); got != tc.holds {
				t.Errorf("%d writes, want %d holds", got, tc.holds)
			}
			if diff := cmp.Diff(tc.want, b.reasonsNow()); diff != "" {
				t.Errorf("surplus leases that stay (-want, +got):\n%s", diff)
			}
		})
	}
	t.Run("of all queues", func(t *testing.T) {
		b := uneven(t)
		other := bucket.Group{Prefix: name + ".pipelinerun", Buckets: 4}
		for seconds := 0; seconds <= 60; seconds += 10 {
			b.time.now = at(float64(seconds))
			b.write("pod-a_2", other.Names()...)
		}
		b.configure(config.ConfigMapName, "max-handovers-in-flight", "3")
		b.until(61, 65, "pod-a_1", "pod-a_2")
		if got := b.wrote(); len(got) != 3 {
			t.Errorf("writes %q, want 3 holds", got)
		}
	})
	t.Run("one after the other", func(t *testing.T) {
		b := uneven(t)
		b.configure(config.ConfigMapName, "max-handovers-in-flight", "1")
		for second := 61; second <= 260; second++ {
			b.until(second, second, "pod-a_1", "pod-b_1")
			b.write("pod-b_1", missing(b)...)
			if n := len(b.work[key].handovers); n > 1 {
				t.Fatalf("%d handovers in flight at %ds", n, second)
			}
		}
		want := []string{
			"Normal RebalanceBegun Queue taskrun-of-04: moving 1 of 4 leases, now pod-a: 4",
			"Normal RebalanceDone Queue taskrun-of-04: even after 2m10s (done: 2), now pod-a: 2, pod-b: 2",
		}
		if diff := cmp.Diff(want, b.said()); diff != "" {
			t.Errorf("events (-want, +got):\n%s", diff)
		}
	})
}

// TestBrakeKeepsMovesFromBeginning: while calls fail nothing begins; what is in
// flight goes on, and the rest begins when the trouble is over.
func TestBrakeKeepsMovesFromBeginning(t *testing.T) {
	b := uneven(t)
	b.configure(config.ConfigMapName, "max-handovers-in-flight", "1")
	b.until(61, 65, "pod-a_1")
	b.wrote()
	b.fault = func(leasestesting.Request) leasestesting.Fault { return leasestesting.Fault{Err: errLister} }
	b.until(66, 112, "pod-a_1") // it cannot extend its hold
	b.configure(config.ConfigMapName)
	b.until(113, 125, "pod-a_1")
	if diff := cmp.Diff(map[balance.Reason]int{balance.APITrouble: 1}, b.reasonsNow()); diff != "" {
		t.Errorf("surplus leases that stay (-want, +got):\n%s", diff)
	}
	b.fault = nil
	b.until(126, 130, "pod-a_1")
	if wrote := b.wrote(); len(wrote) == 0 || slices.ContainsFunc(wrote, func(s string) bool { return !strings.Contains(s, "taskrun.00") }) {
		t.Errorf("writes %q, want some of the one in flight and none of another", wrote)
	}
	b.until(131, 175, "pod-a_1")
	if wrote := b.wrote(); !slices.Contains(wrote, "update taskrun.01-of-04 "+ownIdentity) {
		t.Errorf("writes %q, want a hold of the other", wrote)
	}
	for _, text := range []string{"The API server is in trouble", "The API server is well again"} {
		if got := strings.Count(b.log.String(), text); got != 1 {
			t.Errorf("%d lines with %q, want 1", got, text)
		}
	}
}

// TestMutedInTheEnd: a holder that always makes itself holder again, whatever is
// in the lease, is asked three times and then left alone.
func TestMutedInTheEnd(t *testing.T) {
	b := uneven(t)
	b.takesBack(61, 1000, "pod-a_1")
	want := map[string]int{"update taskrun.00-of-04 " + ownIdentity: 3, "update taskrun.01-of-04 " + ownIdentity: 2}
	if diff := cmp.Diff(want, b.counted()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[balance.Reason]int{balance.Muted: 2}, b.reasonsNow()); diff != "" {
		t.Errorf("surplus leases that stay (-want, +got):\n%s", diff)
	}
	var warnings []string
	for _, e := range b.said() {
		if strings.HasPrefix(e, "Warning") {
			warnings = append(warnings, strings.Fields(e)[1])
		}
	}
	if diff := cmp.Diff([]string{reasonMuted, reasonFailed}, warnings); diff != "" {
		t.Errorf("warnings (-want, +got):\n%s", diff)
	}
}

// takesBack lets a holder of the queue make itself holder again each time, while
// it and the others renew.
func (b *bench) takesBack(from, to int, holder string, others ...string) {
	b.t.Helper()
	for second := from; second <= to; second++ {
		b.until(second, second, append(others, holder)...)
		for _, lease := range taskrun.Names() {
			if l := b.lease(lease); l == nil || ptr.Deref(l.Spec.HolderIdentity, "") != holder {
				b.write(holder, lease)
			}
		}
	}
}

// counted are our writes since the last time, and how often.
func (b *bench) counted() map[string]int {
	times := map[string]int{}
	for _, w := range b.wrote() {
		times[w]++
	}
	return times
}

// TestWhoLeadsElsewhereMayHaveBadLuck: that a lease comes back three times is
// chance if the replica that it is meant for leads others; eight times is not.
func TestWhoLeadsElsewhereMayHaveBadLuck(t *testing.T) {
	other := bucket.Group{Prefix: name + ".pipelinerun", Buckets: 2}
	b := uneven(t)
	for seconds := 0; seconds <= 60; seconds += 10 {
		b.time.now = at(float64(seconds))
		b.write("pod-a_2", other.Name(0))
		b.write("pod-b_2", other.Name(1))
	}
	b.takesBack(61, 1000, "pod-a_1", "pod-a_2", "pod-b_2")
	want := fmt.Sprintf("Warning RebalanceMuted Queue %s: leases came back to pod-a in %d tries in a row", "taskrun-of-04", chanceReturns)
	if said := b.said(); !slices.ContainsFunc(said, func(e string) bool { return strings.HasPrefix(e, want) }) {
		t.Errorf("Events %q, want %q", said, want)
	}
	if diff := cmp.Diff(map[balance.Reason]int{balance.Muted: 2}, b.reasonsNow()); diff != "" {
		t.Errorf("surplus leases that stay (-want, +got):\n%s", diff)
	}
}

// TestPingPongInTheEnd: somebody gives the lease back to its old holder each time.
func TestPingPongInTheEnd(t *testing.T) {
	b := uneven(t)
	b.until(61, 62, "pod-a_1")
	moves := 0
	for second := 63; second <= 1500; second++ {
		b.until(second, second, "pod-a_1", "pod-b_1")
		for _, lease := range taskrun.Names() {
			l := b.lease(lease)
			switch by := ""; {
			case l != nil:
				by = *l.Spec.HolderIdentity
				if by == "pod-b_1" && b.work[key].handovers[lease] == nil {
					b.write("pod-a_1", lease)
					moves++
				}
			default:
				b.write("pod-b_1", lease)
			}
		}
	}
	if moves < 4 || moves > 6 {
		t.Errorf("they were moved back %d times, want it to end with the first repeats", moves)
	}
	if got := b.reasonsNow(); got[balance.PingPong] == 0 {
		t.Errorf("surplus leases stay for %v, want %s", got, balance.PingPong)
	}
	if !slices.ContainsFunc(b.said(), func(e string) bool { return strings.HasPrefix(e, "Warning "+reasonPingPong) }) {
		t.Error("no Event tells of it")
	}
}

// TestWanted: whether a lease is where one should be.
func TestWanted(t *testing.T) {
	view := both("pod-a", "pod-b", "pod-c")
	for i := range view.Replicas {
		view.Replicas[i].Hostname = view.Replicas[i].Pod.Name
	}
	lease := leasestesting.MakeLease(taskrun.Name(0)).Holder("pod-a_1").Renewed(start).Duration(60).Obj()
	placed := balance.Placement{Group: taskrun.String(), Lease: taskrun.Name(1), To: "pod-b"}
	elsewhere := balance.Placement{Group: "another", Lease: "x", To: "pod-c"}
	plan := balance.Plan{Placements: []balance.Placement{placed, elsewhere}}
	cases := map[string]struct {
		outcome handover.Outcome
		want    bool
	}{
		"with one that should get one of the queue": {outcome: handover.Outcome{Result: handover.Done, By: "pod-b_1"}, want: true},
		"with one that should get one of another":   {outcome: handover.Outcome{Result: handover.Done, By: "pod-c_1"}},
		"with nobody of them":                       {outcome: handover.Outcome{Result: handover.Done, By: "pod-z_1"}},
		"it came back":                              {outcome: handover.Outcome{Result: handover.Returned, By: "pod-b_1"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			h := handover.New(ownIdentity, bucket.Group{Prefix: taskrun.Prefix, Buckets: 4}, lease,
				handover.Party{Replica: "pod-a", Identity: "pod-a_1"}, start, start, handover.Timing{}, 0)
			if got := wanted(&task{Handover: h}, tc.outcome, view, plan); got != tc.want {
				t.Errorf("wanted = %v, want %v", got, tc.want)
			}
		})
	}
}

// TestPinnedLeaseIsPlannedAround: another lease of the queue moves in its place.
func TestPinnedLeaseIsPlannedAround(t *testing.T) {
	b := uneven(t)
	w := b.remember(key, b.deployment)
	for _, seconds := range []float64{-300, -200, -100} {
		w.history.note(after(seconds, handover.Done))
	}
	b.until(61, 61, "pod-a_1")
	want := []string{"update taskrun.01-of-04 " + ownIdentity, "update taskrun.02-of-04 " + ownIdentity}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
}
