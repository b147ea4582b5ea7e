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
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// wallClock is the clock of a node. It shows in the stamps that the node's kubelet and processes make; what they time
// goes by the run's own clock, but for the drift.
type wallClock struct {
	ahead time.Duration
	// drift is how much faster than the run's clock it goes.
	drift float64
	began time.Time

	mu    sync.Mutex
	steps []step
}

// step is a change of a clock at a moment of the run.
type step struct {
	when time.Time
	by   time.Duration
}

// wallClock returns the clock of a node: the right one, unless the options say otherwise.
func (l *Lab) wallClock(node string) *wallClock {
	c := &wallClock{ahead: l.skew(node), began: l.began}
	const parts = 1e6
	if drift := int64(l.opts.Drift * parts); drift > 0 {
		c.drift = float64(l.dice.roll(2*drift, node, "drift")-drift) / parts
	}
	return c
}

// skew is how far the clock of a node is ahead, in whole seconds: so that it changes nothing else. Electors and kubelets
// cut fractions off.
func (l *Lab) skew(node string) time.Duration {
	return l.dice.between(-l.opts.Skew, l.opts.Skew, node, "skew").Truncate(time.Second)
}

// at returns what the clock shows at a moment.
func (c *wallClock) at(t time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	shown := t.Add(c.ahead + time.Duration(c.drift*float64(t.Sub(c.began))))
	for _, s := range c.steps {
		if !t.Before(s.when) {
			shown = shown.Add(s.by)
		}
	}
	return shown
}

// now returns what the clock shows.
func (c *wallClock) now() time.Time { return c.at(time.Now()) }

// takes returns how long something takes that a process on this node times to take d.
func (c *wallClock) takes(d time.Duration) time.Duration {
	return time.Duration(float64(d) / (1 + c.drift))
}

// StepClock sets the clock of the replica's node forward, or back.
func (r *Replica) StepClock(by time.Duration) {
	r.lab.tracef("the clock of %s is set by %v", r.Name, by)
	r.clock.mu.Lock()
	defer r.clock.mu.Unlock()
	r.clock.steps = append(r.clock.steps, step{time.Now(), by})
}

// aheadClock is a clock that is ahead of the right time.
type aheadClock time.Duration

var _ clock.PassiveClock = aheadClock(0)

// Now implements clock.PassiveClock.
func (c aheadClock) Now() time.Time { return time.Now().Add(time.Duration(c)) }

// Since implements clock.PassiveClock.
func (c aheadClock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }
