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
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTable(t *testing.T) {
	all := []Figures{
		{
			Row: Row{"restart", Delete, Tekton, Fixed}, Runs: 70, TwoLeaders: Sample{42, 43.25, 46.9}, MostTwoLeaders: Sample{46.9},
			Gaps: nil, OtherGaps: Sample{10, 14.5, 19.3}, Settle: Sample{70, 90}, Handovers: 36, Needed: 15, Writes: 36,
		},
		{
			Row: Row{"killed", None, OpenShift, Drawn}, Runs: 7, MostTwoLeaders: Sample{0},
			OtherGaps: Sample{88}, Settle: Sample{math.Inf(1)},
		},
	}
	want := []string{
		"| restart | 2x10 | delete | 60/40/10 | 70 | 43.2, 46.9 | - | 14.5, 19.3, 19.3 | 70.0, 90.0 | 36, 21 | 36 |",
		"| killed | any | none | 137/107/26 | 7 | 0.0, 0.0 | - | 88.0, 88.0, 88.0 | never, never | 0, 0 | 0 |",
	}
	lines := strings.Split(strings.TrimSpace(Table(all)), "\n")
	if diff := cmp.Diff(want, lines[2:]); diff != "" {
		t.Error("unexpected rows (-want, +got):\n", diff)
	}
	for _, line := range lines {
		if got, want := strings.Count(line, "|"), strings.Count(lines[0], "|"); got != want {
			t.Errorf("%d columns, want %d: %s", got-1, want-1, line)
		}
	}
}

// TestResult has the form that others read.
func TestResult(t *testing.T) {
	all := []Figures{
		{
			Row: Row{"restart", Handover, Tekton, Fixed}, Runs: 1300, MostTwoLeaders: Sample{0}, Gaps: Sample{9.1, 24.8, 31.4},
			Settle: Sample{71, 78.94}, Handovers: 20600, Needed: 20000,
		},
		{Row: Row{"restart", Delete, Tekton, Fixed}, TwoLeaders: Sample{0, 43.2, 46}},
		{Row: Row{"restart", Handover, Tekton, Drawn}, MostTwoLeaders: Sample{9}, Gaps: Sample{99}, Handovers: 9},
	}
	want := "RESULT handovers=20600 two_leaders_s_max=0.0 gap_s_p50=24.8 gap_s_p99=31.4 gap_s_max=31.4 " +
		"settle_s_p50=71.0 settle_s_p95=78.9 wasted_ratio=0.03 delete_two_leaders_s_p50=43.2"
	if diff := cmp.Diff(want, Result(all)); diff != "" {
		t.Error("unexpected line (-want, +got):\n", diff)
	}
}
