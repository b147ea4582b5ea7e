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
	"slices"
	"strings"
	"testing"
	"time"
)

// TestNaturalFault shows what this project exists for: a replica that comes back gets nothing, for ever.
func TestNaturalFault(t *testing.T) {
	run(t, Options{}, func(l *Lab) {
		l.Scale(2)
		l.WaitLed(time.Minute)
		l.Replace(l.Replicas()[0])
		time.Sleep(10 * time.Minute)
		if got, want := l.String(), "pipelinerun 10/0, resolutionrequest 10/0, taskrun 10/0"; got != want {
			l.T.Errorf("spread = %s, want %s", got, want)
		}
	})
}

// TestNaturalGaps holds the lab to what was measured on real clusters: how long nobody leads when a replica ends.
func TestNaturalGaps(t *testing.T) {
	cases := map[string]struct {
		end func(l *Lab, r *Replica)
		// The longest gap of 30 buckets is in this range.
		low, high time.Duration
	}{
		"stopped":            {end: (*Lab).Stop, low: 10 * time.Second, high: 23 * time.Second},
		"killed":             {end: (*Lab).Vanish, low: 60 * time.Second, high: 93 * time.Second},
		"restarted in place": {end: func(l *Lab, r *Replica) { l.Restart(r, time.Second) }, low: 55 * time.Second, high: 93 * time.Second},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			run(t, Options{}, func(l *Lab) {
				replicas := l.Arrange([]int{5, 5}, []int{5, 5}, []int{5, 5})
				time.Sleep(time.Minute)
				since := time.Now()
				tc.end(l, replicas[0])
				l.WaitLed(2 * time.Minute)
				gaps := l.Ledger.Gaps(since)
				if len(gaps) != 15 {
					l.T.Fatalf("%d gaps, want one for each of the replica's buckets", len(gaps))
				}
				if longest := gaps[0].Length(); longest < tc.low || longest > tc.high {
					l.T.Errorf("longest gap = %v, want between %v and %v", longest, tc.low, tc.high)
				}
			})
		})
	}
}

// TestBareDelete shows the other fault: a lease that is deleted under its leader gets a second one for 40 s and more.
func TestBareDelete(t *testing.T) {
	overlaps := 0
	run(t, Options{Tolerate: []string{OneLeader}}, func(l *Lab) {
		l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
		time.Sleep(time.Minute)
		for _, queue := range Queues {
			for _, name := range l.Group(queue).Names() {
				l.try(remove(l, name))
			}
		}
		time.Sleep(2 * time.Minute)
		found := l.Ledger.Overlaps(l.began)
		overlaps += len(found)
		for _, o := range found {
			if o.Length() < 39*time.Second || o.Length() > 51*time.Second {
				l.T.Errorf("%s had two leaders for %v, want 40 to 50s", o.Bucket, o.Length())
			}
		}
	})
	if overlaps == 0 {
		t.Error("no lease had two leaders")
	}
}

// TestSeedRepeats runs a scenario twice: the same seed gives the same run, another one another.
func TestSeedRepeats(t *testing.T) {
	history := func(seed int64) []string {
		var lines []string
		t.Run("run", func(t *testing.T) {
			Run(t, Options{Seed: seed, Election: map[string]string{"buckets": "4"}}, func(l *Lab) {
				l.Scale(2)
				l.WaitLed(time.Minute)
				l.Replace(l.Replicas()[0])
				l.StartController()
				l.WaitEven(5 * time.Minute)
				lines = l.promotions()
			})
		})
		return lines
	}
	first, second, other := history(7), history(7), history(8)
	if len(first) == 0 || !slices.Equal(first, second) {
		t.Errorf("seed 7 gave two histories:\n%v\n%v", first, second)
	}
	if slices.Equal(first, other) {
		t.Error("seeds 7 and 8 gave the same history")
	}
}

// promotions returns the promotions and demotions so far.
func (l *Lab) promotions() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var lines []string
	for _, line := range l.trace {
		if strings.Contains(line, " lead") && strings.Contains(line, "; leaders ") {
			lines = append(lines, line)
		}
	}
	return lines
}
