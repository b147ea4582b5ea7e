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

package prometheus

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var start = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)

// points are one value a second from start on.
func points(values ...float64) []Point {
	all := make([]Point, 0, len(values))
	for i, v := range values {
		if !math.IsInf(v, 0) {
			all = append(all, Point{start.Add(time.Duration(i) * time.Second), v})
		}
	}
	return all
}

// TestShape: steps only where the value changes; a break where there is none.
func TestShape(t *testing.T) {
	none := math.Inf(1)
	cases := map[string]struct {
		points  []Point
		stacked bool
		want    string
	}{
		"a line":             {points: points(0, 0, 1, 1), want: "M40.0 250.0H128.0V155.0H172.0"},
		"a break":            {points: points(0, none, none, 0, 1), want: "M40.0 250.0H40.0M172.0 250.0H216.0V155.0H216.0"},
		"not a number":       {points: points(0, math.NaN(), 1), want: "M40.0 250.0H128.0V155.0H128.0"},
		"an area":            {points: points(1, 2), stacked: true, want: "M40.0 250.0V155.0H84.0V60.0H84.0V250.0Z"},
		"an area, a break":   {points: points(1, none, none, 1), stacked: true, want: "M40.0 250.0V155.0H40.0V250.0ZM172.0 250.0V155.0H172.0V250.0Z"},
		"nothing to draw":    {points: points(math.NaN()), want: ""},
		"no points, stacked": {stacked: true, want: ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			d := diagram{panel: Panel{Stacked: tc.stacked}, from: start, to: start.Add(10 * time.Second), left: 40, top: 60, most: 2}
			shape := d.shape(Line{Points: tc.points}, "#000", map[int64]float64{})
			_, path, _ := strings.Cut(shape, `d="`)
			path, _, _ = strings.Cut(path, `"`)
			if diff := cmp.Diff(tc.want, path); diff != "" {
				t.Errorf("path (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestDraw: a whole picture is XML with everything in it, escaped.
func TestDraw(t *testing.T) {
	var out strings.Builder
	panels := []Panel{
		{Title: "pile", Stacked: true, Series: []Line{{Name: "a", Points: points(1, 1)}, {Name: "b", Points: points(2, 3)}}},
		{Title: "A & B", Series: []Line{{Name: "<c>", Points: points(7)}}},
		{Title: "empty"},
	}
	if err := Draw(&out, "title", panels, []Mark{{start.Add(time.Second), "mark"}}, start, start.Add(10*time.Second)); err != nil {
		t.Fatal(err)
	}
	for decoder := xml.NewDecoder(strings.NewReader(out.String())); ; {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{">title<", ">pile<", ">a<", ">b<", ">A &amp; B<", ">&lt;c&gt;<", ">empty<", ">mark<", ">0 s<", ">8 s<"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in the picture", want)
		}
	}
	if strings.Index(out.String(), colours[1]) > strings.Index(out.String(), colours[0]) {
		t.Error("the lowest area of the pile is not over the one that it is part of")
	}
}

func TestStep(t *testing.T) {
	for whole, want := range map[float64]float64{1.1: 1, 6: 1, 7: 2, 12: 2, 13: 5, 30: 5, 31: 10, 300: 50} {
		if got := step(whole); got != want {
			t.Errorf("step(%g) = %g, want %g", whole, got, want)
		}
	}
}
