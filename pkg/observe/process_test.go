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
	"time"

	"github.com/google/go-cmp/cmp"
)

// sight is a lease as it was seen at a time, in seconds.
type sight struct {
	seen    float64
	lease   uint32
	holder  string
	renewed float64
}

// a is a sight of a lease of pod-a without any delay.
func a(seen float64) sight { return sight{seen: seen, holder: "pod-a_1", renewed: seen} }

// on is the same of another lease.
func on(lease uint32, sights ...sight) []sight {
	for i := range sights {
		sights[i].lease = lease
	}
	return sights
}

func (w *world) follow(sights []sight) {
	for _, s := range sights {
		w.SawLease(record(taskrun.Name(s.lease), s.holder, s.renewed), at(s.seen))
	}
}

func TestProcess(t *testing.T) {
	cases := map[string]struct {
		sights []sight
		now    float64
		want   Process
	}{
		"nothing was seen": {now: 0},
		"what has expired is an earlier process's": {
			sights: append(on(1, a(0), a(10), a(20)), a(70), a(80)), now: 80.001,
			want: Process{Leases: 1, Renewals: 1, Stamp: stampAt(80)},
		},
		"what is about to expire is not": {
			sights: append(on(1, a(0), a(10), a(20)), a(70), a(80)), now: 80,
			want: Process{Leases: 2, Renewals: 2, Lateness: 50 * time.Second, Longest: 10 * time.Second, Stamp: stampAt(80)},
		},
		"it holds a lease; who wrote that is not known": {
			sights: []sight{a(0)}, now: 59, want: Process{Leases: 1},
		},
		"its first interval says nothing": {
			sights: []sight{a(0), a(3)}, now: 3, want: Process{Leases: 1, Renewals: 1, Stamp: stampAt(3)},
		},
		"neither does a long one": {
			sights: []sight{a(0), a(40)}, now: 40, want: Process{Leases: 1, Renewals: 1, Stamp: stampAt(40)},
		},
		"on time": {
			sights: []sight{a(0), a(3), a(13), a(23)}, now: 33,
			want: Process{Leases: 1, Renewals: 3, Longest: 10 * time.Second, Stamp: stampAt(23)},
		},
		"late once": {
			sights: []sight{a(0), a(3), a(13), a(26.5), a(36.5)}, now: 40,
			want: Process{Leases: 1, Renewals: 4, Lateness: 3500 * time.Millisecond, Longest: 13500 * time.Millisecond, Stamp: stampAt(36.5)},
		},
		"late, but long ago": {
			sights: []sight{a(0), a(3), a(33), a(43), a(53), a(63), a(73), a(83)}, now: 84,
			want: Process{Leases: 1, Renewals: 7, Longest: 10 * time.Second, Stamp: stampAt(83)},
		},
		"late and just still among the last five": {
			sights: []sight{a(0), a(3), a(33), a(43), a(53), a(63), a(73)}, now: 74,
			want: Process{Leases: 1, Renewals: 6, Lateness: 20 * time.Second, Longest: 30 * time.Second, Stamp: stampAt(73)},
		},
		"overdue now": {
			sights: []sight{a(0), a(3), a(13)}, now: 27,
			want: Process{Leases: 1, Renewals: 2, Lateness: 4 * time.Second, Longest: 10 * time.Second, Stamp: stampAt(13)},
		},
		"early is not negative": {
			sights: []sight{a(0), a(3), a(8)}, now: 8,
			want: Process{Leases: 1, Renewals: 2, Longest: 5 * time.Second, Stamp: stampAt(8)},
		},
		"the latest of two leases is its proof, the later its lateness": {
			sights: append(on(0, a(0), a(1), a(11), a(21)), on(1, a(2), a(3), a(15), a(25))...), now: 25,
			want: Process{Leases: 2, Renewals: 3, Lateness: 2 * time.Second, Longest: 12 * time.Second, Stamp: stampAt(25)},
		},
		"a change of holder starts from nothing": {
			sights: []sight{a(0), a(10), a(35), {45, 0, "pod-b_1", 45}, {55, 0, "pod-a_1", 55}}, now: 56,
			want: Process{Leases: 1},
		},
		"a record that we wrote in its name is none of its renewals": {
			sights: []sight{a(0), a(10), {12, 0, ours, 99}, {14, 0, "pod-a_1", 10}}, now: 20,
			want: Process{Leases: 1},
		},
		"what is ours is not its": {
			sights: []sight{a(0), a(10), {12, 0, ours, 99}}, now: 20,
		},
		"an edit beside the record is no renewal": {
			sights: []sight{a(0), a(10), a(20), {25, 0, "pod-a_1", 20}}, now: 30,
			want: Process{Leases: 1, Renewals: 2, Longest: 10 * time.Second, Stamp: stampAt(20)},
		},
		"another process": {
			sights: []sight{{0, 0, "pod-ab_1", 0}, {10, 0, "pod-ab_1", 10}, {20, 0, "pod-ab_1", 20}}, now: 20,
		},
		"no elector at all": {
			sights: []sight{{0, 0, "pod-a", 0}, {10, 0, "pod-a", 10}}, now: 20,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 1)
			w.follow(tc.sights)
			got := w.Process("pod-a", retryPeriod, at(tc.now))
			got.Silence = 0 // TestSilence
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("process (-want, +got):\n%s", diff)
			}
		})
	}
}

