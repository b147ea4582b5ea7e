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

	coordinationv1 "k8s.io/api/coordination/v1"
)

// soupLasts is for how long things go wrong in a run of TestRandomFaults.
const soupLasts = 12 * time.Minute

// TestRandomFaults has whatever can go wrong go wrong, in an order and with the lengths that the seed says. What no
// lease can prevent is not among it: no holder is frozen or cut off for as long as its leases last. In the end all is led
// and even.
//
//	go test ./test/lab -run RandomFaults -seed N
func TestRandomFaults(t *testing.T) {
	run(t, Options{Skew: 30 * time.Second, Drift: 0.001}, func(l *Lab) {
		s := &soup{Lab: l, ours: []*Controller{l.StartController(), l.StartController()}}
		n := 2 + int(l.dice.roll(2, "replicas"))
		l.opts.Busy = []Busy{[]Busy{idle, {Workers: 96, QPS: 20, Burst: 20}}[l.dice.roll(2, "busy")]}
		l.Scale(n)
		l.WaitLed(3 * time.Minute)
		for began := l.Now(); l.Now()-began < soupLasts; s.n++ {
			time.Sleep(l.dice.between(time.Second, 90*time.Second, "pause", s.n))
			s.step()
		}
		time.Sleep(2 * time.Minute)
		l.WaitLed(3 * time.Minute)
		l.Wait("an even spread, or a reason", 45*time.Minute, l.Even)
	})
}

// soup is a run of TestRandomFaults.
type soup struct {
	*Lab
	ours []*Controller
	// n counts the steps.
	n int
	// calm is until when no replica may be stalled or killed: the last stall of one is over, and it has renewed.
	calm time.Time
}

// step does one thing that is drawn.
func (s *soup) step() {
	steps := []func(){
		s.freezeReplica, s.cutOffReplica, s.freezeOurs, s.replaceOurs, s.disturbOurs, s.restart, s.vanish, s.scale, s.edit, s.setClock,
	}
	steps[s.draw(int64(len(steps)), "step")]()
}

func (s *soup) draw(n int64, what string) int64 { return s.dice.roll(n, "soup", s.n, what) }

func (s *soup) lasts(low, high time.Duration) time.Duration {
	return s.dice.between(low, high, "soup", s.n, "lasts")
}

func (s *soup) replica() *Replica {
	replicas := s.Replicas()
	return replicas[s.draw(int64(len(replicas)), "replica")]
}

// stalls tells whether a replica may stand still for a while now. Two such times in a row would make a longer one.
func (s *soup) stalls(d time.Duration) bool {
	if time.Now().Before(s.calm) {
		return false
	}
	s.calm = time.Now().Add(d + 2*time.Minute)
	return true
}

func (s *soup) freezeReplica() {
	if d := s.lasts(5*time.Second, 40*time.Second); s.stalls(d) {
		s.replica().Freeze(d)
	}
}

func (s *soup) cutOffReplica() {
	network := []func() Disturbance{Refused, Silent, Stuck}[s.draw(3, "network")]
	if d := s.lasts(5*time.Second, 30*time.Second); s.stalls(d) {
		s.Disturb(s.replica().Itself, network(), d)
	}
}

func (s *soup) freezeOurs() { s.ours[s.draw(2, "ours")].Freeze(s.lasts(5*time.Second, 2*time.Minute)) }

func (s *soup) replaceOurs() {
	i := s.draw(2, "ours")
	s.ours[i].Kill()
	s.ours[i] = s.StartController()
}

func (s *soup) disturbOurs() {
	network := []func() Disturbance{
		Refused, Silent, Stuck, func() Disturbance { return Lossy(0.3) }, func() Disturbance { return Failing(0.5, ErrTooMany, ErrInternal) },
		func() Disturbance { return Stale(Range{0, 5 * time.Second}) },
	}[s.draw(6, "network")]
	s.Disturb(Ours, network(), s.lasts(5*time.Second, time.Minute))
}

func (s *soup) restart() {
	if s.stalls(0) {
		s.Restart(s.replica(), s.lasts(0, 40*time.Second))
	}
}

// vanish loses a node; another pod comes in its place.
func (s *soup) vanish() {
	if s.stalls(0) {
		s.Vanish(s.replica())
		s.Start(1)
	}
}

func (s *soup) scale() {
	if s.stalls(0) {
		s.Scale(2 + int(s.draw(3, "replicas")))
	}
}

// edit spoils the annotations and the labels of a lease, beside its record.
func (s *soup) edit() {
	name := s.Group(Queues[s.draw(3, "queue")]).Name(uint32(s.draw(10, "bucket")))
	err := change(s.Lab, name, func(lease *coordinationv1.Lease) {
		lease.Labels = map[string]string{"edited": fmt.Sprint(s.n)}
		if s.draw(2, "annotations") == 0 {
			lease.Annotations = nil
		}
	})
	if err != nil {
		s.tracef("%s cannot be edited: %v", name, err)
	}
}

// setClock sets a clock forward. One that is set back by more than a process has run has it look dead.
func (s *soup) setClock() { s.replica().StepClock(s.lasts(time.Second, time.Minute)) }
