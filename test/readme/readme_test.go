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

package readme

import "testing"

func TestReplace(t *testing.T) {
	const text = "a\n<!-- made by x.sh -->\n| 1 |\n<!-- end -->\nb\n<!-- made by y.sh -->\n| 2 |\n<!-- end -->\nc\n"
	const want = "a\n<!-- made by x.sh -->\n| 1 |\n<!-- end -->\nb\n<!-- made by y.sh -->\n| 3 |\n<!-- end -->\nc\n"
	if shown, with, err := replace(text, "y.sh", "| 3 |\n"); err != nil || shown != "| 2 |\n" || with != want {
		t.Errorf("replace() = %q, %q, %v, want %q", shown, with, err, want)
	}
	for _, broken := range []string{"", "<!-- made by x.sh -->\n| 1 |\n", "<!-- made by y.sh -->\n<!-- end -->\n"} {
		if _, _, err := replace(broken, "x.sh", ""); err == nil {
			t.Errorf("replace(%q): no error", broken)
		}
	}
}
