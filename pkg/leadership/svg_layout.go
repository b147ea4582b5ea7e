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
	"slices"
	"time"
)

const (
	padding    = 20
	plotWidth  = 900
	markHeight = 15
	// letter is about how wide a letter is, and boldLetter a bold one, for
	// what must not overlap.
	letter     = 7
	boldLetter = 8
	// bucketLabel is how wide "03-of-10" is, with some space.
	bucketLabel = 70
)

// overlapColour is for two leaders and for nothing else.
const overlapColour = "#d7191c"

// palette can be told apart by colour-blind people too, and no colour in it
// is near to overlapColour. It starts again when there are more replicas.
var palette = []string{"#0072b2", "#e69f00", "#009e73", "#56b4e9", "#332288", "#f0e442", "#cc79a7", "#999933", "#777777", "#88ccee"}

// layout is where everything is, in pixels.
type layout struct {
	width, height            int
	left, right, top, bottom int
	from                     time.Time
	perSecond                float64
	tick                     int
	rowHeight                int
	rowTop                   []int
	newQueue                 []bool
	markTop                  int
	markRow                  []int
	markLeft                 []bool
	colour                   map[string]string
	legend                   []legendKey
}

type legendKey struct {
	x, y               int
	fill, stroke, text string
}

func newLayout(timeline Timeline, picture Picture) layout {
	l := layout{from: picture.From, colour: map[string]string{}}
	l.left = padding + boldLetter*longestQueue(timeline) + bucketLabel
	l.right = l.left + plotWidth
	l.width = l.right + 2*padding
	seconds := max(timeline.Until.Sub(picture.From).Seconds(), 1)
	l.perSecond = plotWidth / seconds
	l.tick = tick(seconds)
	l.placeLegend(replicas(timeline))
	l.placeMarks(picture.Marks)
	l.placeRows(timeline.Buckets)
	l.height = l.bottom + 50
	return l
}

// longestQueue is how many letters the longest name of a queue has.
func longestQueue(timeline Timeline) int {
	longest := 0
	for _, bucket := range timeline.Buckets {
		queue, _ := Queue(bucket.Lease)
		longest = max(longest, len(ShortQueue(queue)))
	}
	return longest
}

// x is where a moment is; what is before the axis is at its beginning.
func (l *layout) x(at time.Time) float64 {
	return float64(l.left) + max(at.Sub(l.from).Seconds(), 0)*l.perSecond
}

// tick is the number of seconds between two labels of the axis: a round
// number that gives about ten of them.
func tick(seconds float64) int {
	steps := []int{1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 1800, 3600}
	for _, step := range steps {
		if seconds/float64(step) <= 12 {
			return step
		}
	}
	return 3600 * (1 + int(seconds/12/3600))
}

// replicas returns all that ever led, in the order in which they first did.
func replicas(timeline Timeline) []string {
	var spans []Span
	for _, bucket := range timeline.Buckets {
		spans = append(spans, bucket.Spans...)
	}
	slices.SortStableFunc(spans, func(a, b Span) int { return a.From.Compare(b.From) })
	var names []string
	for _, span := range spans {
		if name := Replica(span.Identity); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// placeLegend gives each replica its colour and a place below the subtitle,
// in as many lines as it takes.
func (l *layout) placeLegend(names []string) {
	x, y := padding, 62
	place := func(fill, stroke, text string) {
		width := 36 + letter*len(text)
		if x > padding && x+width > l.width-padding {
			x, y = padding, y+20
		}
		l.legend = append(l.legend, legendKey{x, y, fill, stroke, text})
		x += width
	}
	for i, name := range names {
		l.colour[name] = palette[i%len(palette)]
		place(l.colour[name], "none", name)
	}
	place(overlapColour, "none", "two leaders")
	place("#fff", "#888", "no leader")
	l.markTop = y + 24
}

// placeMarks puts the text of a mark into the first line where it is free,
// and to the left of its mark where it would leave the picture.
func (l *layout) placeMarks(marks []Mark) {
	var used []float64
	for _, mark := range marks {
		width := float64(letter * len(mark.Text))
		from := l.x(mark.Time)
		left := from+width > float64(l.width-padding)
		if left {
			from -= width
		}
		row := slices.IndexFunc(used, func(end float64) bool { return end < from })
		if row < 0 {
			used, row = append(used, 0), len(used)
		}
		used[row] = from + width
		l.markRow, l.markLeft = append(l.markRow, row), append(l.markLeft, left)
	}
	l.top = l.markTop + markHeight*len(used) + 6
}

// placeRows stacks the buckets, with some space before each queue. The more
// there are, the lower each is.
func (l *layout) placeRows(buckets []Bucket) {
	switch {
	case len(buckets) <= 40:
		l.rowHeight = 15
	case len(buckets) <= 100:
		l.rowHeight = 11
	default:
		l.rowHeight = 7
	}
	y, last := l.top, ""
	for _, bucket := range buckets {
		queue, _ := Queue(bucket.Lease)
		if queue != last {
			y += 6
		}
		l.rowTop, l.newQueue = append(l.rowTop, y), append(l.newQueue, queue != last)
		y, last = y+l.rowHeight, queue
	}
	l.bottom = y + 4
}

// labelled tells whether a row has room for its name: rows that are lower
// than a letter have it only at every second bucket.
func (l *layout) labelled(i int) bool { return l.rowHeight > 8 || i%2 == 0 }
