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

import "time"

// mutants are what each rule of the design is for.
var mutants = map[string]mutant{
	"a wait shorter than retry period and renew deadline": {
		edits: []edit{{
			file: "pkg/handover/life.go", before: "clock := h.seen.Add(",
			insert: `at := h.seen.Add(h.timing.RenewDeadline / 2)
			return at, !now.Before(at)`,
		}},
		breaks: OneLeader, scenario: oneTakesAll,
	},
	"a hold shorter than the wait": {
		edits: []edit{{
			file: "pkg/handover/timing.go", before: "return ceilSecond(t.GiveUp() + margin)",
			insert: "return ceilSecond(t.RetryPeriod)",
		}},
		breaks: OneLeader, scenario: crashInMidHandover,
	},
	"no proof of life": {
		edits: []edit{{
			file: "pkg/handover/life.go", before: "clock := h.seen.Add(",
			insert: `at := h.seen.Add(h.timing.GiveUp() + h.margin())
			return at, !now.Before(at)`,
		}},
		breaks: OneLeader, scenario: holderFrozen,
	},
	"expiry by the holder's clock": {
		edits: []edit{{
			file: "pkg/handover/life.go", before: "clock := h.seen.Add(",
			insert: `at := h.renewed.Add(h.timing.GiveUp() + h.margin())
			return at, !now.Before(at)`,
		}},
		breaks: OneLeader, opts: Options{Skew: 30 * time.Second}, scenario: oneTakesAll,
	},
	"no compare-and-swap": {
		edits: []edit{{
			file: "pkg/handover/act.go", before: "wrote, err = c.Update(ctx, lease, metav1.UpdateOptions{})",
			insert: `ctx = context.WithoutCancel(ctx)
			if live, err := c.Get(ctx, h.Lease, metav1.GetOptions{}); err == nil {
				lease.UID, lease.ResourceVersion = live.UID, live.ResourceVersion
			}`,
		}},
		breaks: OneLeader, scenario: frozenInMidHandover,
	},
	"the cache's resourceVersion instead of our last write's": {
		edits: []edit{{
			file: "pkg/handover/next.go", before: "if h.attempt != nil {",
			insert: `if f.Lease != nil {
				h.own = f.Lease.DeepCopy()
			}`,
		}},
		breaks: OneLeader, scenario: frozenInMidHandover,
	},
	"assign without a look at who holds": {
		edits: []edit{{
			file: "pkg/handover/next.go", before: `if h.look(f.Lease) == changed && holder(f.Lease) != "" {`,
			insert: `if h.canName(f) && f.Lease != nil && f.Lease.UID != h.own.UID {
				h.own = f.Lease.DeepCopy()
				return Decision{Action: Assign, Target: f.Target}
			}`,
		}},
		breaks: OneLeader, opts: Options{Tolerate: crossing}, scenario: slowAtTheRelease,
	},
	"release to everybody when it must not go on": {
		edits: []edit{{
			file: "pkg/handover/next.go", before: "return Decision{Action: GiveBack}",
			insert: "return Decision{Action: Release}",
		}},
		breaks: OneLeader, scenario: rolloutInMidHandover,
	},
	"a restart report that kills every identity": {
		edits: []edit{{
			file: "pkg/observe/dead.go", before: "reported, ok := t.end(pod, k, now)",
			insert: `for _, c := range pod.Status.ContainerStatuses {
				if c.LastTerminationState.Terminated != nil {
					return true
				}
			}`,
		}},
		breaks: OneLeader, scenario: lateRestartReport,
	},
	"forgotten pending handovers": {
		edits: []edit{{
			file: "pkg/observe/view.go", before: "p := balance.Lease{Name: l.Name, Holder: l.Holder, Pinned: l.Pinned}",
			insert: `if l.Transit != nil {
				return balance.Lease{Name: l.Name, Holder: l.Transit.From}
			}`,
		}, {
			file: "pkg/reconciler/deployment/act.go", before: "to := view.Replica(target)",
			insert: `if h.Target() != "" {
				target = h.Target()
			}`,
		}},
		breaks: FewMoves, scenario: oneTakesAll,
	},
	"no probation": {
		edits: []edit{{
			file: "pkg/observe/probation.go", before: "faults := p.faults",
			insert: "window = 0",
		}},
		breaks: Probation, scenario: neverReadyForLong,
	},
}

// oneTakesAll is the plain handover of half of the leases.
func oneTakesAll(l *Lab) {
	l.StartController()
	l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
	time.Sleep(6 * time.Minute)
}

// slowAtTheRelease has leases taken by another replica than they are meant for, while the calls and what the caches show
// take long.
func slowAtTheRelease(l *Lab) {
	l.StartController()
	l.Arrange([]int{6, 0, 0}, []int{6, 0, 0}, []int{6, 0, 0})
	l.Wait("hold", 2*time.Minute, func() bool { return held(l) > 0 })
	time.Sleep(l.dice.between(0, 30*time.Second, "slowness begins"))
	l.Disturb(Everybody, Slow(Range{time.Second, 8 * time.Second}), 4*time.Minute)
	time.Sleep(7 * time.Minute)
}

// holding waits until our controller holds the surplus leases, and then for a moment that the seed draws.
func holding(l *Lab, low, high time.Duration) {
	l.Wait("hold of each surplus lease", 2*time.Minute, func() bool { return held(l) == 15 })
	time.Sleep(l.dice.between(low, high, "moment"))
}

// frozenInMidHandover stops our process while it holds leases; a standby takes over, then it goes on.
func frozenInMidHandover(l *Lab) {
	ours := l.StartController()
	l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
	holding(l, 0, 50*time.Second)
	l.StartController()
	ours.Freeze(l.dice.between(90*time.Second, 150*time.Second, "freeze"))
	time.Sleep(7 * time.Minute)
}

// crashInMidHandover kills our process while it holds leases, for good.
func crashInMidHandover(l *Lab) {
	ours := l.StartController()
	l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
	holding(l, 0, 40*time.Second)
	ours.Kill()
	time.Sleep(3 * time.Minute)
}

// rolloutInMidHandover is why leases are given back.
func rolloutInMidHandover(l *Lab) {
	l.StartController()
	l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
	holding(l, 0, 30*time.Second)
	l.BeginRollout()
	time.Sleep(2 * time.Minute)
}

// lateRestartReport has a holder whose pod tells of the end of its earlier process only when we hold leases of its
// present one.
func lateRestartReport(l *Lab) {
	l.Scale(1)
	l.WaitLed(time.Minute)
	r := l.Replicas()[0]
	go l.Restart(r, l.dice.between(150*time.Second, 180*time.Second, "report"))
	time.Sleep(5 * time.Second)
	l.WaitLed(2 * time.Minute)
	l.StartController()
	l.Scale(2)
	time.Sleep(5 * time.Minute)
}

// neverReadyForLong has a replica that is Ready for a moment only, again and again.
func neverReadyForLong(l *Lab) {
	l.StartController()
	replicas := l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
	for range 20 {
		l.Restart(replicas[1], 0)
		time.Sleep(l.dice.between(5*time.Second, 20*time.Second, "ready", l.Now()))
	}
}

// holderFrozen stops the old holder while our process holds its leases: some of its renewals were carried out, but it
// does not know yet.
func holderFrozen(l *Lab) {
	l.StartController()
	old := l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})[0]
	l.Wait("first hold", 2*time.Minute, func() bool { return held(l) > 0 })
	old.Freeze(l.dice.between(30*time.Second, 55*time.Second, "freeze"))
	time.Sleep(4 * time.Minute)
}
