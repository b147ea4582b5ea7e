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

// holds counts the handovers so far: each begins with a hold.
func (l *Lab) holds() int {
	n := 0
	for _, w := range l.Writes.Taken() {
		if strings.HasPrefix(w.To, controllerName) {
			n++
		}
	}
	return n
}

// TestSteering stops replicas cleanly. What they release is given to those that should have it, and next to nothing has
// to be handed over afterwards; chance makes more of it, and no shorter gaps.
func TestSteering(t *testing.T) {
	three := [][]int{{4, 3, 3}, {3, 4, 3}, {3, 3, 4}}
	cases := map[string]struct {
		spread [][]int
		stop   func(l *Lab, replicas []*Replica)
		// most is how many handovers are needed afterwards at the most. A replica that came back needs 10 or 15, and
		// some more as long as its identity is not known.
		most int
	}{
		"scale 3 to 2":      {three, func(l *Lab, _ []*Replica) { l.Scale(2) }, 0},
		"restart one of 3":  {three, func(l *Lab, r []*Replica) { l.Replace(r[0]) }, 25},
		"restart one of 2":  {[][]int{{5, 5}, {5, 5}, {5, 5}}, func(l *Lab, r []*Replica) { l.Replace(r[0]) }, 25},
		"replace one of 3":  {three, func(l *Lab, r []*Replica) { l.ReplaceAtOnce(r[0], 0) }, 5},
		"slow replacement":  {three, func(l *Lab, r []*Replica) { l.ReplaceAtOnce(r[0], 5*time.Second) }, 25},
		"rolling update, 2": {[][]int{{5, 5}, {5, 5}, {5, 5}}, func(l *Lab, _ []*Replica) { l.Rollout() }, 5},
		"rolling update, 3": {three, func(l *Lab, _ []*Replica) { l.Rollout() }, 5},
	}
	for name, tc := range cases {
		for _, steering := range []string{"true", "false"} {
			t.Run(name+", steering="+steering, func(t *testing.T) {
				var handovers []int
				var gaps []time.Duration
				run(t, Options{Ours: map[string]string{"fast-failover": steering}}, func(l *Lab) {
					l.StartController()
					replicas := l.Arrange(tc.spread...)
					time.Sleep(2 * time.Minute)
					since := time.Now()
					tc.stop(l, replicas)
					l.WaitLed(2 * time.Minute)
					longest := l.Ledger.Gaps(since)[0].Length()
					l.WaitEven(20 * time.Minute)
					time.Sleep(2 * time.Minute)
					if steering == "true" && (l.holds() > tc.most || longest > 36*time.Second) {
						l.T.Errorf("%d handovers afterwards and a gap of %v, want %d and 36s at the most", l.holds(), longest, tc.most)
					}
					handovers, gaps = append(handovers, l.holds()), append(gaps, longest)
				})
				slices.Sort(handovers)
				n := len(handovers) - 1
				t.Logf("%s, steering=%s: handovers afterwards: median %d, at most %d; longest time without a leader: median %v, at most %v",
					name, steering, handovers[n/2], handovers[n], percentile(gaps, 50).Round(100*time.Millisecond), percentile(gaps, 100).Round(100*time.Millisecond))
			})
		}
	}
}
