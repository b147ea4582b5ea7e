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

package cli

import (
	"strings"
	"unicode/utf8"
)

// gap is between two columns.
const gap = "  "

// cell is one field of a table.
type cell struct {
	text  string
	as    style
	right bool
	// parts, if there are any, are the text in several styles.
	parts []cell
}

func (c cell) width() int {
	n := utf8.RuneCountInString(c.text)
	for _, p := range c.parts {
		n += p.width()
	}
	return n
}

func (c cell) render(s Screen) string {
	out := s.paint(c.text, c.as)
	for _, p := range c.parts {
		out += p.render(s)
	}
	return out
}

// grid is a table, its first row the heading.
type grid [][]cell

// widths are those of the columns.
func (g grid) widths() []int {
	var widths []int
	for _, row := range g {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], c.width())
		}
	}
	return widths
}

// width is that of the whole table.
func (g grid) width() int {
	n := -len(gap)
	for _, w := range g.widths() {
		n += w + len(gap)
	}
	return n
}

// render writes the table, without spaces at the ends of lines.
func (g grid) render(s Screen) string {
	widths := g.widths()
	var out strings.Builder
	for _, row := range g {
		var line strings.Builder
		for i, c := range row {
			pad := strings.Repeat(" ", widths[i]-c.width())
			if i > 0 {
				line.WriteString(gap)
			}
			if c.right {
				line.WriteString(pad)
			}
			line.WriteString(c.render(s))
			if !c.right {
				line.WriteString(pad)
			}
		}
		out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return out.String()
}

// heads are the cells of a heading.
func heads(texts ...string) []cell {
	row := make([]cell, 0, len(texts))
	for _, t := range texts {
		row = append(row, cell{text: t, as: bold})
	}
	return row
}

// cut takes away the lines that the screen has no room for: it would scroll.
func (s Screen) cut(text string) string {
	lines := strings.SplitAfter(text, "\n")
	if s.Height == 0 || len(lines) <= s.Height {
		return text
	}
	return strings.Join(lines[:s.Height-1], "")
}

// indent is that of the lines that a text goes on in.
const indent = 2

// wrap breaks a text into lines no wider than the screen. The first begins with
// head; if there is one, the others are indented.
func (s Screen) wrap(head, text string) string {
	if head == "" {
		return s.fold("", text, 0)
	}
	return s.fold(head, text, indent)
}

// fold is wrap with as much margin as is given.
func (s Screen) fold(head, text string, margin int) string {
	var out strings.Builder
	line, used := head, utf8.RuneCountInString(head)
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case used > margin && used+1+n > s.Width:
			out.WriteString(line + "\n")
			line, used = strings.Repeat(" ", margin), margin
		case used > 0:
			line, used = line+" ", used+1
		}
		line, used = line+word, used+n
	}
	return out.String() + line + "\n"
}
