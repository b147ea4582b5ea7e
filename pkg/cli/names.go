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
	"fmt"
	"strings"

	"github.com/tektoncd/leases-controller/pkg/status"
)

// shorten returns the shortest ends of the replicas' names, at a dash, that tell
// them apart.
func shorten(replicas []status.Replica) map[string]string {
	for parts := 1; ; parts++ {
		short, seen, whole := map[string]string{}, map[string]bool{}, true
		for _, r := range replicas {
			end := tail(r.Name, parts)
			short[r.Name], seen[end] = end, true
			whole = whole && end == r.Name
		}
		if len(seen) == len(short) || whole {
			return short
		}
	}
}

// tail is the end of a name with so many parts.
func tail(name string, parts int) string {
	at := len(name)
	for ; parts > 0 && at >= 0; parts-- {
		at = strings.LastIndex(name[:at], "-")
	}
	return name[at+1:]
}

// named is a replica's short name, or the whole of one that is not among them.
func named(short map[string]string, replica string) string {
	if name, ok := short[replica]; ok {
		return name
	}
	return replica
}

// plural is "1 lease", "2 leases".
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// verb is the form of a verb that fits a number.
func verb(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}
