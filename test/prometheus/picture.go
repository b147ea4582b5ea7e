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
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

// Panel is a diagram of series over time.
type Panel struct {
	Title  string
	Series []Line
	// Stacked: the series are piled up on each other, in their order.
	Stacked bool
}

// Line is a series with its name.
type Line struct {
	Name   string
	Points []Point
}

// Mark is a moment worth a vertical line.
type Mark struct {
	Time time.Time
	Text string
}

// The picture's measures, in pixels.
const (
	panelWidth, panelHeight = 440, 190
	gap, edge, head         = 40, 35, 60
	markRow                 = 14
)

// colours are those of the lines, told apart by most eyes.
var colours = []string{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999"}

// Draw writes the panels as an SVG, two in a row, from one time to another. Below
// each is the number of seconds since the first mark.
func Draw(w io.Writer, title string, panels []Panel, marks []Mark, from, to time.Time) error {
	rows := (len(panels) + 1) / 2
	width, height := 2*(panelWidth+gap)+gap, head+rows*(panelHeight+gap+edge)
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d"`+
		` font-family="Helvetica, Arial, sans-serif" font-size="11" fill="#222">`+"\n", width, height)
	fmt.Fprintf(&out, `<title>%s</title><rect width="100%%" height="100%%" fill="#fff"/>`+"\n", escape(title))
	fmt.Fprintf(&out, `<text x="%d" y="26" font-size="16" font-weight="bold">%s</text>`+"\n", gap, escape(title))
	for i, p := range panels {
		d := diagram{
			out: &out, panel: p, marks: marks, from: from, to: to,
			left: gap + i%2*(panelWidth+gap), top: head + i/2*(panelHeight+gap+edge),
		}
		d.draw()
	}
	out.WriteString("</svg>\n")
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("failed to write the picture: %w", err)
	}
	return nil
}

// diagram is one panel on its way.
type diagram struct {
	out       *strings.Builder
	panel     Panel
	marks     []Mark
	from, to  time.Time
	left, top int
	// most is the value at the upper edge.
	most float64
}

func (d *diagram) add(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }

func (d *diagram) draw() {
	floors := map[int64]float64{} // what is piled up so far, by time
	shapes := make([]string, 0, len(d.panel.Series))
	for _, line := range d.panel.Series {
		for _, p := range line.Points {
			value := p.Value
			if d.panel.Stacked {
				value += floors[p.Time.Unix()]
				floors[p.Time.Unix()] = value
			}
			if !math.IsNaN(value) {
				d.most = max(d.most, value)
			}
		}
	}
	d.most = max(1, d.most) * 1.3 // with room for the marks
	d.add(`<text x="%d" y="%d" font-size="13" font-weight="bold">%s</text>`, d.left, d.top-8, escape(d.panel.Title))
	d.axes()
	clear(floors)
	for i, line := range d.panel.Series {
		shapes = append(shapes, d.shape(line, colours[i%len(colours)], floors))
	}
	slices.Reverse(shapes) // the lowest one of a pile is over the others
	for _, s := range shapes {
		d.add("%s", s)
	}
	d.vertical()
	d.legend()
}

// shape is the path of a line, in steps. A pile is filled down to the axis: the
// one below is drawn over it.
func (d *diagram) shape(line Line, colour string, floors map[int64]float64) string {
	o := outline{foot: math.NaN()}
	if d.panel.Stacked {
		o.foot = float64(d.top + panelHeight)
	}
	for _, p := range line.Points {
		value := p.Value
		if d.panel.Stacked {
			value += floors[p.Time.Unix()]
			floors[p.Time.Unix()] = value
		}
		if !math.IsNaN(value) {
			o.to(p.Time, d.x(p.Time), d.y(value))
		}
	}
	o.end()
	if d.panel.Stacked {
		return fmt.Sprintf(`<path d="%s" fill="%s" stroke="#fff" stroke-width="0.5"/>`, o.path.String(), colour)
	}
	return fmt.Sprintf(`<path d="%s" fill="none" stroke="%s" stroke-width="1.8"/>`, o.path.String(), colour)
}

