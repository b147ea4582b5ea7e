//go:build e2e

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

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tektoncd/leases-controller/pkg/leadership"
)

// timeline is who led what, by the electors' own words.
func (c *cluster) timeline() leadership.Timeline { return c.timelineTo(time.Now()) }

// timelineTo ends earlier.
func (c *cluster) timelineTo(until time.Time) leadership.Timeline {
	timeline := c.journal.Timeline(until)
	timeline.Buckets = slices.DeleteFunc(timeline.Buckets, func(b leadership.Bucket) bool { return !c.isBucket(b.Lease) })
	for _, b := range timeline.Buckets {
		for i := range b.Spans {
			c.cutLastWords(&b.Spans[i])
		}
	}
	return timeline
}

// lastWords is how long a replica that was asked to stop may take to say that it
// does not lead a bucket any more: its electors release a lease just before they
// say so, and another replica may be as fast, whoever looks after the leases.
const lastWords = time.Second

// cutLastWords ends a span by that much earlier.
func (c *cluster) cutLastWords(span *leadership.Span) {
	asked, ok := c.askedToStop(leadership.Replica(span.Identity))
	if ok && span.To.After(asked) {
		span.To = slices.MaxFunc([]time.Time{span.From, asked, span.To.Add(-lastWords)}, time.Time.Compare)
	}
}

// even waits until it is even.
func (c *cluster) even() {
	c.t.Helper()
	c.wait(settling, "every queue to be even, with one leader of each bucket", c.isEven)
}

// evenNow waits until it is even over all replicas, without the while.
func (c *cluster) evenNow() {
	c.t.Helper()
	c.wait(settling, "an even spread over all replicas", func() bool {
		replicas := c.replicas()
		_, ok := c.evenOver(replicas)
		return ok && len(replicas) == c.setting.replicas
	})
}

// evenAsDeployed tells whether it is even over all replicas that the Deployment
// should have, when these are all that there are.
func (c *cluster) evenAsDeployed() bool {
	if !c.rolledOut() {
		return false
	}
	_, ok := c.evenSince()
	return ok
}

// isEven tells whether each queue is even and each bucket has exactly one
// leader, by the log lines, and that has been so for a while.
func (c *cluster) isEven() bool {
	at, ok := c.evenSince()
	return ok && time.Since(at) > 3*c.retryPeriod
}

// evenSince is since when that is so without the while.
func (c *cluster) evenSince() (time.Time, bool) { return c.evenOver(c.replicas()) }

// evenOver is since when it is so over these replicas.
func (c *cluster) evenOver(replicas []string) (time.Time, bool) {
	if len(replicas) == 0 {
		return time.Time{}, false
	}
	timeline := c.timeline()
	at, ok := timeline.BalancedSince(replicas)
	return at, ok && len(timeline.Buckets) == c.leases()
}

// leaders are the replicas that lead now, by bucket, by the log lines. Buckets
// without exactly one leader are left out.
func (c *cluster) leaders() map[string]string {
	leaders, replicas, timeline := map[string]string{}, c.replicas(), c.timeline()
	for _, b := range timeline.Buckets {
		identities := b.LeadersAt(timeline.Until.Add(-1))
		if len(identities) == 1 && slices.Contains(replicas, leadership.Replica(identities[0])) {
			leaders[b.Lease] = leadership.Replica(identities[0])
		}
	}
	return leaders
}

// allLed waits until each bucket has exactly one leader, and returns them.
func (c *cluster) allLed() (leaders map[string]string) {
	c.t.Helper()
	c.wait(startUp, "one leader of each bucket", func() bool {
		leaders = c.leaders()
		return len(leaders) == c.leases()
	})
	return leaders
}

// oneLeader fails the test if a bucket had two leaders since then.
func (c *cluster) oneLeader(since time.Time) {
	c.t.Helper()
	stats := c.timeline().Stats(since)
	c.t.Logf("moves %d, longest time without a leader %s", stats.Moves, stats.LongestGap.Round(time.Millisecond))
	for _, o := range c.overlaps(since) {
		c.t.Error(o)
	}
}

// overlap is a time in which a bucket had two leaders or more.
type overlap struct {
	lease string
	leadership.Segment
}

func (o overlap) String() string {
	return fmt.Sprintf("%s was led by %s for %s from %s on", o.lease, strings.Join(o.Leaders, " and "), o.Duration(), o.From)
}

func (c *cluster) overlaps(since time.Time) []overlap {
	var overlaps []overlap
	timeline := c.timeline()
	for _, bucket := range timeline.Buckets {
		for _, s := range bucket.Segments(timeline.Until) {
			if len(s.Leaders) > 1 && s.To.After(since) {
				overlaps = append(overlaps, overlap{bucket.Lease, s})
			}
		}
	}
	return overlaps
}

// shortGaps fails the test if nobody led a bucket for longer since then.
func (c *cluster) shortGaps(since time.Time, limit time.Duration) {
	c.t.Helper()
	if gap := c.timeline().Stats(since).LongestGap; gap > limit {
		c.t.Errorf("nobody led a bucket for %s, want %s at the most", gap, limit)
	}
}
