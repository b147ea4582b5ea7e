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

package config

import (
	"fmt"
	"strings"
)

// exampleHead opens the example, between lines that catch the eye.
const exampleHead = `#############################
#                           #
#   EXAMPLE CONFIGURATION   #
#                           #
#############################
# Nothing in here has any effect: it lists the settings there are, with the
# values they have when they are left out. To change one, copy its line out of
# this block and place it beside "_example".
`

// lineWidth is the length of the comments in the example.
const lineWidth = 78

// Example returns the text of the key _example: every key with what it is for,
// which values are legal, and its default.
func Example() string {
	var out strings.Builder
	out.WriteString(exampleHead)
	for _, key := range Keys() {
		out.WriteString("\n" + comment(key.Doc) + comment("Legal: "+key.Legal+"."))
		if key.Default == "" {
			out.WriteString(comment(key.Name + `: "..."`))
			continue
		}
		fmt.Fprintf(&out, "%s: %q\n", key.Name, key.Default)
	}
	return out.String()
}

// comment breaks a text into lines that YAML skips.
func comment(text string) string {
	var out strings.Builder
	line := "#"
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > lineWidth {
			out.WriteString(line + "\n")
			line = "#"
		}
		line += " " + word
	}
	return out.String() + line + "\n"
}
