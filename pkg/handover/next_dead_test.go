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

import "testing"

// TestNextHeldDead: an identity that is dead comes for nothing.
func TestNextHeldDead(t *testing.T) {
	runNext(t, newBench, map[string]nextCase{
		"the lease should stay with the replica whose process is dead": {
			step: held1, now: 2, want: Decision{Action: Release},
			facts: func(_ *bench, f *Facts) { f.Dead, f.FromThere, f.Target = true, false, oldHolder },
		},
		"and its new process is known": {
			step: held1, now: 2, want: Decision{Action: Assign, Target: Party{oldHolder.Replica, "pod-a_new"}},
			facts: func(_ *bench, f *Facts) {
				f.Dead, f.FromThere, f.Target = true, false, Party{oldHolder.Replica, "pod-a_new"}
			},
		},
	})
}
