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

import "time"

// Sign is a sign of life: a renewal of another lease by the process of the old
// holder.
type Sign struct {
	// Stamp is its renewTime, by the clock of that process.
	Stamp time.Time
	// Seen is when this process saw it.
	Seen time.Time
}

// waitOver tells whether the old holder has surely given up, and else when to
// look again at the earliest. The package's documentation derives it.
func (h *Handover) waitOver(now time.Time, f Facts) (time.Time, bool) {
	clock := h.seen.Add(h.timing.GiveUp() + h.margin())
	unproven := clock.Add(h.timing.RenewDeadline)
	round, proven := h.lastRound(f.Alive)
	if !round.IsZero() {
		end := round.Add(h.timing.RenewDeadline)
		clock, unproven = later(clock, end.Add(h.lastCall(f.Lateness))), later(unproven, end.Add(h.margin()))
	}
	return clock, (proven && !now.Before(clock)) || !now.Before(unproven)
}

// lastRound is when the old holder had begun its last round of tries at the
// latest, by our clock: zero as long as its process was not seen awake after it
// was to begin. proven: it was also seen awake after that round's end, and not cut
// off when it was to end.
func (h *Handover) lastRound(alive []Sign) (begun time.Time, proven bool) {
	answered, ok := firstSign(alive, h.renewed.Add(h.lateness))
	if !ok {
		return time.Time{}, false
	}
	begins, ok := firstSign(alive, answered.Stamp.Add(h.timing.RetryPeriod))
	if !ok {
		return time.Time{}, false
	}
	ended, ok := firstSign(alive, begins.Stamp.Add(h.timing.RenewDeadline))
	proven = ok && h.connected(alive, h.renewed.Add(h.timing.GiveUp()), ended.Stamp)
	// We may see it late, but its own clock tells how long after the last renewal
	// it came, and that we saw in time or late as well.
	begun = h.seen.Add(begins.Stamp.Sub(h.renewed))
	if begins.Seen.Before(begun) {
		begun = begins.Seen
	}
	return begun, proven
}

// connected tells whether between the stamps given there was no longer pause in the
// signs of life than a late holder makes. In one it may have been cut off, and may
// still wait for the answer to a call that it made then.
func (h *Handover) connected(alive []Sign, from, to time.Time) bool {
	for i := 1; i < len(alive) && !alive[i].Stamp.After(to); i++ {
		pause := alive[i].Stamp.Sub(alive[i-1].Stamp)
		if alive[i].Stamp.After(from) && pause > h.timing.RetryPeriod+h.timing.LateLimit() {
			return false
		}
	}
	return true
}

// firstSign is the first sign with a stamp from the time given on.
func firstSign(alive []Sign, from time.Time) (Sign, bool) {
	for _, s := range alive {
		if !s.Stamp.Before(from) {
			return s, true
		}
	}
	return Sign{}, false
}

// margin is the safety for both calls that can make the old holder give up later:
// its last renewal, whose answer it waits for, and the one that it makes when its
// time is over.
func (h *Handover) margin() time.Duration { return h.timing.Margin(h.lateness) }

// lastCall is what is added for the second of them where the process was seen
// awake when its time was over: half of the margin, as the API is now, but not of
// the least margin, which is in the plain wait. A renewal that came later than a
// holder may be that is moved says nothing of the API's speed: its process stood
// still, or the API was away.
func (h *Handover) lastCall(lateness time.Duration) time.Duration {
	if lateness > h.timing.LateLimit() {
		lateness = 0
	}
	return marginFactor * max(h.lateness, lateness) / 2
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
