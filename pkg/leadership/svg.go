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
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Mark is a moment worth a vertical line in the picture.
type Mark struct {
	Time time.Time
	Text string
}

// Picture says what to draw around the timeline.
type Picture struct {
	Title, Subtitle string
	// From is second 0 of the axis; zero is when the first bucket was led.
	From  time.Time
	Marks []Mark
}

// WriteSVG draws a row per bucket, grouped by queue, with time to the right
// and a colour per replica. White is a gap, red are two leaders. The picture
// refers to nothing outside of itself.
func WriteSVG(w io.Writer, timeline Timeline, picture Picture) error {
	if picture.From.IsZero() {
		picture.From = timeline.start()
	}
	picture.Marks = slices.Clone(picture.Marks)
	slices.SortStableFunc(picture.Marks, func(a, b Mark) int { return a.Time.Compare(b.Time) })
	d := drawing{layout: newLayout(timeline, picture), timeline: timeline, picture: picture}
	d.open()
	d.header()
	d.axis()
	d.rows()
	d.marks()
	d.out.WriteString("</svg>\n")
	if _, err := io.WriteString(w, d.out.String()); err != nil {
		return fmt.Errorf("failed to write the picture: %w", err)
	}
	return nil
}

// drawing is a picture on its way.
type drawing struct {
	layout
	timeline Timeline
	picture  Picture
	out      strings.Builder
}

// add writes one line; what is text in it must be escaped before.
func (d *drawing) add(format string, args ...any) {
	fmt.Fprintf(&d.out, format+"\n", args...)
}

func (d *drawing) open() {
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d"`+
		` font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#222">`, d.width, d.height)
	d.add(`<rect width="100%%" height="100%%" fill="#fff"/>`)
}

// header writes title, subtitle and legend.
func (d *drawing) header() {
	d.add(`<title>%s</title>`, escape(d.picture.Title))
	d.add(`<text x="%d" y="28" font-size="17" font-weight="bold">%s</text>`, padding, escape(d.picture.Title))
	d.add(`<text x="%d" y="48" fill="#555">%s</text>`, padding, escape(d.picture.Subtitle))
	for _, key := range d.legend {
		d.add(`<rect x="%d" y="%d" width="14" height="12" fill="%s" stroke="%s"/>`, key.x, key.y, key.fill, key.stroke)
		d.add(`<text x="%d" y="%d">%s</text>`, key.x+20, key.y+10, escape(key.text))
	}
}

// axis writes the seconds below the rows, and a thin line up from each.
func (d *drawing) axis() {
	for second := 0; d.left+int(float64(second)*d.perSecond) <= d.right; second += d.tick {
		x := float64(d.left) + float64(second)*d.perSecond
		d.add(`<path d="M%.1f %dV%d" stroke="#e4e4e4"/>`, x, d.top, d.bottom)
		d.add(`<path d="M%.1f %dv5" stroke="#222"/>`, x, d.bottom)
		d.add(`<text x="%.1f" y="%d" text-anchor="middle">%d</text>`, x, d.bottom+18, second)
	}
	d.add(`<path d="M%d %dH%d" stroke="#222"/>`, d.left, d.bottom, d.right)
	d.add(`<text x="%d" y="%d" text-anchor="end" fill="#555">seconds</text>`, d.right, d.bottom+36)
}

// marks writes the vertical lines, over everything else, so that they can be
// followed through the rows.
func (d *drawing) marks() {
	for i, mark := range d.picture.Marks {
		x, y := d.x(mark.Time), d.markTop+markHeight*d.markRow[i]
		d.add(`<path d="M%.1f %dV%d" stroke="#222" stroke-dasharray="4 3"/>`, x, y+4, d.bottom)
		anchor, dx := "start", 3.0
		if d.markLeft[i] {
			anchor, dx = "end", -3.0
		}
		d.add(`<text x="%.1f" y="%d" text-anchor="%s" font-size="11">%s</text>`, x+dx, y+9, anchor, escape(mark.Text))
	}
}

func escape(text string) string {
	var out strings.Builder
	// A strings.Builder never fails.
	_ = xml.EscapeText(&out, []byte(text))
	return out.String()
}
