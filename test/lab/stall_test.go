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
	"strings"
	"sync"
	"testing"
	"time"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// holdAll has one replica lead everything and us hold what is surplus. It returns at some moment of the wait.
func holdAll(l *Lab) *Replica {
	l.T.Helper()
	n := len(l.Group(Queues[0]).Names())
	holder := l.Arrange([]int{n, 0}, []int{n, 0}, []int{n, 0})[0]
	l.Wait("hold of each surplus lease", 2*time.Minute, func() bool { return held(l) == 3*n/2 })
	time.Sleep(l.dice.between(0, 50*time.Second, "phase"))
	return holder
}

// TestCase41FrozenHolder freezes a holder while we hold some of its leases: where it has only few others, they show
// little of that.
func TestCase41FrozenHolder(t *testing.T) {
	for _, buckets := range []string{"2", "3", "10"} {
		t.Run(buckets+" buckets", func(t *testing.T) {
			run(t, Options{Election: map[string]string{"buckets": buckets}}, func(l *Lab) {
				l.StartController()
				holder := holdAll(l)
				since := time.Now()
				holder.Freeze(l.dice.between(5*time.Second, 45*time.Second, "freeze"))
				time.Sleep(4 * time.Minute)
				l.WaitLed(time.Minute)
				if gaps := l.Ledger.Gaps(since); len(gaps) > 0 {
					l.T.Logf("nobody led for %v at the most", gaps[0].Length())
				}
			})
		})
	}
}

// TestCase41CutOffHolder cuts a holder off from the API server while we hold some of its leases. A lease that we hold
// never gets a second leader; those that we do not are lost, or not, as they are without us.
func TestCase41CutOffHolder(t *testing.T) {
	networks := map[string]func() Disturbance{"refused": Refused, "silent": Silent, "stuck": Stuck}
	for name, network := range networks {
		t.Run(name, func(t *testing.T) {
			run(t, Options{Tolerate: []string{OneLeader}}, func(l *Lab) {
				l.StartController()
				holder := holdAll(l)
				ours := map[string]bool{}
				for _, w := range l.Writes.Taken() {
					ours[w.Lease] = true
				}
				since, lasts := time.Now(), l.dice.between(10*time.Second, 60*time.Second, "cut off")
				l.Disturb(holder.Itself, network(), lasts)
				time.Sleep(5 * time.Minute)
				l.WaitLed(time.Minute)
				for _, o := range l.Ledger.Overlaps(since) {
					if ours[o.Bucket] || lasts < 40*time.Second {
						l.T.Errorf("cut off for %v: %s had two leaders for %v", lasts, o.Bucket, o.Length())
					}
				}
			})
		})
	}
}

// TestCase43RestartReportIsLate restarts a container in place, and has its pod tell so only after the new process has
// taken leases. The living process is never taken for the dead one.
func TestCase43RestartReportIsLate(t *testing.T) {
	for i, who := range []string{"holder", "target"} {
		t.Run(who, func(t *testing.T) {
			run(t, Options{Skew: 30 * time.Second, Drift: 0.001}, func(l *Lab) {
				l.StartController()
				holdAll(l)
				l.Restart(l.Replicas()[i], l.dice.between(0, 2*time.Minute, "report"))
				time.Sleep(4 * time.Minute)
				l.WaitEven(4 * time.Minute)
			})
		})
	}
}

// TestCase44WeFreeze freezes our own process in the middle of handovers. A standby takes over; what the first one was
// about to write when it thaws must not undo what happened since.
func TestCase44WeFreeze(t *testing.T) {
	run(t, Options{}, func(l *Lab) {
		first := l.StartController()
		time.Sleep(20 * time.Second)
		l.StartController()
		late := watchWriters(l)
		holdAll(l)
		freeze := l.dice.between(30*time.Second, 2*time.Minute, "freeze")
		first.Freeze(freeze)
		time.Sleep(freeze + 4*time.Minute)
		l.WaitEven(6 * time.Minute)
		for _, write := range late.landed(first.Name) {
			l.T.Error(write)
		}
	})
}

