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
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/leadership"
)

func TestNewResult(t *testing.T) {
	replicas := []string{"a", "b"}
	lead := func(identity string, from, to float64) leadership.Span {
		return leadership.Span{Identity: identity, From: at(from), To: at(to)}
	}
	stay := leadership.Bucket{Lease: "q.0", Spans: []leadership.Span{lead("a_1", 0, 200)}}
	for name, tc := range map[string]struct {
		moved leadership.Bucket
		taken int
		want  result
	}{
		"moved": {
			moved: leadership.Bucket{Lease: "q.1", Spans: []leadership.Span{lead("a_1", 0, 120), lead("b_1", 130, 200)}},
			taken: 1,
			want:  result{balanced: true, gap: 10 * time.Second, settle: 20 * time.Second, moves: 1},
		},
		"moved at the second try": {
			moved: leadership.Bucket{Lease: "q.1", Spans: []leadership.Span{lead("a_1", 0, 120), lead("b_1", 130, 200)}},
			taken: 2,
			want:  result{balanced: true, gap: 10 * time.Second, settle: 20 * time.Second, moves: 1, wasted: 1},
		},
		"two leaders until the old one stops": {
			moved: leadership.Bucket{Lease: "q.1", Spans: []leadership.Span{lead("a_1", 0, 145), lead("b_1", 105, 200)}},
			taken: 1,
			want:  result{balanced: true, twoLeaders: 40 * time.Second, settle: 35 * time.Second, moves: 1},
		},
		"before a move was allowed": {
			moved: leadership.Bucket{Lease: "q.1", Spans: []leadership.Span{lead("a_1", 0, 90), lead("b_1", 105, 200)}},
			taken: 1,
			want:  result{balanced: true, gap: 5 * time.Second, moves: 1},
		},
		"never": {
			moved: leadership.Bucket{Lease: "q.1", Spans: []leadership.Span{lead("a_1", 0, 200)}},
			taken: 3,
			want:  result{fault: "q is uneven", settle: 90 * time.Second, wasted: 3},
		},
	} {
		t.Run(name, func(t *testing.T) {
			timeline := leadership.Timeline{Until: at(200), Buckets: []leadership.Bucket{stay, tc.moved}}
			got := newResult(timeline, at(100), at(110), replicas, tc.taken)
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(result{})); diff != "" {
				t.Errorf("newResult() (-want, +got):\n%s", diff)
			}
		})
	}
}

func TestResultString(t *testing.T) {
	for want, r := range map[string]result{
		"RESULT balanced=true two_leaders_s=0.0 gap_s_max=17.8 settle_s=72.1 moves=15 wasted=0": {
			balanced: true, gap: 17750 * time.Millisecond, settle: 72100 * time.Millisecond, moves: 15,
		},
		// A millisecond of two leaders is not none.
		"RESULT balanced=false two_leaders_s=0.1 gap_s_max=0.0 settle_s=300.0 moves=0 wasted=21": {
			twoLeaders: time.Millisecond, settle: 300 * time.Second, wasted: 21,
		},
	} {
		if got := r.String(); got != want {
			t.Errorf("String() = %q, want %q", got, want)
		}
	}
}

func TestResultFailure(t *testing.T) {
	for name, tc := range map[string]struct {
		result   result
		strategy string
		want     string
	}{
		"good":                        {result: result{balanced: true}, strategy: "handover"},
		"not balanced":                {result: result{fault: "q is uneven"}, strategy: "delete", want: "the leases are not balanced: q is uneven"},
		"two leaders by handover":     {result: result{balanced: true, twoLeaders: time.Millisecond}, strategy: "handover", want: "a bucket had two leaders"},
		"two leaders, as is to await": {result: result{balanced: true, twoLeaders: 40 * time.Second}, strategy: "delete"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tc.result.failure(tc.strategy); got != tc.want {
				t.Errorf("failure() = %q, want %q", got, tc.want)
			}
		})
	}
}

func TestResultSummary(t *testing.T) {
	for name, tc := range map[string]struct {
		result result
		want   []string
	}{
		"good": {
			result: result{balanced: true, gap: 17 * time.Second, settle: time.Minute, moves: 15},
			want:   []string{"Balanced:", "60.0 s", "15 buckets", "0 more changes", "No bucket ever had two leaders", "17.0 s"},
		},
		"bad": {
			result: result{twoLeaders: 40 * time.Second},
			want:   []string{"Not balanced", "A bucket had two leaders for 40.0 s"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, want := range tc.want {
				if got := tc.result.summary(); !strings.Contains(got, want) {
					t.Errorf("summary() = %q, want %q in it", got, want)
				}
			}
		})
	}
}

func TestWritePicture(t *testing.T) {
	name := filepath.Join(t.TempDir(), "leadership.svg")
	picture := leadership.Picture{Title: "Title", Subtitle: caption(options{replicas: 2, buckets: 10, timings: allTimings["default"], strategy: "delete"})}
	if err := writePicture(name, leadership.Timeline{}, picture); err != nil {
		t.Fatal("writePicture() =", err)
	}
	text, err := os.ReadFile(name)
	want := "2 replicas of Tekton&#39;s controller, 10 buckets per queue, timings 60/40/10 s, strategy delete"
	if err != nil || !strings.Contains(string(text), want) {
		t.Errorf("the picture is %q, %v, want %q in it", text, err, want)
	}
	if err := writePicture(filepath.Join(name, "below-a-file"), leadership.Timeline{}, picture); err == nil {
		t.Error("writePicture() = nil, want an error")
	}
}
