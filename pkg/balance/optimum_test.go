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

package balance_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// TestOneGroup tries every distribution of one group.
func TestOneGroup(t *testing.T) {
	for replicas := 1; replicas <= 6; replicas++ {
		for buckets := 1; buckets <= 10; buckets++ {
			for _, split := range allSplits(replicas, buckets) {
				checkOptimum(t, state(split))
			}
		}
	}
}

// TestSeveralGroups tries every combination of distributions, as far as there
// are not too many.
func TestSeveralGroups(t *testing.T) {
	for name, tc := range map[string]struct {
		replicas int
		buckets  []int
	}{
		"2 replicas, 2 groups":            {2, []int{10, 10}},
		"2 replicas, odd groups":          {2, []int{5, 5, 5}},
		"2 replicas, groups of all sizes": {2, []int{1, 2, 3, 4, 5}},
		"3 replicas, 2 groups":            {3, []int{8, 10}},
		"3 replicas, 3 groups":            {3, []int{4, 5, 4}},
		"3 replicas, 4 groups":            {3, []int{2, 2, 2, 2}},
		"4 replicas, 2 groups":            {4, []int{6, 5}},
		"4 replicas, 3 groups":            {4, []int{2, 3, 2}},
		"5 replicas, 2 groups":            {5, []int{4, 3}},
		"6 replicas, 2 groups":            {6, []int{3, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			each(tc.replicas, tc.buckets, nil, func(groups []string) {
				checkOptimum(t, state(groups...))
			})
		})
	}
}

func each(replicas int, buckets []int, groups []string, do func([]string)) {
	if len(buckets) == 0 {
		do(groups)
		return
	}
	for _, split := range allSplits(replicas, buckets[0]) {
		each(replicas, buckets[1:], append(groups, split), do)
	}
}

func allSplits(replicas, buckets int) (splits []string) {
	for _, counts := range partitions(replicas, buckets) {
		fields := make([]string, replicas)
		for i, n := range counts {
			fields[i] = strconv.Itoa(n)
		}
		splits = append(splits, strings.Join(fields, "/"))
	}
	return splits
}

func checkOptimum(t *testing.T, s balance.Snapshot) {
	t.Helper()
	if diff := cmp.Diff(bruteForce(s), planned(s, balance.Make(s))); diff != "" {
		groups, _ := counts(s)
		t.Errorf("cost of the plan for %v (-want, +got):\n%s", groups, diff)
	}
}
