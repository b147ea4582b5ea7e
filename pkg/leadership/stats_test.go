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

func TestStats(t *testing.T) {
	const from = 100
	for name, tc := range map[string]struct {
		changes []Change
		want    Stats
	}{
		"one leader all the time": {
			changes: []Change{starts(10, "a_1", "q.0")},
		},
		"two leaders of one millisecond": {
			changes: []Change{starts(10, "a_1", "q.0"), stops(501, "a_1", "q.0"), starts(500, "b_1", "q.0")},
			want:    Stats{TwoLeaders: time.Millisecond, LongestTwoLeaders: time.Millisecond, Moves: 1, Starts: 1},
		},
		"the other starts as the first stops": {
			changes: []Change{starts(10, "a_1", "q.0"), stops(500, "a_1", "q.0"), starts(500, "b_1", "q.0")},
			want:    Stats{Moves: 1, Starts: 1},
		},
		"two leaders twice, three for a while": {
			changes: []Change{
				starts(10, "a_1", "q.0"),
				starts(200, "b_1", "q.0"), stops(210, "b_1", "q.0"),
				starts(300, "b_1", "q.0"), starts(310, "c_1", "q.0"), stops(320, "c_1", "q.0"), stops(340, "b_1", "q.0"),
			},
			want: Stats{TwoLeaders: 50 * time.Millisecond, LongestTwoLeaders: 40 * time.Millisecond, Moves: 1, Starts: 3},
		},
		"two identities of one replica": {
			changes: []Change{starts(10, "a_1", "q.0"), starts(200, "a_2", "q.0"), stops(203, "a_1", "q.0")},
			want:    Stats{TwoLeaders: 3 * time.Millisecond, LongestTwoLeaders: 3 * time.Millisecond, Starts: 1},
		},
		"only what is in the window": {
			changes: []Change{
				starts(10, "a_1", "q.0"), starts(80, "b_1", "q.0"), stops(110, "a_1", "q.0"),
				starts(20, "a_1", "q.1"), stops(30, "a_1", "q.1"), starts(170, "a_1", "q.1"),
			},
			want: Stats{TwoLeaders: 10 * time.Millisecond, LongestTwoLeaders: 10 * time.Millisecond, LongestGap: 70 * time.Millisecond, Starts: 1},
		},
		"all before the window": {
			changes: []Change{starts(10, "a_1", "q.0"), starts(20, "b_1", "q.0"), stops(30, "a_1", "q.0"), stops(40, "b_1", "q.0"), starts(60, "a_1", "q.0")},
		},
		"nobody before the first leader is no gap": {
			changes: []Change{starts(700, "a_1", "q.0")},
			want:    Stats{Starts: 1},
		},
		"a gap up to the end": {
			changes: []Change{starts(10, "a_1", "q.0"), stops(900, "a_1", "q.0")},
			want:    Stats{LongestGap: 100 * time.Millisecond},
		},
		"moved": {
			changes: []Change{starts(10, "a_1", "q.0"), stops(200, "a_1", "q.0"), starts(230, "b_1", "q.0"), starts(10, "a_1", "q.1")},
			want:    Stats{LongestGap: 30 * time.Millisecond, Moves: 1, Starts: 1},
		},
		"moved after it came back": {
			changes: []Change{
				starts(10, "a_1", "q.0"), stops(200, "a_1", "q.0"), starts(230, "a_1", "q.0"),
				stops(300, "a_1", "q.0"), starts(310, "b_1", "q.0"),
			},
			want: Stats{LongestGap: 30 * time.Millisecond, Moves: 1, Starts: 2},
		},
		"came back": {
			changes: []Change{starts(10, "a_1", "q.0"), stops(200, "a_1", "q.0"), starts(230, "a_1", "q.0")},
			want:    Stats{LongestGap: 30 * time.Millisecond, Starts: 1},
		},
		"came back by a detour": {
			changes: []Change{
				starts(10, "a_1", "q.0"), stops(200, "a_1", "q.0"),
				starts(200, "b_1", "q.0"), stops(300, "b_1", "q.0"), starts(300, "a_1", "q.0"),
			},
			want: Stats{Starts: 2},
		},
	} {
		t.Run(name, func(t *testing.T) {
			timeline := Build(ms(1000), []Process{{Changes: tc.changes}})
			if diff := cmp.Diff(tc.want, timeline.Stats(ms(from))); diff != "" {
				t.Errorf("Stats() (-want, +got):\n%s", diff)
			}
		})
	}
}
