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
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestClocks sets all clocks apart, and wants it seen in every stamp.
func TestClocks(t *testing.T) {
	const skew = 30 * time.Second
	run(t, Options{Skew: skew, Drift: 0.01}, func(l *Lab) {
		l.StartController()
		replicas := l.Arrange([]int{10, 0}, []int{5, 5}, []int{5, 5})
		time.Sleep(time.Minute)
		replicas[1].StepClock(-20 * time.Second)
		time.Sleep(time.Minute)
		for _, lease := range leasestesting.Objects(l.API, &coordinationv1.Lease{}) {
			for i, r := range replicas {
				for _, queue := range Queues {
					if off := time.Until(lease.Spec.RenewTime.Time) - time.Until(r.clock.now()); holderOf(lease) == r.identity(queue) && (off > 0 || off < -11*time.Second) {
						l.T.Errorf("%s of replica %d was renewed %v before its node's time", lease.Name, i, -off)
					}
				}
			}
		}
		for i, pod := range leasestesting.Objects(l.API, &corev1.Pod{}) {
			created := pod.CreationTimestamp.Sub(l.began)
			if off := created - l.skew("server"); off.Abs() > time.Second {
				l.T.Errorf("pod %d was created %v, want %v", i, created, l.skew("server"))
			}
		}
		if a, b := replicas[0].clock.ahead, replicas[1].clock.ahead; a == b || a.Abs() > skew || b.Abs() > skew {
			l.T.Errorf("the clocks are ahead by %v and %v", a, b)
		}
	})
}

func TestWallClock(t *testing.T) {
	began := time.Now()
	at := func(d time.Duration) time.Time { return began.Add(d) }
	c := &wallClock{
		ahead: time.Second, drift: 0.01, began: began,
		steps: []step{{at(time.Minute), -time.Hour}, {at(2 * time.Minute), 2 * time.Hour}},
	}
	got := map[time.Duration]time.Duration{}
	for _, d := range []time.Duration{0, 50 * time.Second, time.Minute, 3 * time.Minute} {
		got[d] = c.at(at(d)).Sub(began)
	}
	want := map[time.Duration]time.Duration{
		0:                time.Second,
		50 * time.Second: 51*time.Second + 500*time.Millisecond,
		time.Minute:      61*time.Second + 600*time.Millisecond - time.Hour,
		3 * time.Minute:  181*time.Second + 1800*time.Millisecond + time.Hour,
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error("unexpected times (-want, +got):\n", diff)
	}
	if got, want := c.takes(101*time.Second), 100*time.Second; got != want {
		t.Errorf("101s by this clock take %v, want %v", got, want)
	}
}

// TestCase29Clocks runs the same twice, with clocks that are right and with clocks that are not: no decision depends on
// them.
func TestCase29Clocks(t *testing.T) {
	cases := map[string]func(l *Lab){
		"handovers":        func(l *Lab) { l.Arrange([]int{10, 0}, []int{0, 10}, []int{10, 0}) },
		"restart in place": func(l *Lab) { l.Restart(l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})[0], 3*time.Second) },
		"a replica vanishes": func(l *Lab) {
			gone := l.Arrange([]int{4, 3, 3}, []int{4, 3, 3}, []int{4, 3, 3})[1]
			l.setReplicas(2)
			l.Vanish(gone)
		},
	}
	for name, begin := range cases {
		t.Run(name, func(t *testing.T) {
			var writes [][]Write
			for _, skew := range []time.Duration{0, 30 * time.Second} {
				run(t, Options{Skew: skew}, func(l *Lab) {
					l.StartController()
					begin(l)
					time.Sleep(5 * time.Minute)
					l.WaitEven(2 * time.Minute)
					all := l.Writes.All()
					for i := range all { // our identity is made by chance
						all[i].From, all[i].To = anonymous(all[i].From), anonymous(all[i].To)
					}
					slices.SortFunc(all, func(a, b Write) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Lease, b.Lease)) })
					writes = append(writes, all)
				})
			}
			for i := range writes[:len(writes)/2] {
				if diff := gocmp.Diff(writes[i], writes[i+len(writes)/2]); diff != "" || len(writes[i]) == 0 {
					t.Error("writes with clocks that differ (-want, +got):\n", diff)
				}
			}
		})
	}
}

func anonymous(identity string) string {
	if strings.HasPrefix(identity, controllerName+"_") {
		return controllerName
	}
	return identity
}

// TestCase29ClockSet sets the clock of a holder or of a target in the middle of a handover.
func TestCase29ClockSet(t *testing.T) {
	run(t, Options{Skew: 30 * time.Second, Drift: 0.001}, func(l *Lab) {
		l.StartController()
		replicas := l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
		l.Wait("hold of each surplus lease", 2*time.Minute, func() bool { return held(l) == 15 })
		for i := range 3 {
			time.Sleep(l.dice.between(0, 30*time.Second, "when", i))
			by := l.dice.between(time.Second, 15*time.Second, "by", i)
			if l.dice.roll(2, "back", i) == 0 {
				by = -by
			}
			replicas[l.dice.roll(2, "whose", i)].StepClock(by)
		}
		l.WaitEven(6 * time.Minute)
	})
}
