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
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestQuantile(t *testing.T) {
	hundred := make(Sample, 100)
	for i := range hundred {
		hundred[i] = float64(i + 1)
	}
	cases := map[string]struct {
		sample Sample
		q      float64
		want   float64
	}{
		"of nothing":               {nil, 0.5, 0},
		"of one":                   {Sample{7}, 0.95, 7},
		"smallest":                 {hundred, 0, 1},
		"half":                     {hundred, 0.5, 50},
		"99 of 100":                {hundred, 0.99, 99},
		"largest":                  {hundred, 1, 100},
		"the upper one of two":     {Sample{1, 2}, 0.51, 2},
		"the lower one of two":     {Sample{1, 2}, 0.5, 1},
		"one in 20 is never":       {append(make(Sample, 19), math.Inf(1)), 0.95, 0},
		"more than that are never": {append(make(Sample, 18), math.Inf(1), math.Inf(1)), 0.95, math.Inf(1)},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := tc.sample.Quantile(tc.q); got != tc.want {
				t.Errorf("Quantile(%v) = %v, want %v", tc.q, got, tc.want)
			}
		})
	}
}

func TestSum(t *testing.T) {
	first, other := Rows()[0], Rows()[5]
	records := []Record{
		{
			Setting: other.Draw(1), OtherGaps: []float64{70}, Unsettled: 1,
		},
		{
			Setting: first.Draw(1), TwoLeaders: []float64{0, 2}, MostTwoLeaders: 2, Gaps: []float64{9, 8},
			Settle: []float64{71}, Handovers: 16, Needed: 15, Writes: 33,
		},
		{
			Setting: first.Draw(2), TwoLeaders: []float64{1}, MostTwoLeaders: 1, Gaps: []float64{7}, OtherGaps: []float64{12},
			Settle: []float64{70}, Handovers: 15, Needed: 15, Writes: 30,
		},
	}
	want := []Figures{
		{
			Row: first, Runs: 2, TwoLeaders: Sample{0, 1, 2}, MostTwoLeaders: Sample{1, 2}, Gaps: Sample{7, 8, 9},
			OtherGaps: Sample{12}, Settle: Sample{70, 71}, Handovers: 31, Needed: 30, Writes: 63,
		},
		{Row: other, Runs: 1, MostTwoLeaders: Sample{0}, OtherGaps: Sample{70}, Settle: Sample{math.Inf(1)}},
	}
	got := Sum(records)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("unexpected figures (-want, +got):\n", diff)
	}
	if wasted := got[0].Wasted(); wasted != 1 {
		t.Errorf("%d wasted, want 1", wasted)
	}
}

func TestReadWritten(t *testing.T) {
	want := []Record{
		{Setting: Rows()[0].Draw(4), Gaps: []float64{1.5}, Broken: []string{"one\nleader"}},
		{Setting: Rows()[9].Draw(5), Settle: []float64{70}, Handovers: 3},
	}
	var file bytes.Buffer
	for _, r := range want {
		if err := r.Write(&file); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("unexpected records (-want, +got):\n", diff)
	}
}

func TestReadComplains(t *testing.T) {
	_, err := Read(strings.NewReader("{}\n{\"Seed\": 1"))
	if err == nil || !strings.Contains(err.Error(), "record 2") {
		t.Errorf("error = %v, want one about record 2", err)
	}
}
