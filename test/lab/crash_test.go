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
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestDiesAt has our controller die at its third write: what was to come before it is there, what comes after it is not.
func TestDiesAt(t *testing.T) {
	cases := map[Moment]int{Unsent: 2, Unanswered: 3, Answered: 3}
	for at, want := range cases {
		t.Run(string(at), func(t *testing.T) {
			var all [][]Write
			for range 2 {
				run(t, Options{Election: map[string]string{"buckets": "4"}, GapLimit: crashGap}, func(l *Lab) {
					ours := l.StartController(DiesAt(3, at))
					l.Arrange([]int{4, 0}, []int{4, 0}, []int{4, 0})
					l.Strict()
					l.Wait("death", 4*time.Minute, ours.Died)
					time.Sleep(2 * time.Minute)
					writes := l.Writes.All()
					if n := len(writes); n < want || n > want && at != Answered {
						l.T.Errorf("%d writes, want %d", n, want)
					}
					if n := held(l); n != 0 {
						l.T.Errorf("%d leases are still held by us", n)
					}
					all = append(all, writes)
				})
			}
			for i := range all {
				for j := range all[i] {
					all[i][j].From, all[i][j].To = "", "" // our identity is drawn anew
				}
			}
			if diff := cmp.Diff(all[:len(all)/2], all[len(all)/2:]); diff != "" {
				t.Error("the same seed gave two histories (-first, +second):\n", diff)
			}
		})
	}
}

// crashGap is how long nobody may lead a bucket when we die in the middle of its handover (guarantee 4): the hold
// lasts retry period + renew deadline + margin from when it was written, then any candidate takes it within 2.2 retry
// periods, and the old holder gave up a renew deadline after its last renewal at the earliest. The guarantee leaves
// room for holds that were extended: renew deadline + margin + 2.2 retry periods.
const crashGap = 67 * time.Second

// TestCase26KilledBetweenAnyTwoCalls has our controller die right before, at and right after each of its writes of a
// whole round of handovers. By turns nobody comes after it, it is started again, or a standby takes over; three seeds
// have all of it.
func TestCase26KilledBetweenAnyTwoCalls(t *testing.T) {
	for i, at := range []Moment{Unsent, Unanswered, Answered} {
		// The last run of a moment is the one in which it does not come to that write.
		for write, died := 1, true; died; write++ {
			t.Run(fmt.Sprintf("%s/write=%d", at, write), func(t *testing.T) {
				died = false
				run(t, Options{Election: map[string]string{"buckets": "4"}, GapLimit: crashGap}, func(l *Lab) {
					then := []string{"nobody", "restart", "standby"}[(int64(write+i)+l.opts.Seed)%3]
					ours := l.StartController(DiesAt(write, at))
					if then == "standby" {
						time.Sleep(time.Second)
						l.StartController()
					}
					l.Arrange([]int{4, 0}, []int{4, 0}, []int{4, 0})
					l.Strict()
					l.Wait("death or even spread", 5*time.Minute, func() bool { return ours.Died() || l.Even() })
					if !ours.Died() {
						return
					}
					died = true
					if then == "nobody" {
						time.Sleep(2 * time.Minute)
						if n := held(l); n != 0 {
							l.T.Errorf("%d leases are still held by us", n)
						}
						l.WaitLed(0)
						return
					}
					if then == "restart" {
						time.Sleep(l.dice.between(time.Second, 30*time.Second, "restart"))
						l.StartController()
					}
					l.WaitEven(10 * time.Minute)
				})
			})
		}
	}
}
