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
			want: Process{Leases: 1, Renewals: 1},
		},
		"what is about to expire is not": {
			sights: append(on(1, a(0), a(10), a(20)), a(70), a(80)), now: 80,
			want: Process{Leases: 2, Renewals: 2, Lateness: 50 * time.Second, Longest: 10 * time.Second},
		},
		"it holds a lease; who wrote that is not known": {
			sights: []sight{a(0)}, now: 59, want: Process{Leases: 1},
		},
		"its first interval says nothing": {
			sights: []sight{a(0), a(3)}, now: 3, want: Process{Leases: 1, Renewals: 1},
		},
		"neither does a long one": {
			sights: []sight{a(0), a(40)}, now: 40, want: Process{Leases: 1, Renewals: 1},
		},
		"on time": {
			sights: []sight{a(0), a(3), a(13), a(23)}, now: 33,
			want: Process{Leases: 1, Renewals: 3, Longest: 10 * time.Second},
		},
		"late once": {
			sights: []sight{a(0), a(3), a(13), a(26.5), a(36.5)}, now: 40,
			want: Process{Leases: 1, Renewals: 4, Lateness: 3500 * time.Millisecond, Longest: 13500 * time.Millisecond},
		},
		"late, but long ago": {
			sights: []sight{a(0), a(3), a(33), a(43), a(53), a(63), a(73), a(83)}, now: 84,
			want: Process{Leases: 1, Renewals: 7, Longest: 10 * time.Second},
		},
		"late and just still among the last five": {
			sights: []sight{a(0), a(3), a(33), a(43), a(53), a(63), a(73)}, now: 74,
			want: Process{Leases: 1, Renewals: 6, Lateness: 20 * time.Second, Longest: 30 * time.Second},
		},
		"overdue now": {
			sights: []sight{a(0), a(3), a(13)}, now: 27,
			want: Process{Leases: 1, Renewals: 2, Lateness: 4 * time.Second, Longest: 10 * time.Second},
		},
		"early is not negative": {
			sights: []sight{a(0), a(3), a(8)}, now: 8,
			want: Process{Leases: 1, Renewals: 2, Longest: 5 * time.Second},
		},
		"the later of two leases": {
			sights: append(on(0, a(0), a(1), a(11), a(21)), on(1, a(2), a(3), a(15), a(25))...), now: 25,
			want: Process{Leases: 2, Renewals: 3, Lateness: 2 * time.Second, Longest: 12 * time.Second},
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
			want: Process{Leases: 1, Renewals: 2, Longest: 10 * time.Second},
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
