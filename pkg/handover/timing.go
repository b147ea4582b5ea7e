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

package handover

import (
	"math"
	"time"
)

const (
	// minMargin is added to every wait. It covers answers to the holder that
	// are late by up to 2 s, which its lateness before the handover does not
	// show.
	minMargin = 2 * time.Second

	// marginFactor is how many times the measured lateness of a holder the
	// margin covers.
	marginFactor = 3

	// jitterFactor is the longest pause between two tries of an elector that
	// waits for a lease, in retry periods: client-go's JitterFactor is 1.2 on
	// top of the period itself.
	jitterFactor = 2.2
)

// Timing is how the electors of a holder's process are configured.
type Timing struct {
	// RetryPeriod is the pause between two renewals of a holder.
	RetryPeriod time.Duration
	// RenewDeadline is how long a holder that cannot renew goes on leading
	// after its first failed try.
	RenewDeadline time.Duration
	// LeastMargin is how long the margin is at least by our configuration, 0 for no
	// longer than it has to be.
	LeastMargin time.Duration
}

// GiveUp is how long after its last renewal a holder that cannot renew leads on
// at the most, when each answer reaches it at once: it pauses for one retry
// period and then tries for the renew deadline.
func (t Timing) GiveUp() time.Duration { return t.RetryPeriod + t.RenewDeadline }

// Margin is the safety added to a wait for a holder whose renewals were late by
// up to lateness (0 or more).
func (t Timing) Margin(lateness time.Duration) time.Duration {
	return max(minMargin, t.LeastMargin, marginFactor*lateness)
}

// LateLimit is the lateness from which on a holder is not safe to move: at
// Tekton's defaults a holder whose answers are late by more than 15 s can
// overwrite a newer record (measured in virtual time with client-go v0.35.7).
func (t Timing) LateLimit() time.Duration { return t.RenewDeadline * 3 / 8 }

// holdFor is the lease duration of a hold: never shorter than the wait, so that
// nobody acquires the lease while its old holder may still lead, even if we
// crash.
func (t Timing) holdFor(margin time.Duration) time.Duration {
	return ceilSecond(t.GiveUp() + margin)
}

// extendFor is the lease duration of an extended hold: short, so that a crash of
// ours never leaves a long one behind.
func (t Timing) extendFor() time.Duration {
	return ceilSecond(t.RetryPeriod + 2*time.Second)
}

// extendBefore is how long before a hold ends it is extended. Half of its own
// duration leaves time for a second try when the API server is slow.
func (t Timing) extendBefore() time.Duration { return t.extendFor() / 2 }

// tryPeriod is the longest pause between two tries of a candidate.
func (t Timing) tryPeriod() time.Duration {
	return time.Duration(jitterFactor * float64(t.RetryPeriod))
}

// assignFor is the lease duration of a lease that carries its next holder's
// name: every candidate tries at least once within it. 23 s at Tekton's
// defaults; with 15 s others took 0.25 % of them (measured in virtual time).
func (t Timing) assignFor() time.Duration {
	return ceilSecond(t.tryPeriod()) + time.Second
}

// confirmWithin is how long the target of an assigned lease may take to renew
// it.
func (t Timing) confirmWithin() time.Duration { return t.tryPeriod() + 2*time.Second }

// TakenWithin is how long after a lease became free some candidate has surely
// taken it: if it is free then, nobody contends for it.
func (t Timing) TakenWithin() time.Duration { return t.confirmWithin() }

// openFor is after which time a deleted lease that nobody acquires is no longer
// waited for: all electors that contend for it are gone or cannot reach the API
// server.
func (t Timing) openFor() time.Duration { return 4 * t.tryPeriod() }

// ceilSecond rounds up to whole seconds, the resolution of
// leaseDurationSeconds.
func ceilSecond(d time.Duration) time.Duration {
	return time.Duration(math.Ceil(d.Seconds())) * time.Second
}