func TestSilence(t *testing.T) {
	cases := map[string]struct {
		sights []sight
		now    float64
		want   time.Duration
	}{
		"it holds nothing":                 {now: 100},
		"one lease":                        {sights: []sight{a(0), a(10)}, now: 25, want: 15 * time.Second},
		"the lease renewed last":           {sights: append(on(0, a(0), a(10)), on(1, a(2), a(12))...), now: 25, want: 13 * time.Second},
		"in whatever order":                {sights: append(on(1, a(0), a(10)), on(0, a(2), a(12))...), now: 25, want: 13 * time.Second},
		"another process's does not count": {sights: append(on(0, a(0), a(10)), sight{20, 1, "pod-b_1", 20}), now: 25, want: 15 * time.Second},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 1)
			w.follow(tc.sights)
			if got := w.Process("pod-a", retryPeriod, at(tc.now)).Silence; got != tc.want {
				t.Errorf("Silence = %s, want %s", got, tc.want)
			}
		})
	}
}

// TestLost: lateness adds up, from a time on.
func TestLost(t *testing.T) {
	late := []sight{a(0), a(1), a(11), a(23), a(33), a(46), a(56)} // 2 s at 23, 3 s at 46
	cases := map[string]struct {
		sights     []sight
		since, now float64
		want       time.Duration
	}{
		"nothing was seen":               {now: 100},
		"nothing but its name":           {sights: []sight{a(0)}, now: 100},
		"on time":                        {sights: []sight{a(0), a(1), a(11), a(21)}, now: 31},
		"in sum":                         {sights: late, since: 0, now: 60, want: 5 * time.Second},
		"later than usual since then":    {sights: late, since: 23, now: 60, want: time.Second},
		"the interval that began before": {sights: late, since: 22.9, now: 60, want: 5 * time.Second},
		"nothing since then":             {sights: late, since: 46, now: 66},
		"overdue now":                    {sights: late, since: 46, now: 70, want: time.Second},
		"overdue, and was never late":    {sights: []sight{a(0), a(1), a(11)}, since: 11, now: 25, want: 4 * time.Second},
		"both":                           {sights: late, since: 23, now: 70, want: 3 * time.Second},
		"it let another lease go": {
			sights: append(on(1, a(0), a(1), a(11), sight{seen: 51}, a(52), a(53)), a(50), a(51), a(61)), since: 50, now: 61, want: 30 * time.Second,
		},
		"another replica took its lease": {
			sights: append(on(1, a(0), a(1), a(11), sight{seen: 45, holder: "pod-b_1", renewed: 45}), a(50), a(51)), since: 11, now: 51, want: 24 * time.Second,
		},
		"it let it go before": {
			sights: append(on(1, a(0), a(1), a(11), sight{seen: 51}, a(52), a(53)), a(50), a(51), a(61)), since: 51, now: 61,
		},
		"we took it": {
			sights: append(on(1, a(0), a(1), a(11), sight{seen: 18, holder: ours, renewed: 18}, sight{seen: 70, holder: "pod-b_1", renewed: 70}), a(50), a(60), a(70)),
			since:  11, now: 71,
		},
		"as late as usual": {
			sights: []sight{a(0), a(1), a(21), a(41), a(61), a(81), a(100)}, since: 41, now: 120,
		},
		"usual for another of its leases": {
			sights: append(on(1, a(2), a(3), a(20), a(30)), a(0), a(1), a(11), a(21), a(38)), since: 21, now: 38,
		},
		"usual is what came last": {
			sights: []sight{a(0), a(1), a(21), a(31), a(41), a(51), a(61), a(71), a(91)}, since: 71, now: 91, want: 10 * time.Second,
		},
		"early does not make up for late": {
			sights: []sight{a(0), a(1), a(14), a(19), a(24)}, now: 24, want: 3 * time.Second,
		},
		"the most of one lease, not of all": {
			sights: append(on(1, a(2), a(3), a(15), a(25), a(35), a(45), a(55)), late...), now: 60, want: 5 * time.Second,
		},
		"what has expired is an earlier process's": {
			sights: append(on(1, a(0), a(10), a(20)), a(60), a(70), a(80)), now: 81,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 1)
			w.follow(tc.sights)
			if got := w.Lost("pod-a", retryPeriod, at(tc.since), at(tc.now)); got != tc.want {
				t.Errorf("Lost = %s, want %s", got, tc.want)
			}
		})
	}
}

// TestLostOfAWholeWait: the longest wait of a handover is remembered.
func TestLostOfAWholeWait(t *testing.T) {
	w := newWorld(t, 1)
	w.follow([]sight{a(0), a(1), a(11), a(21), a(31), a(41), a(51), a(61)})
	seen := 61.0
	for seen < 150 {
		seen += 10.5
		w.follow([]sight{a(seen)})
	}
	// 90 s of renewals that are each half a second late.
	if got, want := w.Lost("pod-a", retryPeriod, at(61), at(seen)), 4500*time.Millisecond; got != want {
		t.Errorf("Lost = %s, want %s", got, want)
	}
}

// TestLostOfManyRenewals: with a short retry period and a long renew deadline a
// wait has many renewals, and a freeze at its beginning counts until its end.
func TestLostOfManyRenewals(t *testing.T) {
	const retry = 2 * time.Second
	w := newWorld(t, 1)
	name := taskrun.Name(1)
	for s := 40.0; s <= 60; s += 2 {
		w.saw(s, name, "pod-a_1")
	}
	for s := 80.0; s <= 130; s += 2 { // frozen from 60 to 80
		w.saw(s, name, "pod-a_1")
	}
	if got, want := w.Lost("pod-a", retry, at(60), at(131)), 18*time.Second; got != want {
		t.Errorf("Lost = %s, want %s", got, want)
	}
}
