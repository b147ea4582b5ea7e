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
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSegments(t *testing.T) {
	for name, tc := range map[string]struct {
		spans []Span
		want  []Segment
	}{
		"never led": {},
		"one leader": {
			spans: []Span{{"a_1", ms(10), ms(1000)}},
			want:  []Segment{{ms(10), ms(1000), []string{"a_1"}}},
		},
		"a gap": {
			spans: []Span{{"a_1", ms(10), ms(20)}, {"b_1", ms(50), ms(1000)}},
			want:  []Segment{{ms(10), ms(20), []string{"a_1"}}, {ms(20), ms(50), nil}, {ms(50), ms(1000), []string{"b_1"}}},
		},
		"a gap to the end": {
			spans: []Span{{"a_1", ms(10), ms(20)}},
			want:  []Segment{{ms(10), ms(20), []string{"a_1"}}, {ms(20), ms(1000), nil}},
		},
		"two leaders": {
			spans: []Span{{"b_1", ms(10), ms(40)}, {"a_1", ms(30), ms(1000)}},
			want: []Segment{
				{ms(10), ms(30), []string{"b_1"}},
				{ms(30), ms(40), []string{"a_1", "b_1"}},
				{ms(40), ms(1000), []string{"a_1"}},
			},
		},
		"next to each other is no gap": {
			spans: []Span{{"a_1", ms(10), ms(40)}, {"a_1", ms(40), ms(1000)}},
			want:  []Segment{{ms(10), ms(1000), []string{"a_1"}}},
		},
		"a span of no length": {
			spans: []Span{{"a_1", ms(10), ms(1000)}, {"b_1", ms(20), ms(20)}},
			want:  []Segment{{ms(10), ms(1000), []string{"a_1"}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := Bucket{Lease: "q.0", Spans: tc.spans}.Segments(ms(1000))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("Segments() (-want, +got):\n%s", diff)
			}
		})
	}
}

func TestLeadersAt(t *testing.T) {
	bucket := Bucket{Spans: []Span{{"b_1", ms(10), ms(40)}, {"a_1", ms(30), ms(50)}}}
	for at, want := range map[int][]string{
		9:  nil,
		10: {"b_1"},
		30: {"a_1", "b_1"},
		40: {"a_1"},
		50: nil,
	} {
		if diff := cmp.Diff(want, bucket.LeadersAt(ms(at))); diff != "" {
			t.Errorf("LeadersAt(%d ms) (-want, +got):\n%s", at, diff)
		}
	}
}

func TestSegmentDuration(t *testing.T) {
	if got, want := (Segment{From: ms(10), To: ms(35)}).Duration(), 25*time.Millisecond; got != want {
		t.Errorf("Duration() = %s, want %s", got, want)
	}
}
