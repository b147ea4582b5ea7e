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
	"cmp"
	"maps"
	"slices"
	"time"
)

// Process is what one process of a controller has logged.
type Process struct {
	// Changes in the order of the log.
	Changes []Change
	// Ended is when the process ended; zero while it runs.
	Ended time.Time
}

// Span is a time in which one identity led a bucket.
type Span struct {
	Identity string
	From, To time.Time
}

// Bucket is the history of one bucket, its spans in the order of their starts.
type Bucket struct {
	Lease string
	Spans []Span
}

// Timeline is the history of all buckets, ordered by lease name, up to Until.
type Timeline struct {
	Buckets []Bucket
	Until   time.Time
}

// Build makes the timeline up to until. Spans that go on then end at until.
// The leases are those that must be there even if nobody has led them yet.
func Build(until time.Time, processes []Process, leases ...string) Timeline {
	spans := map[string][]Span{}
	for _, lease := range leases {
		spans[lease] = nil
	}
	for _, process := range processes {
		for lease, led := range process.spans(until) {
			spans[lease] = append(spans[lease], led...)
		}
	}
	timeline := Timeline{Until: until}
	for _, lease := range slices.Sorted(maps.Keys(spans)) {
		bucket := Bucket{Lease: lease, Spans: spans[lease]}
		slices.SortFunc(bucket.Spans, func(a, b Span) int {
			return cmp.Or(a.From.Compare(b.From), cmp.Compare(a.Identity, b.Identity))
		})
		timeline.Buckets = append(timeline.Buckets, bucket)
	}
	return timeline
}

// start is when the first bucket was led, or until if none was.
func (t Timeline) start() time.Time {
	start := t.Until
	for _, bucket := range t.Buckets {
		if len(bucket.Spans) > 0 && bucket.Spans[0].From.Before(start) {
			start = bucket.Spans[0].From
		}
	}
	return start
}

// spans pairs each start with the stop that follows it, per lease.
func (p Process) spans(until time.Time) map[string][]Span {
	type elector struct{ identity, lease string }
	spans := map[string][]Span{}
	leads := map[elector]time.Time{}
	for _, change := range sorted(p.Changes, until) {
		key := elector{change.Identity, change.Lease}
		from, ok := leads[key]
		switch {
		case change.Leads && !ok:
			leads[key] = change.Time
		case !change.Leads && ok:
			spans[key.lease] = append(spans[key.lease], Span{key.identity, from, change.Time})
			delete(leads, key)
		}
	}
	for key, from := range leads {
		spans[key.lease] = append(spans[key.lease], Span{key.identity, from, p.end(until)})
	}
	return spans
}

// end is when the process stopped to lead what it did not say it stopped to
// lead: at its own end, or not yet.
func (p Process) end(until time.Time) time.Time {
	if p.Ended.IsZero() || p.Ended.After(until) {
		return until
	}
	return p.Ended
}

// sorted returns the changes up to until in the order of time: electors log
// from goroutines of their own, so stamps of a log may be out of order by a
// little. Within a millisecond the log's own order counts.
func sorted(changes []Change, until time.Time) []Change {
	upTo := slices.DeleteFunc(slices.Clone(changes), func(c Change) bool { return c.Time.After(until) })
	slices.SortStableFunc(upTo, func(a, b Change) int { return a.Time.Compare(b.Time) })
	return upTo
}
