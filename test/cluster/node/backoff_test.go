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

package node

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBackOff(t *testing.T) {
	cases := map[string]struct {
		runs []time.Duration // how long the container ran before each of its ends
		want []time.Duration
	}{
		"a crash loop waits twice as long each time": {
			runs: make([]time.Duration, 8),
			want: seconds(0, 10, 20, 40, 80, 160, 300, 300),
		},
		"a long run does not shorten the wait": {
			runs: seconds(0, 500, 500),
			want: seconds(0, 10, 20),
		},
		"a very long run makes it forget": {
			runs: seconds(0, 0, 601, 0),
			want: seconds(0, 10, 0, 10),
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var b backOff
			now := time.Unix(0, 0)
			var got []time.Duration
			for _, ran := range tc.runs {
				now = now.Add(ran)
				delay := b.next(now)
				got = append(got, delay)
				now = now.Add(delay)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("unexpected delays (-want, +got): %s", diff)
			}
		})
	}
}

func seconds(numbers ...int) []time.Duration {
	var all []time.Duration
	for _, n := range numbers {
		all = append(all, time.Duration(n)*time.Second)
	}
	return all
}
