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
	"strings"
	"testing"
	"time"
)

// TestCase21KilledOverAndOver: a replica whose process is killed over and over gets nothing from the healthy ones, which
// stay even.
func TestCase21KilledOverAndOver(t *testing.T) {
	run(t, Options{}, func(l *Lab) {
		l.StartController()
		replicas := l.Arrange([]int{4, 3, 3}, []int{3, 4, 3}, []int{3, 3, 4})
		time.Sleep(2 * time.Minute)
		sick := replicas[0]
		// It is Ready for 17 s each time: it never ends its probation.
		for range 40 {
			l.Restart(sick, time.Second)
			time.Sleep(17 * time.Second)
		}
		for _, w := range l.Writes.All() {
			if strings.HasPrefix(w.To, sick.Name) {
				l.T.Errorf("%s was given to the sick replica at %v", w.Lease, w.At)
			}
		}
		if got, want := l.String(), "pipelinerun 0/5/5, resolutionrequest 0/5/5, taskrun 0/5/5"; got != want {
			l.T.Errorf("spread = %s, want %s", got, want)
		}
		// It has recovered, and is trusted again after some minutes.
		taken := len(l.Writes.Taken())
		time.Sleep(9 * time.Minute)
		if n := len(l.Writes.Taken()) - taken; n != 0 {
			l.T.Errorf("%d leases were taken for it before its probation ended", n)
		}
		l.Strict()
		l.WaitEven(5 * time.Minute)
	})
}

// TestCase21KilledNowAndThen: it lives long enough to end its first probations. They become longer.
func TestCase21KilledNowAndThen(t *testing.T) {
	run(t, Options{}, func(l *Lab) {
		l.StartController()
		replicas := l.Arrange([]int{5, 5}, []int{5, 5}, []int{5, 5})
		time.Sleep(2 * time.Minute)
		var given []int
		before := 0
		for range 8 {
			l.Restart(replicas[0], time.Second)
			time.Sleep(5 * time.Minute)
			n := len(l.Writes.Taken())
			given = append(given, n-before)
			before = n
		}
		l.T.Logf("leases taken after each restart: %v", given)
		if given[0] == 0 || given[len(given)-1] != given[len(given)-2] {
			l.T.Errorf("leases taken after each restart: %v, want less and less", given)
		}
		// The survivor's own leases are taken from it no more; what the killed one led is given to it.
		for _, gap := range l.Ledger.Gaps(l.began.Add(3 * time.Minute)) {
			if gap.Length() > 36*time.Second {
				l.T.Errorf("nobody led %s for %v", gap.Bucket, gap.Length())
			}
		}
	})
}

// TestCase39Autoscaler: a replica comes and goes every 5 minutes. What it would get for so short a time is moved less and
// less, and always has a leader.
func TestCase39Autoscaler(t *testing.T) {
	run(t, Options{}, func(l *Lab) {
		l.StartController()
		l.Arrange([]int{5, 5}, []int{5, 5}, []int{5, 5})
		time.Sleep(2 * time.Minute)
		l.Strict()
		var handovers []int
		before := 0
		for range 12 {
			l.Scale(3)
			time.Sleep(5 * time.Minute)
			l.Scale(2)
			time.Sleep(5 * time.Minute)
			n := 0
			for _, w := range l.Writes.Taken() {
				if strings.HasPrefix(w.To, controllerName) { // a hold
					n++
				}
			}
			handovers = append(handovers, n-before)
			before = n
		}
		l.T.Logf("handovers in each 10 minutes: %v", handovers)
		if first, last := handovers[0], handovers[len(handovers)-1]; first == 0 || last != 0 {
			l.T.Errorf("handovers in each 10 minutes: %v, want some at first and none at last", handovers)
		}
	})
}
