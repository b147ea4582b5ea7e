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

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/utils/ptr"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestFreezeHolder freezes a holder for less long than its leases last: it is late, and nothing else happens.
func TestFreezeHolder(t *testing.T) {
	run(t, Options{}, func(l *Lab) {
		replicas := l.Arrange([]int{5, 5}, []int{5, 5}, []int{5, 5})
		time.Sleep(time.Minute)
		before, since := l.Leaders(), time.Now()
		freeze := l.dice.between(5*time.Second, 45*time.Second, "freeze")
		replicas[0].Freeze(freeze)
		froze := renewals(l, replicas[0])
		time.Sleep(freeze - time.Millisecond)
		for lease, at := range renewals(l, replicas[0]) {
			if !at.Equal(froze[lease]) && at.Sub(since) > time.Second {
				l.T.Errorf("%s was renewed %v after its holder froze", lease, at.Sub(since))
			}
		}
		time.Sleep(time.Minute)
		for lease, at := range renewals(l, replicas[0]) {
			if late := at.Sub(since); late < freeze {
				l.T.Errorf("%s was renewed %v after its holder froze and not again", lease, late)
			}
		}
		for bucket, leader := range l.Leaders() {
			if leader != before[bucket] {
				l.T.Errorf("%s went from %s to %s", bucket, before[bucket], leader)
			}
		}
		if got := l.Ledger.Gaps(since); len(got) > 0 {
			l.T.Errorf("gaps: %v", got)
		}
	})
}

// renewals returns when each of a replica's leases was renewed last.
func renewals(l *Lab, r *Replica) map[string]time.Time {
	at := map[string]time.Time{}
	for _, lease := range leasestesting.Objects(l.API, &coordinationv1.Lease{}) {
		for _, queue := range Queues {
			if holderOf(lease) == r.identity(queue) {
				at[lease.Name] = lease.Spec.RenewTime.Time
			}
		}
	}
	return at
}

// TestFreezeInSleep takes a lease from a holder that sleeps between two renewals, and freezes it there. When it thaws it
// starts a whole renew deadline; when it had not frozen, it would have done so when it woke up.
func TestFreezeInSleep(t *testing.T) {
	cases := map[string]struct {
		// freeze begins so long after a renewal.
		after, freeze time.Duration
		// gives up so long after the renewal, and at most a second later.
		gives time.Duration
	}{
		"not at all":            {gives: 50 * time.Second},
		"while it sleeps":       {after: 3 * time.Second, freeze: 4 * time.Second, gives: 50 * time.Second},
		"beyond its sleep":      {after: 3 * time.Second, freeze: 20 * time.Second, gives: 63 * time.Second},
		"for long":              {after: 9 * time.Second, freeze: 90 * time.Second, gives: 139 * time.Second},
		"after its first try":   {after: 15 * time.Second, freeze: 20 * time.Second, gives: 50 * time.Second},
		"beyond its deadline":   {after: 15 * time.Second, freeze: 50 * time.Second, gives: 65 * time.Second},
		"and again, when awake": {after: 12 * time.Second, freeze: time.Second, gives: 50 * time.Second},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			// Its other leases expire where it is frozen for long.
			opts := Options{Election: map[string]string{"buckets": "1"}, Tolerate: []string{OneLeader}}
			run(t, opts, func(l *Lab) {
				holder := l.Arrange([]int{1, 0}, []int{1, 0}, []int{1, 0})[0]
				time.Sleep(time.Minute)
				name := l.Group(Queues[0]).Name(0)
				last := renewals(l, holder)[name]
				l.Wait("renewal", 15*time.Second, func() bool { return renewals(l, holder)[name].After(last) })
				renewed := renewals(l, holder)[name]
				l.try(change(l, name, func(lease *coordinationv1.Lease) {
					lease.Spec.HolderIdentity = ptr.To("somebody_else")
					lease.Spec.LeaseDurationSeconds = ptr.To[int32](600)
				}))
				if tc.freeze > 0 {
					time.Sleep(time.Until(renewed.Add(tc.after)))
					holder.Freeze(tc.freeze)
				}
				l.Wait("end of its lead", 3*time.Minute, func() bool { return len(l.Ledger.Leaders(name)) == 0 })
				got := l.Ledger.Gaps(renewed)[0].From.Sub(renewed)
				if got < tc.gives || got > tc.gives+time.Second {
					l.T.Errorf("the holder gave up %v after its last renewal, want %v", got, tc.gives)
				}
			})
		})
	}
}

