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

package record

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRows(t *testing.T) {
	rows := Rows()
	seen := map[Row]bool{}
	for _, row := range rows {
		if seen[row] {
			t.Errorf("row %v is there twice", row)
		}
		seen[row] = true
	}
	// With each of the three timings: 11 scenarios with two strategies each, 9 without our controller.
	if want := 3 + 3*(2*11+9); len(rows) != want {
		t.Errorf("%d rows, want %d", len(rows), want)
	}
	if want := (Row{"restart", Handover, Tekton, Fixed}); rows[0] != want {
		t.Errorf("the first row is %v, want %v", rows[0], want)
	}
}

func TestPlan(t *testing.T) {
	cases := map[string]struct {
		runs   int
		counts map[Row]int
	}{
		"many": {1400, map[Row]int{
			{"restart", Handover, Tekton, Fixed}:    1400,
			{"restart", Delete, Tekton, Fixed}:      70,
			{"restart", None, Tekton, Fixed}:        70,
			{"restart", Handover, Tekton, Drawn}:    7,
			{"two of us", Delete, OpenShift, Drawn}: 7,
		}},
		"one": {1, map[Row]int{
			{"restart", Handover, Tekton, Fixed}: 1,
			{"restart", Delete, Tekton, Fixed}:   1,
			{"killed", None, ClientGo, Drawn}:    1,
		}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			plan := Plan(tc.runs, 5)
			counts := map[Row]int{}
			seeds := map[Row][]int64{}
			for _, s := range plan {
				counts[s.Row]++
				seeds[s.Row] = append(seeds[s.Row], s.Seed)
			}
			for row, want := range tc.counts {
				if counts[row] != want {
					t.Errorf("%d runs of %v, want %d", counts[row], row, want)
				}
			}
			for row, got := range seeds {
				slices.Sort(got)
				for i, seed := range got {
					if seed != 5+int64(i) {
						t.Fatalf("seeds of %v are %v, want each from 5 on once", row, got)
					}
				}
			}
			if diff := cmp.Diff(plan, Plan(tc.runs, 5)); diff != "" {
				t.Error("the plan is another one the second time:\n", diff)
			}
		})
	}
}

// TestPlanIsShared holds the parts of a plan to about the same work.
func TestPlanIsShared(t *testing.T) {
	long := [2]int{}
	for i, s := range Plan(1400, 1) {
		if s.Size == Drawn {
			long[i%2]++
		}
	}
	if low, high := min(long[0], long[1]), max(long[0], long[1]); high*10 > low*13 {
		t.Errorf("the parts have %v runs of the other rows, want about as many", long)
	}
}

func TestDraw(t *testing.T) {
	row := Row{"killed", Handover, Tekton, Drawn}
	sizes := map[[2]int]bool{}
	for seed := range int64(400) {
		s := row.Draw(seed)
		if s != row.Draw(seed) {
			t.Fatalf("seed %d draws two settings", seed)
		}
		if !slices.Contains([]int{2, 3, 5, 10}, s.Replicas) || s.Buckets < 1 || s.Buckets > 10 {
			t.Fatalf("seed %d draws %d replicas and %d buckets", seed, s.Replicas, s.Buckets)
		}
		sizes[[2]int{s.Replicas, s.Buckets}] = true
	}
	if len(sizes) < 38 {
		t.Errorf("only %d of 40 sizes were drawn", len(sizes))
	}
	if s := Rows()[0].Draw(3); s.Replicas != 2 || s.Buckets != 10 {
		t.Errorf("the first row has %d replicas and %d buckets, want 2 and 10", s.Replicas, s.Buckets)
	}
}
