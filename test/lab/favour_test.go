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
	"errors"
	"strings"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestCase25OldHolderAlwaysWins: somebody sees to it that one replica has every lease. After three tries within half an
// hour each queue is left alone, and it is said so; when that is over, it is balanced.
func TestCase25OldHolderAlwaysWins(t *testing.T) {
	favoured := func(when func(holder string) bool) func(*Lab, []*Replica) func() {
		return func(l *Lab, replicas []*Replica) (stop func()) { return favour(l, replicas[0], 0, when) }
	}
	cases := map[string]func(*Lab, []*Replica) (stop func()){
		"somebody gives it each lease":              favoured(func(string) bool { return true }),
		"somebody gives it each lease that is free": favoured(func(holder string) bool { return holder == "" }),
		"the other may not create leases": func(l *Lab, replicas []*Replica) (stop func()) {
			return l.Disturb(replicas[1].Itself, Disturbance{name: "forbidding", call: forbidCreation}, 2*time.Hour)
		},
	}
	for name, begin := range cases {
		t.Run(name, func(t *testing.T) {
			run(t, Options{}, func(l *Lab) {
				l.StartController()
				replicas := l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
				end := begin(l, replicas)
				l.Strict()
				time.Sleep(65 * time.Minute)
				seldom(l)
				if !strings.Contains(strings.Join(l.Events(), "\n"), "Warning RebalanceMuted") {
					l.T.Errorf("no Event says that leases are left alone: %q", l.Events())
				}
				end()
				l.WaitEven(40 * time.Minute)
			})
		})
	}
}

// forbidCreation refuses to create leases.
func forbidCreation(_ odds, r leasestesting.Request, f leasestesting.Fault) leasestesting.Fault {
	if r.Verb == "create" && r.Resource == "leases" {
		f.Err = apierrors.NewForbidden(leases, r.Name, errors.New("not allowed"))
	}
	return f
}

// TestSomebodyElseMovesLeases: another controller, which wants all leases on one replica, moves them back every three
// minutes. That makes two leaders each time, and all that is judged by who leads is judged wrong; ours does not help it
// for long.
func TestSomebodyElseMovesLeases(t *testing.T) {
	run(t, Options{Tolerate: []string{OneLeader, FewMoves, Idle, Probation}}, func(l *Lab) {
		l.StartController()
		replicas := l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
		stop := favour(l, replicas[0], 3*time.Minute, func(holder string) bool { return strings.HasPrefix(holder, replicas[1].Name) })
		time.Sleep(35 * time.Minute)
		// In the second round other leases may go than in the first, of which then some must go twice.
		if n := len(l.Writes.Taken()); n < 30 || n > 45 {
			l.T.Errorf("%d leases were taken, want two or three rounds of 15", n)
		}
		if !strings.Contains(strings.Join(l.Events(), "\n"), "Warning RebalancePingPong") {
			l.T.Errorf("no Event says so: %q", l.Events())
		}
		stop()
		l.WaitEven(40 * time.Minute)
	})
}

// favour has a client of somebody write the replica's name into each lease whose holder, "" for none, is such: at once,
// or each time that so much time has passed.
func favour(l *Lab, r *Replica, every time.Duration, when func(holder string) bool) (stop func()) {
	client := l.Kube().CoordinationV1().Leases(leasestesting.Namespace)
	watch, err := client.Watch(l.ctx, metav1.ListOptions{})
	l.try(err)
	insist := func(queue, name string) {
		lease, err := client.Get(l.ctx, name, metav1.GetOptions{})
		if err != nil {
			lease = nil
		}
		holder := r.identity(queue)
		if by := holderOf(lease); by == holder || !when(by) {
			return
		}
		favoured := leasestesting.MakeLease(name).Holder(holder).Acquired(time.Now()).Renewed(time.Now()).Duration(60).Obj()
		if lease == nil {
			_, err = client.Create(l.ctx, favoured, metav1.CreateOptions{})
		} else {
			favoured.ObjectMeta = lease.ObjectMeta
			_, err = client.Update(l.ctx, favoured, metav1.UpdateOptions{})
		}
		_ = err // somebody else was faster: next time
	}
	names := map[string]string{}
	for _, queue := range Queues {
		for _, name := range l.Group(queue).Names() {
			names[name] = queue
		}
	}
	go func() {
		for last := time.Now(); ; {
			event, ok := <-watch.ResultChan()
			if !ok {
				return
			}
			lease, isLease := event.Object.(*coordinationv1.Lease)
			switch {
			case every > 0 && time.Since(last) >= every:
				last = time.Now()
				for name, queue := range names {
					insist(queue, name)
				}
			case every == 0 && isLease && names[lease.Name] != "":
				insist(names[lease.Name], lease.Name)
			}
		}
	}()
	return watch.Stop
}

// seldom checks that no lease was taken more than three times within half an hour, and that in each queue there were
// not many more tries than that.
func seldom(l *Lab) {
	l.T.Helper()
	const span, tries = 30 * time.Minute, 3
	taken, queues := map[string][]time.Duration{}, map[string]int{}
	for _, w := range l.Writes.Taken() {
		taken[w.Lease] = append(taken[w.Lease], w.At)
		if w.At < span {
			queues[w.Lease[:strings.LastIndex(w.Lease, ".")]]++
		}
	}
	for lease, at := range taken {
		for i := range max(0, len(at)-tries) {
			if at[i+tries]-at[i] < span {
				l.T.Errorf("%s was taken %d times within %v, from %v on", lease, tries+1, at[i+tries]-at[i], at[i])
			}
		}
	}
	for queue, n := range queues {
		if n > 11 { // all five, again, and one alone
			l.T.Errorf("%d leases of %s were taken in half an hour", n, queue)
		}
	}
	l.T.Logf("taken %v in the first half an hour", queues)
}
