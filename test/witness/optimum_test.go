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

package witness

import "testing"

func TestOptimum(t *testing.T) {
	for name, tc := range map[string]struct {
		leaders map[string]string
		want    int
	}{
		"even":            {leaders: map[string]string{"q.0": "a", "q.1": "b"}},
		"differs by one":  {leaders: map[string]string{"q.0": "a", "q.1": "b", "q.2": "a"}},
		"all on one":      {leaders: map[string]string{"q.0": "a", "q.1": "a", "q.2": "a", "q.3": "a"}, want: 2},
		"one per queue":   {leaders: map[string]string{"q.0": "a", "r.0": "a", "s.0": "a"}},
		"totals are even": {leaders: map[string]string{"q.0": "a", "q.1": "a", "r.0": "b", "r.1": "b"}, want: 2},
		"led by nobody":   {leaders: map[string]string{"q.0": "", "q.1": "a"}},
		"none":            {},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Optimum([]string{"a", "b"}, tc.leaders); got != tc.want {
				t.Errorf("Optimum() = %d, want %d", got, tc.want)
			}
		})
	}
}
