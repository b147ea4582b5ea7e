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

package leadership_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/tektoncd/leases-controller/pkg/leadership"
)

// TestCheckFile: a file that could not be written is refused, and looking for
// that leaves nothing behind.
func TestCheckFile(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "there.svg")
	if err := os.WriteFile(there, []byte("earlier"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{
		there:                                nil,
		filepath.Join(dir, "new.svg"):        nil,
		filepath.Join(dir, "no", "such.svg"): syscall.ENOENT,
		filepath.Join(there, "below.svg"):    syscall.ENOTDIR,
		dir:                                  syscall.EISDIR,
		"/proc/new.svg":                      syscall.ENOENT, // nobody may make files there, not even root
	} {
		if err := leadership.CheckFile(name); !errors.Is(err, want) {
			t.Errorf("CheckFile(%s) = %v, want %v", name, err, want)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v are left behind: %v", entries, err)
	}
	if text, err := os.ReadFile(there); err != nil || string(text) != "earlier" {
		t.Errorf("the earlier picture is now %q: %v", text, err)
	}
}
