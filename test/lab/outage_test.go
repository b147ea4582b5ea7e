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
	"testing"
	"time"
)

// TestCase23APIInTrouble has the API server in trouble for 5 minutes, before leases are moved or in the middle of it.
// What no elector can do without the server is not held against us: the gaps count from the end of the trouble on.
func TestCase23APIInTrouble(t *testing.T) {
	troubles := map[string]struct {
		Disturbance
		// unnoticed: every third answer is lost, so that all that we ask for before we take leases come one time in six.
		unnoticed bool
		tolerate  []string
	}{
		"away":    {Disturbance: Refused()},
		"silent":  {Disturbance: Silent(), tolerate: unanswered},
		"slow":    {Disturbance: Slow(Range{time.Millisecond, 5 * time.Second}), tolerate: crossing},
		"failing": {Disturbance: Failing(0.5, ErrConflict, ErrTooMany, ErrInternal, ErrUnavailable, ErrTimeout)},
		"lossy":   {Disturbance: Lossy(0.3), unnoticed: true, tolerate: append(crossing, unanswered...)},
	}
	begin := map[string]func(l *Lab){
		"before": func(l *Lab) { time.Sleep(l.dice.between(0, 20*time.Second, "phase")) },
		"during": func(l *Lab) {
			l.Wait("hold", 2*time.Minute, func() bool { return held(l) > 0 })
			time.Sleep(l.dice.between(0, time.Minute, "phase"))
		},
	}
	for name, trouble := range troubles {
		for when, wait := range begin {
			t.Run(name+"/"+when, func(t *testing.T) {
				run(t, Options{Tolerate: trouble.tolerate}, func(l *Lab) {
					l.StartController()
					l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
					wait(l)
					began := l.Now()
					l.Disturb(Everybody, trouble.Disturbance, 5*time.Minute)
					time.Sleep(5 * time.Minute)
					for _, w := range l.Writes.Taken() {
						// An API that was well is not asked again for 5 s, and a call takes 5 s at the most.
						if w.held() && w.At > began+10*time.Second && !trouble.unnoticed {
							l.T.Errorf("%s was taken %v after the trouble began", w.Lease, w.At-began)
						}
					}
					ended := time.Now()
					l.WaitEven(12 * time.Minute)
					time.Sleep(2 * time.Minute)
					shortGaps(l, ended)
					if n := held(l); n != 0 || !l.Even() {
						l.T.Errorf("%d leases are held by us, spread %s", n, l)
					}
				})
			})
		}
	}
}

// crossing is what we break where calls or their answers take seconds: what we write may cross with what an elector
// writes meanwhile. It is refused then, or is one move too many.
var crossing = []string{Idle, FewMoves}

// unanswered is what electors break by themselves where calls get no answer: one that gives up first releases its lease,
// and says that it has stopped leading only when the answer to that has come, or another renew deadline has passed. By
// then the lease may have expired, and somebody else leads. TestUnansweredIsNoWorseWithUs compares that with and without us.
var unanswered = []string{OneLeader}

// TestCase37APIAway takes the API server away for 60 s in the middle of the wait.
func TestCase37APIAway(t *testing.T) {
	troubles := map[string]struct {
		Disturbance
		who      Who
		tolerate []string
	}{
		"refused":          {Refused(), Everybody, nil},
		"silent":           {Silent(), Everybody, unanswered},
		"stuck":            {Stuck(), Everybody, nil},
		"refused for us":   {Refused(), Ours, nil},
		"stuck for us":     {Stuck(), Ours, nil},
		"stuck for others": {Stuck(), Electors, nil},
	}
	for name, trouble := range troubles {
		t.Run(name, func(t *testing.T) {
			run(t, Options{Tolerate: trouble.tolerate}, func(l *Lab) {
				l.StartController()
				l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
				l.Wait("hold of each surplus lease", 2*time.Minute, func() bool { return held(l) == 15 })
				time.Sleep(l.dice.between(0, 50*time.Second, "phase"))
				l.Disturb(trouble.who, trouble.Disturbance, time.Minute)
				time.Sleep(time.Minute)
				ended := time.Now()
				l.WaitEven(10 * time.Minute)
				time.Sleep(2 * time.Minute)
				shortGaps(l, ended)
			})
		})
	}
}