// TestFreezeBeyondLease freezes a holder until others have taken its leases. It leads nothing while it is frozen, but
// does again from the thaw until it notices.
func TestFreezeBeyondLease(t *testing.T) {
	leads := false
	run(t, Options{Tolerate: []string{OneLeader}}, func(l *Lab) {
		replicas := l.Arrange([]int{5, 5}, []int{5, 5}, []int{5, 5})
		time.Sleep(time.Minute)
		since := time.Now()
		replicas[0].Freeze(120 * time.Second)
		time.Sleep(120*time.Second - time.Millisecond)
		if got := l.Ledger.Overlaps(since); len(got) > 0 || len(l.Violations()) > 0 {
			l.T.Errorf("two leaders while one of them was frozen: %v, %v", got, l.Violations())
		}
		time.Sleep(2 * time.Minute)
		both := l.Ledger.Overlaps(since)
		if (len(both) > 0) != (len(l.Violations()) > 0) {
			l.T.Errorf("two leaders %v, violations %v", both, l.Violations())
		}
		for _, o := range both {
			if o.From.Sub(since) < 2*time.Minute || o.Length() > 41*time.Second {
				l.T.Errorf("%s had two leaders for %v from %v on", o.Bucket, o.Length(), o.From.Sub(since))
			}
		}
		leads = leads || len(both) > 0
	})
	if !leads {
		t.Error("no holder led on after its thaw")
	}
}

// TestFreezeAndStop asks a frozen process to end: it does not hear of it, and is killed when its time is over.
func TestFreezeAndStop(t *testing.T) {
	cases := map[string]struct{ freeze, took time.Duration }{
		"thaws in time": {freeze: 10 * time.Second, took: 10 * time.Second},
		"does not":      {freeze: 10 * time.Minute, took: gracePeriod},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			run(t, Options{}, func(l *Lab) {
				replicas := l.Arrange([]int{5, 5}, []int{5, 5}, []int{5, 5})
				time.Sleep(time.Minute)
				replicas[0].Freeze(tc.freeze)
				start := time.Now()
				l.Stop(replicas[0])
				if took := time.Since(start); took < tc.took || took > tc.took+time.Second {
					l.T.Errorf("took %v, want %v", took, tc.took)
				}
			})
		})
	}
}

// TestFreezeController freezes ours: a standby takes over, and what thaws is not the leader any more.
func TestFreezeController(t *testing.T) {
	run(t, Options{}, func(l *Lab) {
		l.Arrange([]int{5, 5}, []int{5, 5}, []int{5, 5})
		first := l.StartController()
		time.Sleep(30 * time.Second)
		l.StartController()
		time.Sleep(30 * time.Second)
		if got := ourLeader(l); got != first.Name {
			l.T.Fatalf("%s is elected, want %s", got, first.Name)
		}
		first.Freeze(2 * time.Minute)
		time.Sleep(2*time.Minute - time.Second)
		second := ourLeader(l)
		if second == first.Name {
			l.T.Errorf("%s is elected although it is frozen", second)
		}
		time.Sleep(3 * time.Minute)
		if got := ourLeader(l); got != second {
			l.T.Errorf("%s is elected, want %s", got, second)
		}
	})
}

// ourLeader returns the name of the process of ours that holds our own lease.
func ourLeader(l *Lab) string {
	for _, lease := range leasestesting.Objects(l.API, &coordinationv1.Lease{}) {
		if strings.HasPrefix(lease.Name, controllerName+".") {
			name, _, _ := strings.Cut(holderOf(lease), "_")
			return name
		}
	}
	return ""
}
