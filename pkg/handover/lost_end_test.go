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
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestAnswerLostAndAcquired: before we could find out that the write was carried
// out, somebody came for the lease. That is an end like any other.
func TestAnswerLostAndAcquired(t *testing.T) {
	finish := func(r Result, by string) Decision { return Decision{Action: Finish, Result: r, By: by} }
	cases := map[string]struct {
		write string
		then  func(*bench)
		want  Decision
	}{
		"assigned, the target came":         {"assign", comes(target.Identity), finish(Done, target.Identity)},
		"created, the target came":          {"create", comes(target.Identity), finish(Done, target.Identity)},
		"released, another came":            {"release", func(b *bench) { b.create(stranger) }, finish(Done, stranger)},
		"released, the old holder came":     {"release", func(b *bench) { b.create(oldHolder.Identity) }, finish(Returned, oldHolder.Identity)},
		"deleted, another came":             {"delete", func(b *bench) { b.create(stranger) }, finish(Done, stranger)},
		"deleted, the old holder came":      {"delete", func(b *bench) { b.create(oldHolder.Identity) }, finish(Returned, oldHolder.Identity)},
		"restored, the old holder leads on": {"restore", comes(oldHolder.Identity), finish(GivenBack, oldHolder.Identity)},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := writes[tc.write]
				b := w.begin(t)
				if w.step != nil {
					w.step(b)
				}
				b.fails(60, leasestesting.Fault{Lost: true}, w.write)
				tc.then(b)
				b.do(66, Decision{Action: Read})
				if diff := cmp.Diff(tc.want, b.Next(at(67), b.facts())); diff != "" {
					t.Errorf("Next (-want, +got):\n%s", diff)
				}
			})
		})
	}
}
