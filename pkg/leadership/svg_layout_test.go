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
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTick(t *testing.T) {
	for seconds, want := range map[float64]int{1: 1, 12: 1, 13: 2, 70: 10, 240: 20, 300: 30, 3600: 300, 7200: 600, 1_000_000: 86400} {
		if got := tick(seconds); got != want {
			t.Errorf("tick(%.0f) = %d, want %d", seconds, got, want)
		}
	}
}

func TestReplicasInTheOrderOfTheirFirstLead(t *testing.T) {
	timeline := Build(ms(100), []Process{{Changes: []Change{
		starts(5, "late_1", "a.0"), starts(1, "early_1", "b.0"), starts(3, "between_1", "a.1"), starts(9, "early_2", "a.2"),
	}}})
	if diff := cmp.Diff([]string{"early", "between", "late"}, replicas(timeline)); diff != "" {
		t.Errorf("replicas() (-want, +got):\n%s", diff)
	}
}

// No colour means two things, in the legend neither.
func TestColours(t *testing.T) {
	seen := map[string]bool{overlapColour: true, "#fff": true}
	for _, colour := range palette {
		if seen[colour] {
			t.Errorf("colour %s means two things", colour)
		}
		seen[colour] = true
	}
}

func TestPlaceLegendWraps(t *testing.T) {
	l := layout{width: 1120, colour: map[string]string{}}
	var names []string
	for i := range len(palette) + 1 {
		names = append(names, fmt.Sprintf("tekton-pipelines-controller-7d9c5b7f4d-%05d", i))
	}
	l.placeLegend(names)
	for i, key := range l.legend {
		if right := key.x + 20 + letter*len(key.text); right > l.width {
			t.Errorf("key %d ends at %d, beyond the width of %d", i, right, l.width)
		}
	}
	if first, last := l.legend[0].y, l.legend[len(l.legend)-1].y; last <= first || l.markTop <= last {
		t.Errorf("the legend goes from %d to %d, the marks begin at %d: want one below the other", first, last, l.markTop)
	}
	if got := l.colour[names[len(palette)]]; got != palette[0] {
		t.Errorf("the colour after the last one is %s, want the first", got)
	}
}

func TestPlaceMarks(t *testing.T) {
	for name, tc := range map[string]struct {
		seconds  []int
		wantRow  []int
		wantLeft []bool
	}{
		"apart":                        {seconds: []int{0, 50}, wantRow: []int{0, 0}, wantLeft: []bool{false, false}},
		"close together":               {seconds: []int{0, 1, 2}, wantRow: []int{0, 1, 2}, wantLeft: []bool{false, false, false}},
		"the first line is free again": {seconds: []int{0, 1, 50}, wantRow: []int{0, 1, 0}, wantLeft: []bool{false, false, false}},
		"at the right edge":            {seconds: []int{100}, wantRow: []int{0}, wantLeft: []bool{true}},
		"none":                         {},
	} {
		t.Run(name, func(t *testing.T) {
			l := layout{left: 180, width: 1120, from: ms(0), perSecond: 9}
			var marks []Mark
			for _, second := range tc.seconds {
				marks = append(marks, Mark{Time: ms(0).Add(time.Duration(second) * time.Second), Text: "controller applied"})
			}
			l.placeMarks(marks)
			if diff := cmp.Diff(tc.wantRow, l.markRow); diff != "" {
				t.Errorf("rows (-want, +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.wantLeft, l.markLeft); diff != "" {
				t.Errorf("left (-want, +got):\n%s", diff)
			}
		})
	}
}

// However many rows there are, each is below the one before, and a name never
// runs into the next name.
func TestPlaceRows(t *testing.T) {
	for _, queues := range []int{3, 10, 20} {
		t.Run(fmt.Sprint(queues*10), func(t *testing.T) {
			l := newLayout(story(queues, 10), storyPicture())
			last := l.top - l.rowHeight
			labelled := -100
			for i, top := range l.rowTop {
				if top < last+l.rowHeight {
					t.Errorf("row %d begins at %d, within the one at %d", i, top, last)
				}
				last = top
				if !l.labelled(i) {
					continue
				}
				if top < labelled+9 {
					t.Errorf("the name of row %d at %d runs into the one at %d", i, top, labelled)
				}
				labelled = top
			}
			if l.bottom < last+l.rowHeight || l.height > 2000 {
				t.Errorf("rows end at %d, the axis is at %d, the picture is %d high", last+l.rowHeight, l.bottom, l.height)
			}
		})
	}
}

func TestXIsWithinTheAxis(t *testing.T) {
	l := layout{left: 180, from: ms(5000), perSecond: 10}
	for at, want := range map[int]float64{0: 180, 5000: 180, 6000: 190} {
		if got := l.x(ms(at)); got != want {
			t.Errorf("x(%d ms) = %.1f, want %.1f", at, got, want)
		}
	}
}
