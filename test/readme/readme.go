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

// Package readme holds the tables of the README that scripts make to what these
// have found.
package readme

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// path is where a test of a directory below test/ finds it.
const path = "../../README.md"

// HasTable fails the test unless the README shows, between comments, the table that
// the script has made; with update it writes it there.
func HasTable(t *testing.T, script, table string, update bool) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal("failed to read the README:", err)
	}
	shown, with, err := replace(string(text), script, table)
	if err != nil {
		t.Fatal(err)
	}
	if update {
		if err := os.WriteFile(path, []byte(with), 0o600); err != nil { //nolint:gosec // it is the README that was read
			t.Fatal("failed to write the README:", err)
		}
		return
	}
	if diff := cmp.Diff(table, shown); diff != "" {
		t.Errorf("the README's table (-found, +README); go test with -update mends it:\n%s", diff)
	}
}

// replace returns what a text shows between the comments, and the text with the
// table there.
func replace(text, script, table string) (shown, with string, err error) {
	begin, end := "<!-- made by "+script+" -->\n", "<!-- end -->\n"
	before, rest, found := strings.Cut(text, begin)
	shown, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return "", "", fmt.Errorf("the README has no table between %q and %q", begin, end)
	}
	return shown, before + begin + table + end + after, nil
}
