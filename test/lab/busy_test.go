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
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestCase36BusyHolder has a holder whose electors wait for the same rate limit as its workers: it can still be
// relieved, and never beside another leader. Run it with -v for the figures.
func TestCase36BusyHolder(t *testing.T) {
	cases := map[string]struct {
		busy Busy
		// late is how late its renewals are at the median.
		late Range
	}{
		"6 workers at 20":   {Busy{6, 20, 20}, Range{0, time.Second}},
		"6 workers at 100":  {Busy{6, 100, 100}, Range{0, time.Second}},
		"96 workers at 20":  {Busy{96, 20, 20}, Range{4 * time.Second, 6 * time.Second}},
		"96 workers at 100": {Busy{96, 100, 100}, Range{0, 2 * time.Second}},
		"192 workers at 20": {Busy{192, 20, 20}, Range{8 * time.Second, 11 * time.Second}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			run(t, Options{Busy: []Busy{tc.busy}, GapLimit: 67 * time.Second}, func(l *Lab) {
				s := watchSights(l)
				l.StartController()
				l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
				time.Sleep(time.Minute)
				l.Strict()
				took := l.WaitEven(8 * time.Minute)
				time.Sleep(time.Minute)
				figures := s.figures()
				l.T.Logf("%s: even after %v; %v", name, took.Round(time.Second), figures)
				if median := percentile(figures.late, 50); median < tc.late.Low || median > tc.late.High {
					l.T.Errorf("renewals are late by %v at the median, want %v", median, tc.late)
				}
			})
		})
	}
}

// sights is what the server sees of the holders' renewals, and of what we take from them.
type sights struct {
	lab *Lab
	mu  sync.Mutex
	// intervals are those between the renewals of each lease, at is when the last one came.
	intervals map[string][]time.Duration
	at        map[string]time.Time
	// taken has the last renewal of each lease that we took, and how late its process was before.
	taken map[string]sight
}

type sight struct {
	renewed  time.Time
	lateness time.Duration
}

func watchSights(l *Lab) *sights {
	s := &sights{lab: l, intervals: map[string][]time.Duration{}, at: map[string]time.Time{}, taken: map[string]sight{}}
	l.API.Observe(s.observe)
	return s
}

func (s *sights) observe(o leasestesting.Observation) {
	if o.Resource != "leases" || o.Verb != "update" || o.Code != 200 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	before, after := holderOf(o.Before), holderOf(o.After)
	switch {
	case strings.HasPrefix(o.Client, Deployment) && before == after:
		if at := s.at[o.Name]; !at.IsZero() {
			s.intervals[o.Name] = append(s.intervals[o.Name], time.Since(at))
		}
		s.at[o.Name] = time.Now()
	case strings.HasPrefix(before, Deployment) && before != after:
		s.taken[o.Name] = sight{s.at[o.Name], s.lateness()}
		delete(s.at, o.Name)
	}
}

// lateness is how late the last five renewals of any lease were.
func (s *sights) lateness() time.Duration {
	var most time.Duration
	for _, intervals := range s.intervals {
		if n := len(intervals); n > 0 {
			most = max(most, slices.Max(intervals[max(0, n-5):])-10*time.Second)
		}
	}
	return most
}

// figures are what a run comes to.
type figures struct {
	// late is how late the renewals were. over is how long after R + RD the holders of taken leases gave up, ratio that
	// part of their lateness before. gaps is how long nobody led.
	late, over, gaps []time.Duration
	ratio            float64
}

func (s *sights) figures() figures {
	s.mu.Lock()
	defer s.mu.Unlock()
	var f figures
	for _, intervals := range s.intervals {
		for _, interval := range intervals {
			f.late = append(f.late, interval-10*time.Second)
		}
	}
	for _, gap := range s.lab.Ledger.Gaps(s.lab.began) {
		before, ok := s.taken[gap.Bucket]
		if !ok {
			continue
		}
		over := gap.From.Sub(before.renewed) - 50*time.Second
		f.over, f.gaps = append(f.over, over), append(f.gaps, gap.Length())
		f.ratio = max(f.ratio, float64(over)/float64(max(before.lateness, time.Second)))
	}
	return f
}

func (f figures) String() string {
	text := fmt.Sprintf("%d moved, over/lateness at most %.2f", len(f.gaps), f.ratio)
	all := map[string][]time.Duration{"renewals late": f.late, "gave up after 50s+": f.over, "nobody leads": f.gaps}
	for _, what := range slices.Sorted(maps.Keys(all)) {
		text += fmt.Sprintf("; %s p50 %.1fs p95 %.1fs max %.1fs", what,
			percentile(all[what], 50).Seconds(), percentile(all[what], 95).Seconds(), percentile(all[what], 100).Seconds())
	}
	return text
}
