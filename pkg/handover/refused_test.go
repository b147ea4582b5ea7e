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

	"github.com/google/go-cmp/cmp"
)

// TestRefusedBecauseOfTheTarget: the target came by the lease by itself. A hold
// that was refused for that has not begun.
func TestRefusedBecauseOfTheTarget(t *testing.T) {
	cases := map[string]struct {
		step  func(*bench)
		write Decision
		want  Decision
	}{
		"hold": {
			write: Decision{Action: Hold, Target: target},
			want:  Decision{Action: Finish, Result: NotBegun, By: target.Identity},
		},
		"extend": {
			step: held1, write: Decision{Action: Extend, Target: target},
			want: Decision{Action: Finish, Result: Interrupted, By: target.Identity},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			if tc.step != nil {
				tc.step(b)
			}
			b.wrote(target.Identity, at(2))
			_ = b.doFailing(t.Context(), 47, tc.write)
			b.do(48, Decision{Action: Read})
			if diff := cmp.Diff(tc.want, b.Next(at(48), b.facts())); diff != "" {
				t.Errorf("Next (-want, +got):\n%s", diff)
			}
		})
	}
}
