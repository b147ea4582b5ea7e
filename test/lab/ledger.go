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
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"
)

// Interval is a time during which a bucket had no leader, or two or more.
type Interval struct {
	Bucket   string
	From, To time.Time
	// Leaders are those who led at once; none in a gap. Frozen are those of them who did nothing.
	Leaders, Frozen []string
}

// Length returns how long the interval lasted.
func (i Interval) Length() time.Duration { return i.To.Sub(i.From) }

func (i Interval) gap() bool { return len(i.Leaders) == 0 }

func (i Interval) shared() bool { return len(i.Leaders)-len(i.Frozen) > 1 }

// Change is one promotion or demotion.
type Change struct {
	Bucket, Process string
	Promoted        bool
	// Leaders are those who lead the bucket now.
	Leaders []string
	// Ended is the state before: with no leader a gap, unless the bucket is new.
	Ended Interval
}

// Ledger records who leads which bucket, as the electors themselves say. Leaders are named by process.
type Ledger struct {
	mu      sync.Mutex
	buckets map[string]*term
	frozen  map[string]bool
	gaps    []Interval
	shared  []Interval
	last    time.Time
	changed func(Change)
}

// term is the present state of a bucket: who leads it since when.
type term struct {
	leaders map[string]bool
	since   time.Time
}

// NewLedger returns an empty ledger, which calls changed for each change while it is made.
func NewLedger(changed func(Change)) *Ledger {
	return &Ledger{buckets: map[string]*term{}, frozen: map[string]bool{}, changed: changed}
}

// Promote notes that a process leads a bucket. A bucket begins with its first leader: before that there is no gap.
func (l *Ledger) Promote(bucket, process string) { l.set(bucket, process, true) }

// Demote notes that a process does not lead a bucket any more. Electors also say so if they never led it.
func (l *Ledger) Demote(bucket, process string) { l.set(bucket, process, false) }

// End notes that a process has ended, and so leads nothing.
func (l *Ledger) End(process string) {
	for _, bucket := range l.Buckets() {
		l.Demote(bucket, process)
	}
}

// Buckets returns the buckets that ever had a leader, sorted.
func (l *Ledger) Buckets() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Keys(l.buckets))
}

// Last returns when somebody began or ceased to lead a bucket last.
func (l *Ledger) Last() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// Leaders returns who leads a bucket now.
func (l *Ledger) Leaders(bucket string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t := l.buckets[bucket]; t != nil {
		return slices.Sorted(maps.Keys(t.leaders))
	}
	return nil
}

// Gaps returns the times without a leader that ended, or last, after the given moment, the longest first.
func (l *Ledger) Gaps(since time.Time) []Interval {
	return l.intervals(since, &l.gaps, Interval.gap)
}

// Overlaps returns the times with two or more leaders, frozen ones not counted, that ended, or last, after the given moment, the longest first.
func (l *Ledger) Overlaps(since time.Time) []Interval {
	return l.intervals(since, &l.shared, Interval.shared)
}

func (l *Ledger) intervals(since time.Time, ended *[]Interval, is func(Interval) bool) []Interval {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []Interval
	for _, i := range *ended {
		if i.To.After(since) {
			found = append(found, i)
		}
	}
	for bucket, t := range l.buckets {
		if now := l.interval(bucket, t); is(now) {
			found = append(found, now)
		}
	}
	slices.SortFunc(found, func(a, b Interval) int {
		return cmp.Or(cmp.Compare(b.Length(), a.Length()), cmp.Compare(a.Bucket, b.Bucket))
	})
	return found
}

// interval is the present state so far.
func (l *Ledger) interval(bucket string, t *term) Interval {
	i := Interval{Bucket: bucket, From: t.since, To: time.Now(), Leaders: slices.Sorted(maps.Keys(t.leaders))}
	for _, leader := range i.Leaders {
		if l.frozen[leader] {
			i.Frozen = append(i.Frozen, leader)
		}
	}
	return i
}

// Freeze notes that a process does nothing until it thaws. It still leads: there is no gap.
func (l *Ledger) Freeze(process string) { l.freeze(process, true) }

// Thaw ends Freeze.
func (l *Ledger) Thaw(process string) { l.freeze(process, false) }

func (l *Ledger) freeze(process string, frozen bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for bucket, t := range l.buckets {
		if t.leaders[process] {
			l.close(l.interval(bucket, t))
			t.since = time.Now()
		}
	}
	l.frozen[process] = frozen
}

func (l *Ledger) set(bucket, process string, leads bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.buckets[bucket]
	if t == nil {
		t = &term{leaders: map[string]bool{}, since: time.Now()}
	}
	if t.leaders[process] == leads {
		return
	}
	l.buckets[bucket] = t
	ended := l.interval(bucket, t)
	if leads {
		t.leaders[process] = true
	} else {
		delete(t.leaders, process)
	}
	t.since = time.Now()
	l.last = t.since
	l.close(ended)
	l.changed(Change{
		Bucket: bucket, Process: process, Promoted: leads,
		Leaders: slices.Sorted(maps.Keys(t.leaders)), Ended: ended,
	})
}

func (l *Ledger) close(ended Interval) {
	switch {
	case ended.Length() == 0:
	case ended.gap():
		l.gaps = append(l.gaps, ended)
	case ended.shared():
		l.shared = append(l.shared, ended)
	}
}
