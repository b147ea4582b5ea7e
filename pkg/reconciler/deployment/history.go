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
	"cmp"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
	"github.com/tektoncd/leases-controller/pkg/status"
)

const (
	// memory is how long what became of a handover matters, and how long a
	// lease that is given up is left alone.
	memory = 30 * time.Minute
	// maxReturns is how often in a row a lease may come back to its old holder.
	// Once is chance: of a single lease and two replicas, every third comes back.
	maxReturns = 3
	// chanceReturns is the same where it can only be chance: for a replica that
	// leads elsewhere, and so can lead; and where chance alone brings many back:
	// with strategy delete, up to 36 in 100 (measured in virtual time), and with a
	// retry period of not more than twice the margin, when an old holder contends
	// again at about the time of the release. Eight in a row are no chance.
	chanceReturns = 8
	// firstPause is the pause after the first return that does not count as
	// chance; each further one is pauseFactor times as long.
	firstPause  = 15 * time.Second
	pauseFactor = 4
)

// history is what became of the last handovers of a Deployment. It forgets what
// is older than memory, so that it is never larger than what moved since then.
type history struct {
	leases map[string]*past
	queues map[bucket.Group]*luck
	// paused is until when nothing of the Deployment moves, because its leases
	// go to and fro.
	paused time.Time
}

// past is what became of the handovers of one lease.
type past struct {
	// last is when one ended last.
	last time.Time
	// returns is how many in a row were in vain: the lease is with the process
	// from again, from which it was to go to the replica to. It is left alone
	// until the time given.
	returns  int
	muted    bool
	from, to string
	until    time.Time
	// journeys are the handovers that went well, the latest last; pinned is
	// until when it stays because there were too many.
	journeys []journey
	pinned   time.Time
}

// ending is a handover that has ended.
type ending struct {
	lease string
	group bucket.Group
	// byChance: it is likely that chance alone brings the lease back.
	// able: the replica that it was meant for leads elsewhere, so it can lead.
	byChance, able bool
	// from is the old holder, to the replica that it was meant for, by the
	// identity that has the lease now.
	from   handover.Party
	to, by string
	result handover.Result
	// wanted: the replica that has the lease now is one that should have it.
	wanted bool
	// contenders is how many replicas could have taken it, less the old holder.
	contenders int
	began, at  time.Time
}

// notice is what an administrator should know.
type notice struct{ reason, message string }

func newHistory() *history {
	return &history{leases: map[string]*past{}, queues: map[bucket.Group]*luck{}}
}

// note remembers the end of a handover, and returns what is to be said about it.
func (h *history) note(e ending) []notice {
	p := h.leases[e.lease]
	if p == nil {
		p = &past{}
		h.leases[e.lease] = p
	}
	p.last = e.at
	switch {
	case e.cameBack():
		p.cameBack(e)
	case e.result == handover.Done || e.result == handover.Taken:
		p.returns, p.muted, p.until = 0, false, time.Time{}
	}
	said := h.luck(e)
	if e.wanted {
		said = append(said, h.arrived(p, e)...)
	}
	return said
}

// cameBack tells whether it was in vain: the old holder has the lease again, or
// somebody took it out of our hands.
func (e ending) cameBack() bool {
	return e.result == handover.Returned || e.result == handover.Interrupted
}

// patience is how often in a row a lease may come back.
func (e ending) patience() int {
	if e.byChance {
		return chanceReturns
	}
	return maxReturns
}

// rest is how long to wait after the n-th time in a row that it was in vain;
// muted: it was once too often.
func (e ending) rest(n int) (rest time.Duration, muted bool) {
	if n >= e.patience() {
		return memory, true
	}
	n -= e.patience() - maxReturns
	return pause(firstPause, pauseFactor, n), false
}

// cameBack backs off from the lease.
func (p *past) cameBack(e ending) {
	if p.from != e.from.Identity {
		p.from, p.returns = e.from.Identity, 0
	}
	p.to = e.to
	p.returns++
	var rest time.Duration
	rest, p.muted = e.rest(p.returns)
	p.until = e.at.Add(rest)
}

