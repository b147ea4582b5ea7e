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
	"os"
	"strings"

	"golang.org/x/term"
)

// plainWidth is how wide the output is that goes to no terminal.
const plainWidth = 100

// Screen is what the output is written to.
type Screen struct {
	// Width in columns, and Height in lines, 0 for no limit.
	Width, Height int
	// Live: it is a terminal, on which lines can be written again.
	Live bool
	// Colour and Unicode tell what it can show.
	Colour, Unicode bool
}

// ScreenOf tells what a file and the environment are good for. NO_COLOR and a
// dumb terminal mean no colour.
func ScreenOf(out *os.File, env func(string) string) Screen {
	s := Screen{Width: plainWidth, Unicode: unicode(env)}
	fd := int(out.Fd())
	if !term.IsTerminal(fd) {
		return s
	}
	dumb := env("TERM") == "dumb" || env("TERM") == ""
	s.Live, s.Colour = !dumb, !dumb && env("NO_COLOR") == ""
	if width, height, err := term.GetSize(fd); err == nil && width > 0 {
		s.Width, s.Height = width, height
	}
	return s
}

// unicode tells whether the locale can show more than ASCII. The first variable
// that is set counts.
func unicode(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := env(name); value != "" {
			value = strings.ToUpper(value)
			return strings.HasSuffix(value, "UTF-8") || strings.HasSuffix(value, "UTF8")
		}
	}
	return false
}

// style is how a text stands out, as the parameter of the terminal's sequence.
type style string

const (
	plain  style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	cyan   style = "36"
)

// paint gives a text its style, if the screen has colours.
func (s Screen) paint(text string, as style) string {
	if !s.Colour || as == plain || text == "" {
		return text
	}
	return "\x1b[" + string(as) + "m" + text + "\x1b[0m"
}

// glyphs are what bars are made of.
type glyphs struct{ held, handover, none, more string }

func (s Screen) glyphs() glyphs {
	if s.Unicode {
		return glyphs{held: "■", handover: "□", none: "·", more: "…"}
	}
	return glyphs{held: "#", handover: "o", none: ".", more: "..."}
}
