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

package status

import (
	"fmt"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// Heading names a reason, and how many leases it keeps, if it keeps any. The same
// words stand in Events, in the log and on the screen.
func Heading(reason balance.Reason, leases int) string {
	switch leases {
	case 0:
		return string(reason) + ":"
	case 1:
		return string(reason) + " (1 lease):"
	default:
		return fmt.Sprintf("%s (%d leases):", reason, leases)
	}
}

// Explain is the heading and the sentence.
func Explain(reason balance.Reason, leases int) string {
	return Heading(reason, leases) + " " + reason.Sentence()
}
