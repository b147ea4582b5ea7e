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

// halfway brings the first replica's surplus leases into our hands: 2 of 10 buckets of each queue are already led by
// the second one, so that its identities are known.
func halfway(l *Lab) (old, target *Replica) {
	l.T.Helper()
	l.StartController()
	replicas := l.Arrange([]int{8, 2}, []int{8, 2}, []int{8, 2})
	l.Wait("hold of each surplus lease", 2*time.Minute, func() bool { return held(l) == 9 })
	l.Strict()
	time.Sleep(l.dice.between(time.Second, 30*time.Second, "phase"))
	return replicas[0], replicas[1]
}

// TestCase31HolderReportedDead ends the old holder's process while we hold its leases. Its node's report lets the target
// have them within seconds.
func TestCase31HolderReportedDead(t *testing.T) {
	cases := map[string]func(l *Lab, old *Replica){
		"terminated":    func(l *Lab, old *Replica) { l.Crash(old, 2*time.Second) },
		"new container": func(l *Lab, old *Replica) { l.Restart(old, 2*time.Second) },
	}
	for name, end := range cases {
		t.Run(name, func(t *testing.T) {
			run(t, Options{}, func(l *Lab) {
				old, target := halfway(l)
				l.Lax() // the old holder dies, and so leads nothing from then on
				names := heldNames(l)
				end(l, old)
				time.Sleep(3 * time.Second)
				// Our controller may hear of the Deployment first and give a lease back, but not leave it there.
				for _, name := range l.heldBy(target.Name) {
					delete(names, name)
				}
				if len(names) > 0 {
					l.T.Errorf("%d leases were not given to the target", len(names))
				}
				l.WaitLed(24 * time.Second) // in which each candidate tries
			})
		})
	}
}

// TestCase31NoProofOfDeath lets the old holder's pod terminate or vanish while its process runs on: that changes
// nothing.
func TestCase31NoProofOfDeath(t *testing.T) {
	const runsOn = 100 * time.Second
	cases := map[string]func(l *Lab, old *Replica){
		"deletion timestamp": func(l *Lab, old *Replica) { l.StopLate(old, runsOn) },
		"vanished pod": func(l *Lab, old *Replica) {
			l.forget(old)
			time.Sleep(runsOn)
		},
	}
	for name, end := range cases {
		t.Run(name, func(t *testing.T) {
			run(t, Options{}, func(l *Lab) {
				old, _ := halfway(l)
				end(l, old)
				// Retry period, renew deadline and margin after its last renewal, which was up to a retry period before.
				const least = 42 * time.Second
				holds := map[string]time.Duration{}
				for _, w := range l.Writes.All() {
					if w.taken() {
						holds[w.Lease] = w.At
					}
					if podOf(w.To) == old.Name {
						continue // it may have it back: it leads
					}
					if w.released() && w.At-holds[w.Lease] < least {
						l.T.Errorf("%s was released after %v", w.Lease, w.At-holds[w.Lease])
					}
				}
			})
		})
	}
}

// heldNames are the leases that our controller holds.
func heldNames(l *Lab) map[string]bool {
	names := map[string]bool{}
	for _, name := range l.heldBy(controllerName) {
		names[name] = true
	}
	return names
}

// TestCase32TargetDeleted deletes the target's pod between assign and its first renewal.
func TestCase32TargetDeleted(t *testing.T) {
	cases := map[string]func(l *Lab, target *Replica){
		"deleted":  (*Lab).Stop,
		"vanishes": (*Lab).Vanish,
	}
	for name, end := range cases {
		t.Run(name, func(t *testing.T) {
			run(t, Options{}, func(l *Lab) {
				_, target := halfway(l)
				l.Wait("assign", 2*time.Minute, func() bool { return released(l) > 0 })
				time.Sleep(l.dice.between(0, 5*time.Second, "phase of the end"))
				var waiting []string
				for _, lease := range l.heldBy(target.Name) {
					if len(l.Ledger.Leaders(lease)) == 0 {
						waiting = append(waiting, lease)
					}
				}
				if len(waiting) == 0 {
					l.T.Fatal("no lease waits for its target")
				}
				l.Lax() // what the target led has no leader until it expires
				end(l, target)
				time.Sleep(50 * time.Second)
				for _, lease := range waiting {
					if len(l.Ledger.Leaders(lease)) != 1 {
						l.T.Errorf("nobody leads %s", lease)
					}
				}
				l.Start(1)
				l.WaitEven(10 * time.Minute)
			})
		})
	}
}

// TestCase42TerminatingHolderRunsOn asks the old holder to end while we hold its leases, but its process runs on for
// 40 s.
func TestCase42TerminatingHolderRunsOn(t *testing.T) {
	run(t, Options{}, func(l *Lab) {
		old, _ := halfway(l)
		l.Lax()
		l.StopLate(old, 40*time.Second)
		l.WaitLed(2 * time.Minute)
		l.Start(1)
		l.Strict()
		l.WaitEven(10 * time.Minute)
	})
}