// writers notes who wrote each lease last, and what of ours overwrote somebody else.
type writers struct {
	mu    sync.Mutex
	last  map[string]string
	notes map[string][]string
}

func watchWriters(l *Lab) *writers {
	w := &writers{last: map[string]string{}, notes: map[string][]string{}}
	l.API.Observe(func(o leasestesting.Observation) {
		if o.Resource != "leases" || !isWrite(o.Verb) || o.Code >= 300 || strings.HasPrefix(o.Name, controllerName+".") {
			return
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		last, to := w.last[o.Name], holderOf(o.After)
		// A hold takes the lease of a replica, and what is created overwrites nobody. All else rests on the last write.
		if Ours(o.Client) && last != o.Client && o.Verb != "create" && !strings.HasPrefix(to, controllerName+"_") {
			w.notes[o.Client] = append(w.notes[o.Client], fmt.Sprintf("%v: %s %s, which %s had written: %q -> %q",
				l.Now(), o.Verb, o.Name, last, holderOf(o.Before), to))
		}
		w.last[o.Name] = o.Client
	})
	return w
}

// landed returns the writes of a process that overwrote what somebody else had written.
func (w *writers) landed(client string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.notes[client]
}

// TestFrozenBeyondItsLease shows what no lease can prevent: a holder that is frozen for longer than its leases last
// leads on when it thaws, until it notices. It takes no longer with us than without.
func TestFrozenBeyondItsLease(t *testing.T) {
	longest := map[bool]time.Duration{}
	for _, ours := range []bool{false, true} {
		run(t, Options{Tolerate: []string{OneLeader}}, func(l *Lab) {
			var holder *Replica
			if ours {
				l.StartController()
				holder = holdAll(l)
			} else {
				holder = l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})[0]
				time.Sleep(time.Minute + l.dice.between(0, 50*time.Second, "phase"))
			}
			since, freeze := time.Now(), l.dice.between(70*time.Second, 2*time.Minute, "freeze")
			holder.Freeze(freeze)
			time.Sleep(freeze + 3*time.Minute)
			l.WaitLed(2 * time.Minute)
			for _, o := range l.Ledger.Overlaps(since) {
				longest[ours] = max(longest[ours], o.Length())
				if o.From.Sub(since) < freeze {
					l.T.Errorf("%s had two leaders from %v on, before the thaw", o.Bucket, o.From.Sub(since))
				}
			}
		})
	}
	t.Logf("two leaders for %v without us, %v with us at the most", longest[false], longest[true])
	for ours, most := range longest {
		// From the thaw on: the renew deadline, and what the last calls take.
		if most > 41*time.Second {
			t.Errorf("two leaders for %v (with us: %v), want 40s at the most", most, ours)
		}
	}
	if longest[false] == 0 {
		t.Error("a holder that was frozen beyond its lease never led beside another")
	}
}

// TestManyShortFreezes freezes a holder again and again while we hold some of its leases, each time for less long than
// what lateness of its renewals alone would tell from noise. That must not add up: see the package handover.
func TestManyShortFreezes(t *testing.T) {
	for _, buckets := range []string{"2", "10"} {
		t.Run(buckets+" buckets", func(t *testing.T) {
			run(t, Options{Election: map[string]string{"buckets": buckets}, GapLimit: longestInTrouble}, func(l *Lab) {
				l.StartController()
				n := len(l.Group(Queues[0]).Names())
				holder := l.Arrange([]int{n, 0}, []int{n, 0}, []int{n, 0})[0]
				l.Wait("a renewal before each hold", 2*time.Minute, func() bool { return l.Now() > 45*time.Second })
				l.Strict()
				for began := l.Now(); l.Now()-began < 3*time.Minute; {
					holder.Freeze(1900 * time.Millisecond)
					time.Sleep(l.dice.between(2*time.Second, 12*time.Second, "pause", l.Now()))
				}
				time.Sleep(4 * time.Minute)
				l.WaitLed(time.Minute)
			})
		})
	}
}
