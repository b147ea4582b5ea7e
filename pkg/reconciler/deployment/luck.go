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

package deployment

import (
	"fmt"
	"time"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/handover"
)

const (
	// scoutAfter is after how many tries in a row that brought no lease of a
	// queue where one is wanted only one lease at a time is tried, as long as
	// the replica that it is meant for leads nothing anywhere: it may not be able
	// to. For one that is, a try fails with all its leases at once far less often
	// (at a retry period of 2 s and two others with 72 in 100 for each lease).
	scoutAfter = 2
	// fairTries is how many tries per contender are free, as long as nobody
	// knows the identity of the replica that should get the lease: any of c
	// contenders may get it, so a try fails with 1 - 1/c, and two per contender
	// in a row with 13 in 100. Each costs a bucket its leader for a while, so
	// whoever has no luck then tries on with pauses, which double: six tries
	// later, when the pause is 16 minutes, 3 in 100 of four contenders are left.
	fairTries = 2
	// unluckyPause is the pause after the first try that is not chance any
	// more; each further one is twice as long.
	unluckyPause = 30 * time.Second
)

// luck is how the handovers of one queue fared lately. A lease whose target's
// identity is not known goes to whoever tries first, so that some must be moved
// again; but when none ever arrives, it is not chance: the target cannot lead.
type luck struct {
	// lost is how many tries in a row brought no lease where one is wanted,
	// back how many in a row brought nothing but what came back. Handovers side
	// by side are one try, which began last after the end of the one before.
	lost, back int
	// last is when one ended last, and to is the replica that it was meant for.
	last time.Time
	to   string
	// able: that replica leads elsewhere.
	able bool
	// No lease of the queue moves until then. muted: it came back too often.
	// unlucky: more tries brought nothing than are free.
	until          time.Time
	muted, unlucky bool
}

// luck remembers how a try of a queue ended.
func (h *history) luck(e ending) []notice {
	if e.wanted {
		delete(h.queues, e.group)
		return nil
	}
	if e.result == handover.GivenBack || e.result == handover.NotBegun {
		return nil // not for want of luck
	}
	l := h.queues[e.group]
	if l == nil {
		l = &luck{}
		h.queues[e.group] = l
	}
	if l.lost == 0 || e.began.After(l.last) {
		l.lost++
		l.back++
	}
	if !e.cameBack() {
		l.back = 0
	}
	l.last, l.to, l.able = e.at, e.to, e.able
	return l.rest(e)
}

// rest decides how long the queue is left alone, and says so when that begins.
func (l *luck) rest(e ending) []notice {
	var rest time.Duration
	muted, unlucky := l.muted, l.unlucky
	rest, l.muted = e.rest(l.back)
	beyond := l.lost - max(fairTries*e.contenders, e.patience())
	rest, l.unlucky = max(rest, pause(unluckyPause, 2, beyond)), beyond > 0
	l.until = e.at.Add(rest)
	switch {
	case l.muted && !muted:
		return []notice{{reasonMuted, fmt.Sprintf(
			"Queue %s: leases came back to %s in %d tries in a row, so none is moved for %s; can the other replicas reach the API server?",
			e.group, e.from.Replica, l.back, rest)}}
	case l.unlucky && !unlucky && !l.muted:
		return []notice{{reasonUnlucky, fmt.Sprintf(
			"Queue %s: %d tries in a row brought no lease to %s, the next is in %s, and each further pause is twice as long; until a replica has led in a queue, chance decides who acquires a lease meant for it",
			e.group, l.lost, e.to, rest)}}
	}
	return nil
}

// waits is why no further lease of the queue may be moved now, "" if one may.
func (l *luck) waits(inFlight int, now time.Time) balance.Reason {
	switch {
	case l == nil:
		return ""
	case now.Before(l.until) && l.muted:
		return balance.Muted
	case now.Before(l.until):
		return balance.BackingOff
	case l.lost >= scoutAfter && !l.able && inFlight > 0:
		return balance.HandoverInFlight
	default:
		return ""
	}
}
