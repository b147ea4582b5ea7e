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
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// after is an ending of the first lease's handover from pod-a to pod-b, which
// began a minute before.
func after(seconds float64, result handover.Result, change ...func(*ending)) ending {
	e := ending{
		lease: taskrun.Name(0), group: taskrun, result: result,
		from: handover.Party{Replica: "pod-a", Identity: "pod-a_1"}, to: "pod-b", by: "pod-a_1",
		contenders: 1, began: at(seconds - 60), at: at(seconds),
	}
	if result == handover.Done {
		e.by, e.wanted = "pod-b_1", true
	}
	for _, c := range change {
		c(&e)
	}
	return e
}

func withDelete(e *ending)           { e.byChance = true }
func ableToLead(e *ending)           { e.able = true }
func second(e *ending)               { e.lease = taskrun.Name(1) }
func fromAnother(e *ending)          { e.from.Identity = "pod-a_2" }
func toAnother(e *ending)            { e.by = "pod-b_2" }
func beside(e *ending)               { e.began = e.at.Add(-time.Hour) }
func misplaced(e *ending)            { e.by, e.wanted = "pod-c_1", false }
func threeOthers(e *ending)          { e.contenders = 3 }
func endings(all ...ending) []ending { return all }

// both are the replicas of the tests.
func both(replicas ...string) observe.View {
	var v observe.View
	for _, r := range replicas {
		v.Replicas = append(v.Replicas, observe.Replica{Pod: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: r}}})
	}
	return v
}

// historyCase is when a lease of pod-a may be moved, after what happened.
type historyCase struct {
	ended []ending
	// until is up to when the reason holds, in seconds; 0 if it does not.
	until  float64
	reason balance.Reason
}

// waiting tells why the lease waits at a time.
func runHistory(t *testing.T, waiting func(*history, time.Time) balance.Reason, cases map[string]historyCase) {
	t.Helper()
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			h := newHistory()
			for _, e := range tc.ended {
				h.forget(both("pod-a", "pod-b"), e.at)
				h.note(e)
			}
			waits := func(now time.Time) balance.Reason {
				h.forget(both("pod-a", "pod-b"), now)
				return waiting(h, now)
			}
			if tc.until > 0 {
				if got := waits(at(tc.until - 0.001)); got != tc.reason {
					t.Errorf("right before %vs it waits for %q, want %q", tc.until, got, tc.reason)
				}
			}
			last := max(tc.until, tc.ended[len(tc.ended)-1].at.Sub(start).Seconds())
			if got := waits(at(last)); got != "" {
				t.Errorf("at %vs it waits for %q, want nothing", last, got)
			}
		})
	}
}

// pinned is why the first lease stays with the process that holds it.
func pinned(h *history, now time.Time) balance.Reason {
	view := observe.View{Groups: []observe.Group{{Group: taskrun, Leases: []observe.Lease{{Name: taskrun.Name(0), Identity: "pod-a_1"}}}}}
	h.pin(view, now)
	return view.Groups[0].Leases[0].Pinned
}

// TestPin: it keeps its hands off what is pinned already, or in transit.
func TestPin(t *testing.T) {
	h := newHistory()
	h.note(after(100, handover.Returned))
	leases := []observe.Lease{
		{Name: taskrun.Name(0), Identity: "pod-a_1"},
		{Name: taskrun.Name(0), Identity: "pod-b_1"},
		{Name: taskrun.Name(0), Identity: "pod-a_1", Pinned: balance.HolderLate},
		{Name: taskrun.Name(0), Transit: &observe.Transit{}},
		{Name: taskrun.Name(1), Identity: "pod-a_1"},
	}
	h.pin(observe.View{Groups: []observe.Group{{Group: taskrun, Leases: leases}}}, at(101))
	var got []balance.Reason
	for _, l := range leases {
		got = append(got, l.Pinned)
	}
	if diff := cmp.Diff([]balance.Reason{balance.BackingOff, "", balance.HolderLate, "", ""}, got); diff != "" {
		t.Errorf("reasons (-want, +got):\n%s", diff)
	}
}

// TestReturns: a lease that comes back is tried again after longer and longer
// pauses, and left alone after three times.
func TestReturns(t *testing.T) {
	const returned, interrupted = handover.Returned, handover.Interrupted
	runHistory(t, pinned, map[string]historyCase{
		"done":               {ended: endings(after(100, handover.Done))},
		"given back":         {ended: endings(after(100, handover.GivenBack), after(200, handover.GivenBack), after(300, handover.GivenBack))},
		"not begun":          {ended: endings(after(100, handover.NotBegun), after(200, handover.NotBegun), after(300, handover.NotBegun))},
		"back once":          {ended: endings(after(100, returned)), until: 115, reason: balance.BackingOff},
		"taken away once":    {ended: endings(after(100, interrupted)), until: 115, reason: balance.BackingOff},
		"back twice":         {ended: endings(after(100, returned), after(200, returned)), until: 260, reason: balance.BackingOff},
		"either counts":      {ended: endings(after(100, interrupted), after(200, returned)), until: 260, reason: balance.BackingOff},
		"back three times":   {ended: endings(after(100, returned), after(200, returned), after(300, returned)), until: 2100, reason: balance.Muted},
		"done in between":    {ended: endings(after(100, returned), after(200, handover.Done), after(300, returned)), until: 315, reason: balance.BackingOff},
		"taken in between":   {ended: endings(after(100, returned), after(200, handover.Taken), after(300, returned)), until: 315, reason: balance.BackingOff},
		"another lease":      {ended: endings(after(100, returned, second))},
		"to another process": {ended: endings(after(100, returned, fromAnother))},
		"of another process before": {
			ended: endings(after(100, returned, fromAnother), after(200, returned)), until: 215, reason: balance.BackingOff,
		},
		"again after it was left alone": {
			ended: endings(after(100, returned), after(200, returned), after(300, returned), after(2200, returned)),
			until: 2215, reason: balance.BackingOff,
		},
		"strategy delete: chance": {
			ended: endings(after(1, returned, withDelete), after(2, returned, withDelete), after(3, returned, withDelete),
				after(4, returned, withDelete), after(5, returned, withDelete)),
		},
		"strategy delete: six times": {
			ended: endings(after(1, returned, withDelete), after(2, returned, withDelete), after(3, returned, withDelete),
				after(4, returned, withDelete), after(5, returned, withDelete), after(6, returned, withDelete)),
			until: 21, reason: balance.BackingOff,
		},
	})
}