// longestInTrouble is guarantee 4 for trouble: renew deadline + margin + 2.2 retry periods, and what all that takes.
const longestInTrouble = 67 * time.Second

// shortGaps checks that since the time given, when trouble was over, no bucket had no leader for longer than that. What
// nobody can do without the API server is not held against us.
func shortGaps(l *Lab, since time.Time) {
	l.T.Helper()
	for _, gap := range l.Ledger.Gaps(since) {
		if lasted := gap.To.Sub(latest(since, gap.From)); lasted > longestInTrouble {
			l.T.Errorf("seed %d: nobody led %s for %v after the trouble, want %v at the most", l.opts.Seed, gap.Bucket, lasted, longestInTrouble)
		}
	}
}

// TestCase24EveryLeaseDeleted deletes every lease by hand in the middle of the handovers. That makes two leaders, as it
// does without us.
func TestCase24EveryLeaseDeleted(t *testing.T) {
	stages := map[string]func(l *Lab) bool{
		"held":     func(l *Lab) bool { return held(l) == 15 },
		"released": func(l *Lab) bool { return released(l) > 0 },
	}
	for name, stage := range stages {
		t.Run(name, func(t *testing.T) {
			run(t, Options{Tolerate: []string{OneLeader}}, func(l *Lab) {
				l.StartController()
				l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
				l.Wait(name, 4*time.Minute, func() bool { return stage(l) })
				time.Sleep(l.dice.between(0, 10*time.Second, "phase"))
				for _, queue := range Queues {
					for _, lease := range l.Group(queue).Names() {
						_ = remove(l, lease) // it may be gone already
					}
				}
				l.WaitLed(2 * time.Minute)
				l.WaitEven(10 * time.Minute)
				for _, o := range l.Ledger.Overlaps(l.began) {
					// A renew deadline and a retry period: the old holder gives up then.
					if o.Length() > 51*time.Second {
						l.T.Errorf("%s had two leaders for %v", o.Bucket, o.Length())
					}
				}
			})
		})
	}
}

// released counts the leases that our controller let go of in a handover.
func released(l *Lab) int {
	n := 0
	for _, w := range l.Writes.All() {
		if w.released() {
			n++
		}
	}
	return n
}

// TestCase27TwoAtOnce lets two of us act at once.
func TestCase27TwoAtOnce(t *testing.T) {
	cases := map[string]struct {
		buckets string
		spread  [][]int
	}{
		"two replicas":   {"10", [][]int{{10, 0}, {10, 0}, {10, 0}}},
		"remainders":     {"5", [][]int{{5, 0}, {5, 0}, {5, 0}}},
		"three replicas": {"10", [][]int{{10, 0, 0}, {8, 2, 0}, {0, 0, 10}}},
		"even":           {"10", [][]int{{5, 5}, {5, 5}, {5, 5}}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			run(t, Options{Election: map[string]string{"buckets": tc.buckets}}, func(l *Lab) {
				l.StartController(Unelected)
				l.Arrange(tc.spread...)
				l.Strict()
				time.Sleep(l.dice.between(0, 10*time.Second, "phase"))
				l.StartController(Unelected)
				before, optimum := l.Leaders(), l.Optimum()
				l.WaitEven(10 * time.Minute)
				time.Sleep(time.Minute)
				settled(l, before, optimum)
				taken := len(l.Writes.Taken())
				time.Sleep(5 * time.Minute)
				if more := len(l.Writes.Taken()) - taken; more > 0 {
					l.T.Errorf("%d more leases were taken although the spread was even", more)
				}
			})
		})
	}
}
