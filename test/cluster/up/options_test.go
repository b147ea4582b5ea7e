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

package up

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("binary", nil, 0o700); err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		args []string
		want *options
		err  string
	}{
		"paths become absolute": {
			args: []string{"--dir", "c", "--image", "ko://x/y=binary", "--image=z=" + dir + "/binary"},
			want: &options{dir: filepath.Join(dir, "c"), images: images{"ko://x/y=" + dir + "/binary", "z=" + dir + "/binary"}},
		},
		"standard input": {
			args: []string{"--until-stdin-closes", "--dir=/c"},
			want: &options{dir: "/c", untilStdinCloses: true},
		},
		"an address": {
			args: []string{"--dir=/c", "--address=192.0.2.2"},
			want: &options{dir: "/c", address: "192.0.2.2"},
		},
		"no address":            {args: []string{"--dir", "c", "--address", "here"}, err: `"here" is no IP address`},
		"no directory":          {args: nil, err: "usage: cluster up --dir DIR"},
		"too much":              {args: []string{"--dir", "c", "more"}, err: "usage: cluster up --dir DIR"},
		"an image without path": {args: []string{"--dir", "c", "--image", "x"}, err: `"x" is not IMAGE=PATH`},
		"a path without image":  {args: []string{"--dir", "c", "--image", "=binary"}, err: `"=binary" is not IMAGE=PATH`},
		"a path to nothing":     {args: []string{"--dir", "c", "--image", "x=nothing"}, err: "no such file"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := parse(tc.args)
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Errorf("got error %v, want %q", err, tc.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(options{})); diff != "" {
				t.Errorf("unexpected options (-want, +got): %s", diff)
			}
		})
	}
}

func TestDirectoryServesOneCluster(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	for range 2 { // a start that failed early may be repeated
		if err := makeDirs(dir); err != nil {
			t.Fatal(err)
		}
	}
	p, err := newPlan(&options{dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.writeFiles(); err != nil {
		t.Fatal(err)
	}
	if err := makeDirs(dir); err == nil || !strings.Contains(err.Error(), "already holds a cluster") {
		t.Errorf("got error %v for a directory in use", err)
	}
}
