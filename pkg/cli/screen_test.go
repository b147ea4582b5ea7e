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
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/status"
)

func TestUnicode(t *testing.T) {
	cases := map[string]struct {
		env  map[string]string
		want bool
	}{
		"nothing is set":        {},
		"C":                     {env: map[string]string{"LANG": "C"}},
		"UTF-8":                 {env: map[string]string{"LANG": "en_US.UTF-8"}, want: true},
		"utf8":                  {env: map[string]string{"LC_CTYPE": "C.utf8"}, want: true},
		"the first one counts":  {env: map[string]string{"LC_ALL": "C", "LANG": "de_DE.UTF-8"}},
		"an empty one does not": {env: map[string]string{"LC_ALL": "", "LANG": "de_DE.UTF-8"}, want: true},
		"Latin 1":               {env: map[string]string{"LANG": "de_DE.ISO-8859-1"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := unicode(func(name string) string { return tc.env[name] }); got != tc.want {
				t.Errorf("%v, want %v", got, tc.want)
			}
		})
	}
}

// TestNoTerminal: a file gets no colours and nothing that moves a cursor.
func TestNoTerminal(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	env := map[string]string{"TERM": "xterm", "LANG": "C.UTF-8"}
	want := Screen{Width: plainWidth, Unicode: true}
	if diff := cmp.Diff(want, ScreenOf(f, func(name string) string { return env[name] })); diff != "" {
		t.Errorf("screen (-want, +got):\n%s", diff)
	}
}

func TestWrap(t *testing.T) {
	cases := map[string]struct{ head, text, want string }{
		"short":           {"Head:", "a few words", "Head: a few words\n"},
		"long":            {"Head:", "twenty columns and no more", "Head: twenty columns\n  and no more\n"},
		"a word too long": {"", "averyveryverylongnameindeed is here", "averyveryverylongnameindeed\nis here\n"},
		"nothing":         {"Head:", "", "Head:\n"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := (Screen{Width: 20}).wrap(tc.head, tc.text); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

// TestCut: the cursor ends in the last line at the lowest.
func TestCut(t *testing.T) {
	for height, want := range map[int]string{0: "a\nb\nc\n", 5: "a\nb\nc\n", 4: "a\nb\nc\n", 3: "a\nb\n", 1: ""} {
		if got := (Screen{Height: height}).cut("a\nb\nc\n"); got != want {
			t.Errorf("%d lines: %q, want %q", height, got, want)
		}
	}
}

func TestGrid(t *testing.T) {
	g := grid{heads("A", "LONG"), {{text: "■■"}, {text: "1", right: true}}, {{parts: []cell{{text: "x", as: red}, {text: "y"}}}, {}}}
	want := "A   LONG\n■■     1\nxy\n"
	if got := g.render(Screen{}); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	coloured := g.render(Screen{Colour: true})
	for _, want := range []string{"\x1b[1mA\x1b[0m ", "\x1b[31mx\x1b[0my"} {
		if !strings.Contains(coloured, want) {
			t.Errorf("%q, want %q in it", coloured, want)
		}
	}
	if got := g.width(); got != 8 {
		t.Errorf("width %d, want 8", got)
	}
}

func TestShorten(t *testing.T) {
	cases := map[string]struct {
		names, want []string
	}{
		"none":                   {},
		"one":                    {[]string{"tekton-6c8-x7k2p"}, []string{"x7k2p"}},
		"two":                    {[]string{"tekton-6c8-x7k2p", "tekton-6c8-9zq4c"}, []string{"x7k2p", "9zq4c"}},
		"alike at the end":       {[]string{"tekton-6c8-x7k2p", "tekton-7d9-x7k2p"}, []string{"6c8-x7k2p", "7d9-x7k2p"}},
		"one is all of it":       {[]string{"x7k2p", "tekton-x7k2p"}, []string{"x7k2p", "tekton-x7k2p"}},
		"no dash in any":         {[]string{"a", "b"}, []string{"a", "b"}},
		"the same, which is odd": {[]string{"a-b", "a-b"}, []string{"b", "b"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var replicas []status.Replica
			for _, n := range tc.names {
				replicas = append(replicas, status.Replica{Name: n})
			}
			short := shorten(replicas)
			for i, n := range tc.names {
				if short[n] != tc.want[i] {
					t.Errorf("%s is %q, want %q", n, short[n], tc.want[i])
				}
			}
		})
	}
	if got := named(map[string]string{"a-b": "b"}, "c-d"); got != "c-d" {
		t.Errorf("a name that is not among them became %q", got)
	}
}
