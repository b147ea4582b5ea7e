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

package main

import (
	"fmt"
	"math"
	"time"

	"github.com/tektoncd/leases-controller/pkg/leadership"
)

// result is what the demo found out.
type result struct {
	balanced        bool
	fault           string // why not
	twoLeaders, gap time.Duration
	settle          time.Duration
	moves, wasted   int
}

// newResult reads it from the timeline. Applied is when the leases controller
// was applied, allowed when it may have begun to move leases; replicas are
// those that the leases should be spread over; taken is how often a lease got
// a holder since it was applied.
func newResult(timeline leadership.Timeline, applied, allowed time.Time, replicas []string, taken int) result {
	stats := timeline.Stats(applied)
	r := result{twoLeaders: stats.LongestTwoLeaders, gap: stats.LongestGap, moves: stats.Moves}
	r.wasted = max(taken-stats.Moves, 0)
	since, ok := timeline.BalancedSince(replicas)
	r.balanced = ok
	if !ok {
		since = timeline.Until
		// Nobody leads at the very end of the timeline, so look right before.
		r.fault = timeline.Fault(since.Add(-time.Millisecond), replicas)
	}
	r.settle = max(since.Sub(allowed), 0)
	return r
}

// String is the demo's last line.
func (r result) String() string {
	return fmt.Sprintf("RESULT balanced=%t two_leaders_s=%.1f gap_s_max=%.1f settle_s=%.1f moves=%d wasted=%d",
		r.balanced, tenths(r.twoLeaders), tenths(r.gap), r.settle.Seconds(), r.moves, r.wasted)
}

// tenths are seconds rounded up, so that no overlap is shown as none.
func tenths(d time.Duration) float64 { return math.Ceil(d.Seconds()*10) / 10 }

// failure says what is wrong with the result; it is empty if nothing is. Two
// leaders are what strategy delete is known to cost.
func (r result) failure(strategy string) string {
	switch {
	case !r.balanced:
		return "the leases are not balanced: " + r.fault
	case r.twoLeaders > 0 && strategy == "handover":
		return "a bucket had two leaders"
	}
	return ""
}

// summary says the same in words.
func (r result) summary() string {
	even := "Not balanced: a queue is not even, or a bucket does not have exactly one leader."
	if r.balanced {
		even = fmt.Sprintf("Balanced: every queue is even, and every bucket has had exactly one leader for %.0f s.", proof.Seconds())
	}
	two := "No bucket ever had two leaders"
	if r.twoLeaders > 0 {
		two = fmt.Sprintf("A bucket had two leaders for %.1f s", tenths(r.twoLeaders))
	}
	return fmt.Sprintf(`%s
It took %.1f s from the moment at which a move was allowed.
%d buckets have another leader than before; %d more changes of holder were for nothing.
%s. The longest time that a bucket had none was %.1f s.`,
		even, r.settle.Seconds(), r.moves, r.wasted, two, tenths(r.gap))
}
