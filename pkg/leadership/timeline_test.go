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

var epoch = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)

// ms is a moment of the tests' story.
func ms(n int) time.Time { return epoch.Add(time.Duration(n) * time.Millisecond) }

func starts(at int, identity, lease string) Change { return Change{ms(at), identity, lease, true} }
func stops(at int, identity, lease string) Change  { return Change{ms(at), identity, lease, false} }

func TestBuild(t *testing.T) {
	for name, tc := range map[string]struct {
		processes []Process
		leases    []string
		want      []Bucket
	}{
		"started and stopped": {
			processes: []Process{{Changes: []Change{starts(10, "a_1", "q.0"), stops(30, "a_1", "q.0")}}},
			want:      []Bucket{{"q.0", []Span{{"a_1", ms(10), ms(30)}}}},
		},
		"leads on": {
			processes: []Process{{Changes: []Change{starts(10, "a_1", "q.0")}}},
			want:      []Bucket{{"q.0", []Span{{"a_1", ms(10), ms(1000)}}}},
		},
		"stopped but never led": {
			processes: []Process{{Changes: []Change{stops(10, "a_1", "q.0"), starts(20, "a_1", "q.0")}}},
			want:      []Bucket{{"q.0", []Span{{"a_1", ms(20), ms(1000)}}}},
		},
		"stopped twice": {
			processes: []Process{{Changes: []Change{starts(10, "a_1", "q.0"), stops(20, "a_1", "q.0"), stops(30, "a_1", "q.0")}}},
			want:      []Bucket{{"q.0", []Span{{"a_1", ms(10), ms(20)}}}},
		},
		"process ended without a word": {
			processes: []Process{{Changes: []Change{starts(10, "a_1", "q.0")}, Ended: ms(50)}},
			want:      []Bucket{{"q.0", []Span{{"a_1", ms(10), ms(50)}}}},
		},
		"process ends after the timeline": {
			processes: []Process{{Changes: []Change{starts(10, "a_1", "q.0")}, Ended: ms(2000)}},
			want:      []Bucket{{"q.0", []Span{{"a_1", ms(10), ms(1000)}}}},
		},
		"changes after the timeline": {
			processes: []Process{{Changes: []Change{starts(10, "a_1", "q.0"), stops(1001, "a_1", "q.0"), starts(1002, "a_1", "q.1")}}},
			want:      []Bucket{{"q.0", []Span{{"a_1", ms(10), ms(1000)}}}},
		},
		"one stop ends one identity's lead of one lease": {
			processes: []Process{{Changes: []Change{
				starts(10, "a_1", "q.0"), starts(11, "a_1", "q.1"), starts(12, "a_2", "r.0"), stops(20, "a_1", "q.0"),
			}}},
			want: []Bucket{
				{"q.0", []Span{{"a_1", ms(10), ms(20)}}},
				{"q.1", []Span{{"a_1", ms(11), ms(1000)}}},
				{"r.0", []Span{{"a_2", ms(12), ms(1000)}}},
			},
		},
		"lines out of order": {
			processes: []Process{{Changes: []Change{stops(30, "a_1", "q.0"), starts(10, "a_1", "q.0")}}},
			want:      []Bucket{{"q.0", []Span{{"a_1", ms(10), ms(30)}}}},
		},
		"stopped and started in one millisecond": {
			processes: []Process{{Changes: []Change{starts(10, "a_1", "q.0"), stops(30, "a_1", "q.0"), starts(30, "a_1", "q.0")}}},
			want:      []Bucket{{"q.0", []Span{{"a_1", ms(10), ms(30)}, {"a_1", ms(30), ms(1000)}}}},
		},
		"spans of several processes in order": {
			processes: []Process{
				{Changes: []Change{starts(40, "b_1", "q.0")}},
				{Changes: []Change{starts(10, "a_1", "q.0")}, Ended: ms(30)},
			},
			want: []Bucket{{"q.0", []Span{{"a_1", ms(10), ms(30)}, {"b_1", ms(40), ms(1000)}}}},
		},
		"a lease that nobody led": {
			leases: []string{"q.1", "q.0"},
			want:   []Bucket{{Lease: "q.0"}, {Lease: "q.1"}},
		},
		"nothing": {},
	} {
		t.Run(name, func(t *testing.T) {
			got := Build(ms(1000), tc.processes, tc.leases...)
			if diff := cmp.Diff(Timeline{Buckets: tc.want, Until: ms(1000)}, got); diff != "" {
				t.Errorf("Build() (-want, +got):\n%s", diff)
			}
		})
	}
}

func TestBuildKeepsItsInput(t *testing.T) {
	changes := []Change{stops(2000, "a_1", "q.0"), starts(10, "a_1", "q.0")}
	Build(ms(1000), []Process{{Changes: changes}})
	want := []Change{stops(2000, "a_1", "q.0"), starts(10, "a_1", "q.0")}
	if diff := cmp.Diff(want, changes); diff != "" {
		t.Errorf("Build() changed its input (-want, +got):\n%s", diff)
	}
}
