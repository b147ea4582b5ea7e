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

package node

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/virtual-kubelet/virtual-kubelet/node/api"
)

func TestOpen(t *testing.T) {
	const text = "an older pod\none\ntwo\nthree"
	cases := map[string]struct {
		opts api.ContainerLogOpts
		want string
	}{
		"all of this run":       {api.ContainerLogOpts{}, "one\ntwo\nthree"},
		"the last line":         {api.ContainerLogOpts{Tail: 1}, "three"},
		"the last two lines":    {api.ContainerLogOpts{Tail: 2}, "two\nthree"},
		"more lines than exist": {api.ContainerLogOpts{Tail: 9}, "one\ntwo\nthree"},
		"the first bytes":       {api.ContainerLogOpts{LimitBytes: 5}, "one\nt"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			out := &output{path: path, offset: int64(strings.Index(text, "one"))}
			reader, err := out.open(t.Context(), tc.opts)
			if err != nil {
				t.Fatal(err)
			}
			defer reader.Close()
			got, err := io.ReadAll(reader)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestTailCountsAnEmptyEnd(t *testing.T) {
	for text, want := range map[string]string{"a\nb\n": "b\n", "a\n\n": "\n", "": "", "a": "a"} {
		offset, err := tailOffset(strings.NewReader(text), 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := text[offset:]; got != want {
			t.Errorf("the last line of %q is %q, want %q", text, got, want)
		}
	}
}

// growing is a file that is written while it is read.
type growing struct{ strings.Builder }

type growingReader struct {
	file *growing
	done int
}

func (r *growingReader) Read(into []byte) (int, error) {
	n := copy(into, r.file.String()[r.done:])
	r.done += n
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func TestFollowDeliversTheLastWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var file growing
		ended := make(chan struct{})
		file.WriteString("first ")
		got := make(chan string)
		go func() {
			text, _ := io.ReadAll(&follower{ctx: t.Context(), file: &growingReader{file: &file}, ended: ended})
			got <- string(text)
		}()
		synctest.Wait()
		file.WriteString("last")
		close(ended)
		if text := <-got; text != "first last" {
			t.Errorf("got %q, want all that was written", text)
		}
	})
}

func TestFollowEndsWithItsReader(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := &follower{ctx: ctx, file: strings.NewReader(""), ended: make(chan struct{})}
	if n, err := f.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("got %d bytes and error %v, want the end", n, err)
	}
}
