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
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/handover"
)

// tries are so many tries in a row of another lease, 100 s apart.
func tries(n int, result handover.Result, change ...func(*ending)) []ending {
	var all []ending
	for i := range n {
		all = append(all, after(float64(100*(i+1)), result, append(change, second)...))
	}
	return all
}

// TestLuck: what chance may cost costs nothing, what it cannot is retried less
// and less often.
func TestLuck(t *testing.T) {
	const done, returned = handover.Done, handover.Returned
	side := func(n int) []ending {
		all := tries(1, done, misplaced)
		for range n - 1 {
			all = append(all, after(101, done, misplaced, beside))
		}
		return all
	}
	free := func(h *history, now time.Time) balance.Reason { return h.waits(taskrun, 0, now) }
	runHistory(t, free, map[string]historyCase{
		"with one contender, three":   {ended: tries(3, done, misplaced)},
		"four":                        {ended: tries(4, done, misplaced), until: 430, reason: balance.BackingOff},
		"five":                        {ended: tries(5, done, misplaced), until: 560, reason: balance.BackingOff},
		"ten":                         {ended: tries(10, done, misplaced), until: 2800, reason: balance.BackingOff},
		"taken by others":             {ended: tries(4, handover.Taken), until: 430, reason: balance.BackingOff},
		"acquired by nobody":          {ended: tries(4, handover.Abandoned), until: 430, reason: balance.BackingOff},
		"given back":                  {ended: tries(9, handover.GivenBack)},
		"not begun":                   {ended: tries(9, handover.NotBegun)},
		"with three contenders":       {ended: tries(6, done, misplaced, threeOthers)},
		"and one more":                {ended: tries(7, done, misplaced, threeOthers), until: 730, reason: balance.BackingOff},
		"with strategy delete, eight": {ended: tries(8, done, misplaced, withDelete)},
		"and nine":                    {ended: tries(9, done, misplaced, withDelete), until: 930, reason: balance.BackingOff},
		"side by side":                {ended: side(9)},
		"one arrives":                 {ended: append(tries(9, done, misplaced), after(1000, done))},
		"one arrived before":          {ended: append(append(tries(9, done, misplaced), after(1000, done)), after(1100, done, misplaced))},

		"came back once":             {ended: tries(1, returned), until: 115, reason: balance.BackingOff},
		"twice":                      {ended: tries(2, returned), until: 260, reason: balance.BackingOff},
		"taken out of our hands":     {ended: tries(2, handover.Interrupted), until: 260, reason: balance.BackingOff},
		"three times":                {ended: tries(3, returned), until: 2100, reason: balance.Muted},
		"with strategy delete, five": {ended: tries(5, returned, withDelete)},
		"but one arrived":            {ended: append(tries(2, returned), after(250, done), after(300, returned, second)), until: 315, reason: balance.BackingOff},
		"but one went elsewhere":     {ended: append(tries(2, returned), after(300, done, misplaced))},
		"beside one that did":        {ended: append(tries(2, returned), after(300, returned), after(301, done, misplaced, beside))},
	})
}

// TestMutedIsSaidOnce: one Event per queue, however many leases.
func TestMutedIsSaidOnce(t *testing.T) {
	h := newHistory()
	var said []notice
	for _, seconds := range []float64{100, 200, 300} {
		for _, lease := range taskrun.Names() {
			said = append(said, h.note(after(seconds, handover.Returned, func(e *ending) { e.lease = lease }))...)
		}
	}
	want := []notice{{
		reasonMuted, "Queue " + taskrun.String() + ": leases came back to pod-a in 3 tries in a row, so none is moved for 30m0s; " +
			"can the other replicas reach the API server?",
	}}
	if diff := cmp.Diff(want, said, cmp.AllowUnexported(notice{})); diff != "" {
		t.Errorf("notices (-want, +got):\n%s", diff)
	}
}

// TestUnluckyIsSaidOnce: when the pauses begin, and again only after a lease arrived.
func TestUnluckyIsSaidOnce(t *testing.T) {
	h := newHistory()
	var said []notice
	for _, e := range slices.Concat(tries(6, handover.Done, misplaced), endings(after(700, handover.Done)), tries(4, handover.Done, misplaced)) {
		said = append(said, h.note(e)...)
	}
	once := notice{
		reasonUnlucky, "Queue " + taskrun.String() + ": 4 tries in a row brought no lease to pod-b, the next is in 30s, " +
			"and each further pause is twice as long; until a replica has led in a queue, chance decides who acquires a lease meant for it",
	}
	if diff := cmp.Diff([]notice{once, once}, said, cmp.AllowUnexported(notice{})); diff != "" {
		t.Errorf("notices (-want, +got):\n%s", diff)
	}
}

// TestScouts: after two tries that brought nothing to a replica that may not be able
// to lead, one lease at a time is tried.
func TestScouts(t *testing.T) {
	cases := map[string]struct {
		ended    []ending
		inFlight int
		want     balance.Reason
	}{
		"none yet":                        {inFlight: 9},
		"after one":                       {ended: tries(1, handover.Done, misplaced), inFlight: 9},
		"after two, the first":            {ended: tries(2, handover.Done, misplaced)},
		"after two, a second":             {ended: tries(2, handover.Done, misplaced), inFlight: 1, want: balance.HandoverInFlight},
		"after two, but it can lead":      {ended: tries(2, handover.Done, misplaced, ableToLead), inFlight: 9},
		"after two, and one that arrives": {ended: append(tries(2, handover.Done, misplaced), after(300, handover.Done)), inFlight: 9},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			h := newHistory()
			for _, e := range tc.ended {
				h.note(e)
			}
			if got := h.waits(taskrun, tc.inFlight, at(400)); got != tc.want {
				t.Errorf("it waits for %q, want %q", got, tc.want)
			}
		})
	}
}