// outline is a path in steps, with the fewest of them.
type outline struct {
	path strings.Builder
	// foot is where an area ends below, not a number for a line.
	foot float64
	last time.Time
	x, y float64
}

// to goes on to a point. More than two seconds without one are a break.
func (o *outline) to(at time.Time, x, y float64) {
	switch {
	case o.last.IsZero() || at.Sub(o.last) > 2*time.Second:
		o.end()
		if math.IsNaN(o.foot) {
			fmt.Fprintf(&o.path, "M%.1f %.1f", x, y)
		} else {
			fmt.Fprintf(&o.path, "M%.1f %.1fV%.1f", x, o.foot, y)
		}
	case y != o.y:
		fmt.Fprintf(&o.path, "H%.1fV%.1f", x, y)
	}
	o.last, o.x, o.y = at, x, y
}

// end ends what was begun.
func (o *outline) end() {
	if o.last.IsZero() {
		return
	}
	fmt.Fprintf(&o.path, "H%.1f", o.x)
	if !math.IsNaN(o.foot) {
		fmt.Fprintf(&o.path, "V%.1fZ", o.foot)
	}
}

func (d *diagram) x(at time.Time) float64 {
	return float64(d.left) + panelWidth*at.Sub(d.from).Seconds()/d.to.Sub(d.from).Seconds()
}

func (d *diagram) y(value float64) float64 {
	return float64(d.top) + panelHeight*(1-value/d.most)
}

// step is a round number of which there are few in a whole.
func step(whole float64) float64 {
	for unit := 1.0; ; unit *= 10 {
		for _, n := range []float64{1, 2, 5} {
			if whole/(n*unit) <= 6 {
				return n * unit
			}
		}
	}
}

// axes writes values to the left, and seconds below.
func (d *diagram) axes() {
	for value := 0.0; value <= d.most; value += step(d.most) {
		d.add(`<path d="M%d %.1fh%d" stroke="#e4e4e4"/><text x="%d" y="%.1f" text-anchor="end">%g</text>`,
			d.left, d.y(value), panelWidth, d.left-5, d.y(value)+4, value)
	}
	begin := d.from
	if len(d.marks) > 0 {
		begin = d.marks[0].Time
	}
	every := time.Duration(step(d.to.Sub(d.from).Seconds()) * float64(time.Second))
	for at := begin; !at.After(d.to); at = at.Add(every) {
		d.add(`<text x="%.1f" y="%d" text-anchor="middle">%.0f s</text>`, d.x(at), d.top+panelHeight+14, at.Sub(begin).Seconds())
	}
	d.add(`<path d="M%d %dv%dh%d" fill="none" stroke="#222"/>`, d.left, d.top, panelHeight, panelWidth)
}

// vertical writes the marks.
func (d *diagram) vertical() {
	for i, m := range d.marks {
		d.add(`<path d="M%.1f %dv%d" stroke="#222" stroke-dasharray="4 3"/><text x="%.1f" y="%d" font-size="10" paint-order="stroke" stroke="#fff" stroke-width="3">%s</text>`,
			d.x(m.Time), d.top, panelHeight, d.x(m.Time)+3, d.top+10+i%3*markRow, escape(m.Text))
	}
}

// legend names the lines, in rows below.
func (d *diagram) legend() {
	x, y := d.left, d.top+panelHeight+22
	for i, line := range d.panel.Series {
		width := 30 + 6*len(line.Name)
		if x > d.left && x+width > d.left+panelWidth {
			x, y = d.left, y+15
		}
		d.add(`<rect x="%d" y="%d" width="10" height="10" fill="%s"/><text x="%d" y="%d">%s</text>`,
			x, y, colours[i%len(colours)], x+14, y+9, escape(line.Name))
		x += width
	}
}

func escape(text string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(text)) // a strings.Builder never fails
	return out.String()
}
