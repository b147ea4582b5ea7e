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

package handover

import (
	"testing"

	coordinationv1 "k8s.io/api/coordination/v1"
)

// TestNextAssignedEmptied: nobody leads a lease without a holder.
func TestNextAssignedEmptied(t *testing.T) {
	interrupted := Decision{Action: Finish, Result: Interrupted}
	runNext(t, newBench, map[string]nextCase{
		"somebody emptied it": {
			step: func(b *bench) {
				assigned52(b)
				b.edit(func(l *coordinationv1.Lease) { l.Spec = coordinationv1.LeaseSpec{} })
			},
			now: 53, want: interrupted,
		},
		"its target came and left": {
			step: func(b *bench) { assigned52(b); b.wrote("", stamp) }, now: 60, want: interrupted,
		},
	})
}
