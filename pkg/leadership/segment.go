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

// Segment is a time in which the set of a bucket's leaders did not change.
type Segment struct {
	From, To time.Time
	// Leaders are the identities that led, ordered; none in a gap.
	Leaders []string
}

// Duration is how long the segment is.
func (s Segment) Duration() time.Duration { return s.To.Sub(s.From) }

// Segments cuts the bucket's history from its first leader to until into the
// times between its changes.
func (b Bucket) Segments(until time.Time) []Segment {
	edges := edges(b, until)
	var segments []Segment
	for i, from := range edges {
		to := until
		if i+1 < len(edges) {
			to = edges[i+1]
		}
		leaders := b.LeadersAt(from)
		if last := len(segments) - 1; last >= 0 && slices.Equal(segments[last].Leaders, leaders) {
			segments[last].To = to
			continue
		}
		segments = append(segments, Segment{From: from, To: to, Leaders: leaders})
	}
	return segments
}

// LeadersAt returns the identities that lead the bucket at a moment, ordered.
// Who stops at that very moment does not lead it any more.
func (b Bucket) LeadersAt(at time.Time) []string {
	var leaders []string
	for _, span := range b.Spans {
		if !span.From.After(at) && span.To.After(at) {
			leaders = append(leaders, span.Identity)
		}
	}
	slices.Sort(leaders)
	return slices.Compact(leaders)
}

// edges returns the moments before until at which a span starts or ends.
func edges(b Bucket, until time.Time) []time.Time {
	var edges []time.Time
	for _, span := range b.Spans {
		for _, edge := range []time.Time{span.From, span.To} {
			if edge.Before(until) {
				edges = append(edges, edge)
			}
		}
	}
	slices.SortFunc(edges, time.Time.Compare)
	return slices.CompactFunc(edges, time.Time.Equal)
}
