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

package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// pause is the least time between two lines of changes: within a second of an
// election there are dozens.
const pause = time.Second

// A line that is longer than the terminal is wide is cut: if it became two,
// the table could not be found again.
const (
	noWrap = "\x1b[?7l"
	wrap   = "\x1b[?7h"
)

// recentLines is how many changes stay below the table.
const recentLines = 6

// screen shows the story. On a terminal the table is redrawn in place below
// what has been said; elsewhere each change is a line.
type screen struct {
	out     io.Writer
	live    bool
	started time.Time
	// drawn is how many lines of the table are on the terminal.
	drawn  int
	recent []string
	// untold is what has happened since the last line, at told.
	untold []move
	told   time.Time
	state  snapshot
	spread string
}

func newScreen(out *os.File, now time.Time) *screen {
	return &screen{out: out, live: isTerminal(out), started: now}
}

// isTerminal tells whether the cursor can be moved there.
func isTerminal(out *os.File) bool {
	info, err := out.Stat()
	term := os.Getenv("TERM")
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && term != "" && term != "dumb"
}

// say writes a line that stays.
func (s *screen) say(now time.Time, format string, args ...any) {
	s.erase()
	s.flush(now)
	s.line(now, format, args...)
}

func (s *screen) line(now time.Time, format string, args ...any) {
	s.print("[%6.1f s] %s\n", now.Sub(s.started).Seconds(), fmt.Sprintf(format, args...))
}

// show shows how the leases are spread, and what has happened to them.
func (s *screen) show(now time.Time, state snapshot, moves []move) {
	if !s.live {
		s.state, s.untold = state, append(s.untold, moves...)
		if now.Sub(s.told) >= pause {
			s.flush(now)
		}
		return
	}
	for _, change := range tell(moves) {
		s.recent = append(s.recent, fmt.Sprintf("%6.1f s  %s", now.Sub(s.started).Seconds(), change))
	}
	s.recent = s.recent[max(0, len(s.recent)-recentLines):]
	clock := fmt.Sprintf("%6.0f s", now.Sub(s.started).Seconds())
	lines := slices.Concat([]string{"", clock, ""}, strings.Split(strings.TrimSpace(table(state)), "\n"),
		[]string{""}, reasons(state, now), []string{""}, s.recent)
	s.erase()
	s.print(noWrap+"%s\n"+wrap, strings.Join(lines, "\n"))
	s.drawn = len(lines)
}

// flush writes what has not been told yet, and how the leases are spread.
func (s *screen) flush(now time.Time) {
	for _, change := range tell(s.untold) {
		s.line(now, "  %s", change)
		s.told = now
	}
	s.untold = nil
	if text := spread(s.state); text != s.spread {
		s.line(now, "  leases: %s", text)
		s.spread, s.told = text, now
	}
}

// erase removes the table.
func (s *screen) erase() {
	if s.drawn > 0 {
		s.print("\x1b[%dA\x1b[J", s.drawn)
	}
	s.drawn = 0
}

// print writes. Whether anybody could read it changes nothing.
func (s *screen) print(format string, args ...any) {
	_, _ = fmt.Fprintf(s.out, format, args...)
}
