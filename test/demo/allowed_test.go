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

package main

import (
	"testing"
	"time"
)

func TestMoveAllowed(t *testing.T) {
	const window, retry = 30 * time.Second, 10 * time.Second
	for name, tc := range map[string]struct {
		begun           []time.Time
		ready, ownStart float64
		want            float64
	}{
		"the window is the last to end":             {ready: 100, ownStart: 50, want: 130},
		"the gate is the last to open":              {ready: 100, ownStart: 110, want: 160},
		"begun earlier, as the renewals came early": {begun: []time.Time{at(155)}, ready: 100, ownStart: 110, want: 155},
		"begun later: that counts as well":          {begun: []time.Time{at(190)}, ready: 100, ownStart: 110, want: 160},
		"of several rounds the first":               {begun: []time.Time{at(190), at(151), at(158)}, ready: 100, ownStart: 110, want: 151},
	} {
		t.Run(name, func(t *testing.T) {
			if got := moveAllowed(tc.begun, at(tc.ready), at(tc.ownStart), window, retry); !got.Equal(at(tc.want)) {
				t.Errorf("moveAllowed() = %s, want %s", got.Sub(epoch), at(tc.want).Sub(epoch))
			}
		})
	}
}
