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

package leadership

import (
	"slices"
	"time"
)

// Stats says how well a time window went: of one bucket, or of all.
type Stats struct {
	// TwoLeaders is the time with two leaders or more, summed up;
	// LongestTwoLeaders is the longest such time without a pause.
	TwoLeaders, LongestTwoLeaders time.Duration
	// LongestGap is the longest time without a leader, after the first one.
	LongestGap time.Duration
	// Moves counts the buckets that another replica leads at the end of the
	// window than at its beginning.
	Moves int
	// Starts counts how often somebody started to lead within the window.
	Starts int
}

// Stats sums up all buckets from a moment on to the end of the timeline.
func (t Timeline) Stats(from time.Time) Stats {
	var all Stats
	for _, bucket := range t.Buckets {
		one := bucket.Stats(from, t.Until)
		all.TwoLeaders += one.TwoLeaders
		all.LongestTwoLeaders = max(all.LongestTwoLeaders, one.LongestTwoLeaders)
		all.LongestGap = max(all.LongestGap, one.LongestGap)
		all.Moves += one.Moves
		all.Starts += one.Starts
	}
	return all
}

// Stats sums up one bucket in a window.
func (b Bucket) Stats(from, until time.Time) Stats {
	var stats Stats
	var two time.Duration
	for _, segment := range b.Segments(until) {
		if segment.From.Before(from) {
			segment.From = from
		}
		lasted := max(segment.Duration(), 0)
		if len(segment.Leaders) == 0 {
			stats.LongestGap = max(stats.LongestGap, lasted)
		}
		if len(segment.Leaders) < 2 {
			two = 0
			continue
		}
		// Three leaders after two are still the same overlap.
		two += lasted
		stats.TwoLeaders += lasted
		stats.LongestTwoLeaders = max(stats.LongestTwoLeaders, two)
	}
	stats.Starts = b.starts(from)
	if b.moved(from) {
		stats.Moves = 1
	}
	return stats
}

func (b Bucket) starts(from time.Time) int {
	starts := 0
	for _, span := range b.Spans {
		if !span.From.Before(from) {
			starts++
		}
	}
	return starts
}

// moved tells whether the replica that started last before from, and the one
// that started last of all, differ. A bucket without a leader before from has
// not moved: it was new.
func (b Bucket) moved(from time.Time) bool {
	first := slices.IndexFunc(b.Spans, func(s Span) bool { return !s.From.Before(from) })
	if first <= 0 {
		return false
	}
	before, after := b.Spans[first-1].Identity, b.Spans[len(b.Spans)-1].Identity
	return Replica(before) != Replica(after)
}
