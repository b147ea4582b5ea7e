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
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShowWithoutTerminal(t *testing.T) {
	var out bytes.Buffer
	s := &screen{out: &out, started: at(0)}
	b := newBoard()
	b.setReplica(replica{name: oldPod, uid: "1", state: "Ready"})
	b.setReplica(replica{name: newPod, uid: "2", created: at(1), state: "Ready"})
	b.setLease(taskrun+"00-of-02", oldPod+"_1", at(1))
	b.setLease(taskrun+"01-of-02", oldPod+"_1", at(1))
	s.show(at(1.5), b.snapshot(), b.moves())
	s.show(at(2), b.snapshot(), b.moves())
	s.say(at(3), "Applying %s.", "it")
	b.setLease(taskrun+"00-of-02", hold, at(3.1))
	s.show(at(3.1), b.snapshot(), b.moves())
	s.show(at(3.9), b.snapshot(), b.moves())
	b.setLease(taskrun+"01-of-02", hold, at(4))
	s.show(at(4.2), b.snapshot(), b.moves())
	want := `[   1.5 s]   taskrun 00 01: rz4kq
[   1.5 s]   leases: taskrun 2/0
[   3.0 s] Applying it.
[   3.1 s]   taskrun 00: taken from rz4kq
[   3.1 s]   leases: taskrun 1/0 (1 in transit)
[   4.2 s]   taskrun 01: taken from rz4kq
[   4.2 s]   leases: taskrun 0/0 (2 in transit)
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("shown (-want, +got):\n%s", diff)
	}
}

// terminal shows what is left on a terminal after what was written to it.
func terminal(written string) string {
	var lines []string
	written = strings.NewReplacer(noWrap, "", wrap, "").Replace(written)
	for line := range strings.Lines(written) {
		for {
			var count int
			rest, found := strings.CutPrefix(line, "\x1b[")
			if !found {
				break
			}
			digits, rest, _ := strings.Cut(rest, "A\x1b[J")
			for _, digit := range digits {
				count = 10*count + int(digit-'0')
			}
			lines, line = lines[:len(lines)-count], rest
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "")
}

func TestShowOnTerminal(t *testing.T) {
	var out bytes.Buffer
	s := &screen{out: &out, live: true, started: at(0)}
	state := inTransition()
	s.say(at(0), "First.")
	s.show(at(39), state, nil)
	s.say(at(39.5), "Second.")
	s.show(at(40), state, []move{{before: state.leases[0], after: state.leases[3]}})
	want := `[   0.0 s] First.
[  39.5 s] Second.

    40 s

replica             resolutionrequest  taskrun         all
rz4kq  Ready        ■■■■■□□         5  ■■■■■□□      5   10
x7bnm  Ready        ■■■             3  ■■■          3    6

resolutionrequest 03 from rz4kq (had 7, share 5), held until it has stopped, 28 s
resolutionrequest 04 from rz4kq, free for any replica, 26 s
taskrun 03 from rz4kq (had 7, share 5), held until it has stopped, 28 s
taskrun 04 from rz4kq, free for any replica, 26 s

  40.0 s  resolutionrequest 03: taken from x7bnm
`
	if diff := cmp.Diff(want, terminal(out.String())); diff != "" {
		t.Errorf("on the terminal (-want, +got):\n%s", diff)
	}
}

func TestShowKeepsTheLastChanges(t *testing.T) {
	var out bytes.Buffer
	s := &screen{out: &out, live: true, started: at(0)}
	for range recentLines + 3 {
		s.show(at(1), snapshot{}, []move{{after: lease{queue: "q", bucket: "00", holder: oldPod}}})
	}
	if got := strings.Count(terminal(out.String()), "q 00: rz4kq"); got != recentLines {
		t.Errorf("%d changes on the terminal, want %d", got, recentLines)
	}
}

func TestIsTerminal(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal("failed to make a file:", err)
	}
	defer file.Close()
	if isTerminal(file) {
		t.Error("isTerminal() is true for a file")
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal("failed to open a device:", err)
	}
	defer null.Close()
	for term, want := range map[string]bool{"xterm": true, "dumb": false, "": false} {
		t.Setenv("TERM", term)
		if got := isTerminal(null); got != want {
			t.Errorf("isTerminal() with TERM=%q = %t, want %t", term, got, want)
		}
	}
}
