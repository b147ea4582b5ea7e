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

package lab

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestCase33CrashedInPlace: a replica is killed and its container is started again in place. What it led is led again
// long before its leases expire, by the survivors that should have it.
func TestCase33CrashedInPlace(t *testing.T) {
	cases := map[string]struct {
		spread [][]int
		ours   map[string]string
		// The longest gap of a bucket is in this range.
		low, high time.Duration
	}{
		"one of two":                   {spread: [][]int{{5, 5}, {5, 5}, {5, 5}}, low: 10 * time.Second, high: 36 * time.Second},
		"one of three":                 {spread: [][]int{{4, 3, 3}, {3, 4, 3}, {3, 3, 4}}, low: 8 * time.Second, high: 36 * time.Second},
		"the survivor is not known":    {spread: [][]int{{10, 0}, {10, 0}, {10, 0}}, low: 10 * time.Second, high: 36 * time.Second},
		"the only one":                 {spread: [][]int{{10}, {10}, {10}}, low: 10 * time.Second, high: 36 * time.Second},
		"one of two, without our help": {spread: [][]int{{5, 5}, {5, 5}, {5, 5}}, ours: map[string]string{"fast-failover": "false"}, low: 55 * time.Second, high: 93 * time.Second},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var longest []time.Duration
			run(t, Options{Ours: tc.ours}, func(l *Lab) {
				l.StartController()
				replicas := l.Arrange(tc.spread...)
				time.Sleep(2 * time.Minute)
				since := time.Now()
				l.Restart(replicas[0], time.Second)
				l.WaitLed(2 * time.Minute)
				gap := l.Ledger.Gaps(since)[0].Length()
				if gap < tc.low || gap > tc.high {
					l.T.Errorf("longest gap = %v, want between %v and %v", gap, tc.low, tc.high)
				}
				longest = append(longest, gap)
				if n := len(l.Ledger.Overlaps(since)); n > 0 {
					l.T.Errorf("%d buckets had two leaders", n)
				}
			})
			median := percentile(longest, 50)
			t.Logf("%s: until every bucket is led again: median %v, at most %v", name, median, percentile(longest, 100))
			if tc.ours == nil && median > 25*time.Second {
				t.Errorf("median = %v, want 25s", median)
			}
		})
	}
}

// TestFailoverIsEven: the survivors share what the crashed one led, and get by name what should be theirs: nothing has
// to be handed over before the crashed one counts again.
func TestFailoverIsEven(t *testing.T) {
	run(t, Options{}, func(l *Lab) {
		l.StartController()
		replicas := l.Arrange([]int{4, 3, 3}, []int{3, 4, 3}, []int{3, 3, 4})
		time.Sleep(2 * time.Minute)
		l.Restart(replicas[0], time.Second)
		l.WaitLed(time.Minute)
		if got, want := l.String(), "pipelinerun 0/5/5, resolutionrequest 0/5/5, taskrun 0/5/5"; got != want {
			l.T.Errorf("spread = %s, want %s", got, want)
		}
		before := l.Leaders()
		l.Strict()
		l.WaitEven(10 * time.Minute)
		settled(l, before, 10)
		for _, event := range l.Events() {
			if strings.Contains(event, "LeaderElectionFailover") {
				return
			}
		}
		l.T.Errorf("no Event tells of it: %q", l.Events())
	})
}

// percentile returns the value that p per cent of the durations do not exceed.
func percentile(durations []time.Duration, p int) time.Duration {
	sorted := slices.Sorted(slices.Values(durations))
	return sorted[(len(sorted)-1)*p/100]
}

// TestCase38VanishedPodIsNoProof: a node is cut off, and the pod on it is deleted by force. Its process leads on until it
// gives up by itself; nobody gets its leases from us before they expire.
func TestCase38VanishedPodIsNoProof(t *testing.T) {
	run(t, Options{}, func(l *Lab) {
		l.StartController()
		replicas := l.Arrange([]int{4, 3, 3}, []int{3, 4, 3}, []int{3, 3, 4})
		time.Sleep(2 * time.Minute)
		lost := replicas[0]
		lost.process.client.Cut()
		l.tracef("%s is cut off", lost.Name)
		since := time.Now()
		l.setReplicas(2)
		l.forget(lost)
		time.Sleep(2 * time.Minute)
		l.WaitLed(0)
		for _, w := range l.Writes.All() {
			if strings.HasPrefix(w.From, lost.Name) {
				l.T.Errorf("%s was taken from the lost replica: %v", w.Lease, w)
			}
		}
		if gap := l.Ledger.Gaps(since)[0].Length(); gap > 50*time.Second {
			l.T.Errorf("nobody led for %v after the lost one gave up, want no more than without us", gap)
		}
		l.WaitEven(5 * time.Minute)
	})
}