// pause is the pause after the n-th failure: none before the first, and at most
// memory.
func pause(first time.Duration, factor, n int) time.Duration {
	if n < 1 {
		return 0
	}
	for ; n > 1 && first < memory; n-- {
		first *= time.Duration(factor)
	}
	return min(first, memory)
}

// waits is why a move that the plan wants must wait, "" if it need not. inFlight
// is how many leases of its queue are on their way.
func (h *history) waits(group bucket.Group, inFlight int, now time.Time) balance.Reason {
	if now.Before(h.paused) {
		return balance.PingPong
	}
	return h.queues[group].waits(inFlight, now)
}

// pin keeps the leases where they are that came back or made too many journeys.
func (h *history) pin(view observe.View, now time.Time) {
	for _, g := range view.Groups {
		for i := range g.Leases {
			l := &g.Leases[i]
			if p := h.leases[l.Name]; p != nil && l.Transit == nil && l.Pinned == "" {
				l.Pinned = p.pins(l.Identity, now)
			}
		}
	}
}

// pins is why the lease must stay with the identity that holds it, "" if it need
// not.
func (p *past) pins(identity string, now time.Time) balance.Reason {
	switch back := p.from == identity && now.Before(p.until); {
	case now.Before(p.pinned):
		return balance.PingPong
	case back && p.muted:
		return balance.Muted
	case back:
		return balance.BackingOff
	default:
		return ""
	}
}

// resting counts the leases that stay with their holders for a while because of
// what became of earlier handovers, by reason.
func (h *history) resting(view observe.View, now time.Time) map[balance.Reason]int {
	n := map[balance.Reason]int{}
	for _, g := range view.Groups {
		queue := h.waits(g.Group, 0, now)
		for _, l := range g.Leases {
			reason := queue
			if p := h.leases[l.Name]; reason == "" && p != nil {
				reason = p.pins(l.Identity, now)
			}
			if reason != "" {
				n[reason]++
			}
		}
	}
	return n
}

// forget drops what does not matter any more: what is old, and the failures of
// handovers to a replica that is gone, since another one may have more luck.
func (h *history) forget(view observe.View, now time.Time) {
	for lease, p := range h.leases {
		if p.to != "" && view.Replica(p.to) == nil || p.muted && !now.Before(p.until) {
			p.returns, p.muted, p.until, p.to = 0, false, time.Time{}, ""
		}
		if now.Sub(p.last) >= memory && !now.Before(p.until) && !now.Before(p.pinned) {
			delete(h.leases, lease)
		}
	}
	for group, l := range h.queues {
		if l.to != "" && view.Replica(l.to) == nil || now.Sub(l.last) >= memory && !now.Before(l.until) {
			delete(h.queues, group)
		}
	}
}

// over tells whether nothing of it matters any more.
func (h *history) over(now time.Time) bool {
	for _, p := range h.leases {
		if now.Sub(p.last) < memory || now.Before(p.until) || now.Before(p.pinned) {
			return false
		}
	}
	for _, l := range h.queues {
		if now.Sub(l.last) < memory || now.Before(l.until) {
			return false
		}
	}
	return !now.Before(h.paused)
}

// muted is what is left alone at a time, and until when.
func (h *history) muted(now time.Time) []status.Muted {
	var all []status.Muted
	until := func(t time.Time) metav1.Time { return metav1.Time{Time: t} }
	if now.Before(h.paused) {
		all = append(all, status.Muted{Reason: balance.PingPong, Until: until(h.paused)})
	}
	for group, l := range h.queues {
		if reason := l.waits(0, now); reason != "" {
			all = append(all, status.Muted{Group: group.String(), Reason: reason, Until: until(l.until)})
		}
	}
	for lease, p := range h.leases {
		if now.Before(p.pinned) {
			all = append(all, status.Muted{Lease: lease, Reason: balance.PingPong, Until: until(p.pinned)})
		} else if reason := p.pins(p.from, now); reason != "" {
			all = append(all, status.Muted{Lease: lease, Identity: p.from, Reason: reason, Until: until(p.until)})
		}
	}
	slices.SortFunc(all, func(a, b status.Muted) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Lease, b.Lease))
	})
	return all
}