// TestAtMostThreeTries: whatever happens, a lease that always comes back is not
// taken more than three times in any half an hour, each of them taking a minute.
func TestAtMostThreeTries(t *testing.T) {
	h := newHistory()
	var tries []time.Time
	for now := start; now.Before(start.Add(4 * time.Hour)); now = now.Add(time.Second) {
		h.forget(both("pod-a", "pod-b"), now)
		if pinned(h, now) != "" {
			continue
		}
		tries = append(tries, now)
		now = now.Add(time.Minute)
		h.note(after(now.Sub(start).Seconds(), handover.Returned))
	}
	for i := range len(tries) - 3 {
		if span := tries[i+3].Sub(tries[i]); span < memory {
			t.Errorf("four tries within %s", span)
		}
	}
	if len(tries) < 12 {
		t.Errorf("%d tries in 4h, want it tried again after each half an hour", len(tries))
	}
}

// TestForget: nothing is remembered for longer than it matters, and no failure
// for a replica that is gone.
func TestForget(t *testing.T) {
	cases := map[string]struct {
		ended    []ending
		replicas []string
		seconds  float64
		want     balance.Reason
		leases   int
	}{
		"it matters":              {ended: endings(after(100, handover.Returned)), replicas: []string{"pod-b"}, seconds: 101, want: balance.BackingOff, leases: 1},
		"the target is gone":      {ended: endings(after(100, handover.Returned)), replicas: []string{"pod-c"}, seconds: 101, leases: 1},
		"another target":          {ended: endings(after(100, handover.Returned, func(e *ending) { e.to = "pod-c" })), replicas: []string{"pod-c"}, seconds: 101, want: balance.BackingOff, leases: 1},
		"it is still remembered":  {ended: endings(after(100, handover.Returned)), replicas: []string{"pod-b"}, seconds: 1899, leases: 1},
		"it is old":               {ended: endings(after(100, handover.Returned)), replicas: []string{"pod-b"}, seconds: 1900},
		"several are old":         {ended: endings(after(100, handover.Done), after(200, handover.Returned, second)), replicas: []string{"pod-b"}, seconds: 2000},
		"what is muted stays":     {ended: endings(after(1, handover.Returned), after(2, handover.Returned), after(3, handover.Returned)), replicas: []string{"pod-b"}, seconds: 1802, want: balance.Muted, leases: 1},
		"unless its target left":  {ended: endings(after(1, handover.Returned), after(2, handover.Returned), after(3, handover.Returned)), replicas: []string{"pod-c"}, seconds: 4, leases: 1},
		"muted, and it is over":   {ended: endings(after(1, handover.Returned), after(2, handover.Returned), after(3, handover.Returned)), replicas: []string{"pod-b"}, seconds: 1803},
		"no target was ever said": {ended: endings(after(100, handover.Returned, func(e *ending) { e.to = "" })), replicas: []string{"pod-b"}, seconds: 101, want: balance.BackingOff, leases: 1},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			h := newHistory()
			for _, e := range tc.ended {
				h.note(e)
			}
			h.forget(both(tc.replicas...), at(tc.seconds))
			if got := pinned(h, at(tc.seconds)); got != tc.want {
				t.Errorf("it waits for %q, want %q", got, tc.want)
			}
			if len(h.leases) != tc.leases || tc.leases == 0 && len(h.queues) != 0 {
				t.Errorf("remembers %d leases and %d queues, want %d leases", len(h.leases), len(h.queues), tc.leases)
			}
		})
	}
}

func TestPause(t *testing.T) {
	var got []time.Duration
	for n := 1; n <= 5; n++ {
		got = append(got, pause(15*time.Second, 4, n))
	}
	want := []time.Duration{15 * time.Second, time.Minute, 4 * time.Minute, 16 * time.Minute, memory}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pauses (-want, +got):\n%s", diff)
	}
	if got := pause(time.Minute, 2, 0); got != 0 {
		t.Errorf("a pause of %s before anything failed", got)
	}
	if got := pause(time.Minute, 2, 1000); got != memory {
		t.Errorf("a thousandth pause of %s, want %s", got, memory)
	}
}
