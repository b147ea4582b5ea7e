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
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLedger(t *testing.T) {
	type step struct {
		wait            time.Duration
		promote, demote string
		end             string
		freeze, thaw    string
	}
	type interval struct {
		From, To time.Duration
		Leaders  []string
	}
	cases := map[string]struct {
		steps    []step
		gaps     []interval
		overlaps []interval
		leaders  []string
	}{
		"one leader": {
			steps:   []step{{promote: "a"}, {wait: time.Minute}},
			leaders: []string{"a"},
		},
		"never led": {
			steps: []step{{demote: "a"}, {wait: time.Minute, demote: "b"}},
		},
		"a gap": {
			steps:   []step{{promote: "a"}, {wait: time.Second, demote: "a"}, {wait: 2 * time.Second, promote: "b"}},
			gaps:    []interval{{From: time.Second, To: 3 * time.Second}},
			leaders: []string{"b"},
		},
		"a gap that lasts": {
			steps: []step{{promote: "a"}, {wait: time.Second, end: "a"}, {wait: 2 * time.Second}},
			gaps:  []interval{{From: time.Second, To: 3 * time.Second}},
		},
		"two leaders for a millisecond": {
			steps:    []step{{promote: "a"}, {wait: time.Second, promote: "b"}, {wait: time.Millisecond, demote: "a"}},
			overlaps: []interval{{From: time.Second, To: time.Second + time.Millisecond, Leaders: []string{"a", "b"}}},
			leaders:  []string{"b"},
		},
		"two leaders still": {
			steps:    []step{{promote: "b"}, {wait: time.Second, promote: "a"}, {wait: time.Second}},
			overlaps: []interval{{From: time.Second, To: 2 * time.Second, Leaders: []string{"a", "b"}}},
			leaders:  []string{"a", "b"},
		},
		"handed over in an instant": {
			steps:   []step{{promote: "a"}, {wait: time.Second, promote: "b"}, {demote: "a"}, {demote: "b"}, {promote: "c"}},
			leaders: []string{"c"},
		},
		"a leader that is frozen leaves no gap": {
			steps: []step{
				{promote: "a"},
				{wait: time.Second, freeze: "a"},
				{wait: time.Second, thaw: "a"},
				{wait: time.Second, demote: "a"},
				{wait: time.Second, promote: "b"},
			},
			gaps:    []interval{{From: 3 * time.Second, To: 4 * time.Second}},
			leaders: []string{"b"},
		},
		"two leaders, one of them frozen": {
			steps: []step{
				{promote: "a"},
				{wait: time.Second, freeze: "a"},
				{wait: time.Second, promote: "b"},
				{wait: time.Second, thaw: "a"},
				{wait: time.Second, demote: "a"},
			},
			overlaps: []interval{{From: 3 * time.Second, To: 4 * time.Second, Leaders: []string{"a", "b"}}},
			leaders:  []string{"b"},
		},
		"frozen until it is told": {
			steps: []step{
				{promote: "a"},
				{freeze: "a"},
				{wait: time.Second, promote: "b"},
				{wait: time.Second, thaw: "a"},
				{demote: "a"},
				{wait: time.Second},
			},
			leaders: []string{"b"},
		},
		"two of three are frozen": {
			steps: []step{
				{promote: "a"},
				{promote: "b"},
				{promote: "c"},
				{wait: time.Second, freeze: "a"},
				{wait: time.Second, freeze: "b"},
				{wait: time.Second},
			},
			overlaps: []interval{
				{From: 0, To: time.Second, Leaders: []string{"a", "b", "c"}},
				{From: time.Second, To: 2 * time.Second, Leaders: []string{"a", "b", "c"}},
			},
			leaders: []string{"a", "b", "c"},
		},
		"said twice": {
			steps:   []step{{promote: "a"}, {wait: time.Second, promote: "a"}, {wait: time.Second, demote: "b"}},
			leaders: []string{"a"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				l := NewLedger(func(Change) {})
				for _, s := range tc.steps {
					time.Sleep(s.wait)
					if s.promote != "" {
						l.Promote("x", s.promote)
					}
					if s.demote != "" {
						l.Demote("x", s.demote)
					}
					if s.end != "" {
						l.End(s.end)
					}
					if s.freeze != "" {
						l.Freeze(s.freeze)
					}
					if s.thaw != "" {
						l.Thaw(s.thaw)
					}
				}
				relative := func(intervals []Interval) []interval {
					var got []interval
					for _, i := range intervals {
						got = append(got, interval{From: i.From.Sub(start), To: i.To.Sub(start), Leaders: i.Leaders})
					}
					return got
				}
				if diff := cmp.Diff(tc.gaps, relative(l.Gaps(start))); diff != "" {
					t.Error("unexpected gaps (-want, +got):\n", diff)
				}
				if diff := cmp.Diff(tc.overlaps, relative(l.Overlaps(start))); diff != "" {
					t.Error("unexpected overlaps (-want, +got):\n", diff)
				}
				if diff := cmp.Diff(tc.leaders, l.Leaders("x")); diff != "" {
					t.Error("unexpected leaders (-want, +got):\n", diff)
				}
				if got := l.Gaps(time.Now()); len(got) > 0 && len(l.Leaders("x")) > 0 {
					t.Errorf("gaps %v after the last change, want none", got)
				}
			})
		})
	}
}

func TestLedgerTellsChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []Change
		l := NewLedger(func(c Change) { got = append(got, c) })
		l.Demote("x", "a")
		l.Promote("x", "a")
		time.Sleep(time.Second)
		l.Promote("x", "b")
		l.Promote("y", "b")
		l.End("a")
		want := []Change{
			{Bucket: "x", Process: "a", Promoted: true, Leaders: []string{"a"}},
			{Bucket: "x", Process: "b", Promoted: true, Leaders: []string{"a", "b"}},
			{Bucket: "y", Process: "b", Promoted: true, Leaders: []string{"b"}},
			{Bucket: "x", Process: "a", Leaders: []string{"b"}},
		}
		for i := range got {
			got[i].Ended = Interval{}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error("unexpected changes (-want, +got):\n", diff)
		}
	})
}
