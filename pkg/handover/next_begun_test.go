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

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

func TestNextBegun(t *testing.T) {
	runNext(t, newBench, map[string]nextCase{
		"holds the lease at once": {now: 1, want: Decision{Action: Hold, Target: target}},
		"for whom need not be known": {
			now: 1, want: Decision{Action: Hold, Target: unknown},
			facts: func(_ *bench, f *Facts) { f.Target = unknown },
		},
		"must not go on": {
			now: 1, want: Decision{Action: Finish, Result: NotBegun},
			facts: func(_ *bench, f *Facts) { f.Cancel = true },
		},
	})
}

func TestNextAbrupt(t *testing.T) {
	deleted := func(b *bench) { b.do(1, Decision{Action: Release}) }
	runNext(t, newAbruptBench, map[string]nextCase{
		"deletes the lease at once": {now: 1, want: Decision{Action: Release}},
		"must not go on": {
			now: 1, want: Decision{Action: Finish, Result: NotBegun},
			facts: func(_ *bench, f *Facts) { f.Cancel = true },
		},
		"lets the others contend, though the target is known": {step: deleted, now: 2, want: until(89)},
		"another replica acquired it": {
			step: func(b *bench) { deleted(b); b.create(stranger) }, now: 4,
			want: Decision{Action: Finish, Result: Done, By: stranger},
		},
		"the old holder created it again": {
			step: func(b *bench) { deleted(b); b.create(oldHolder.Identity) }, now: 11,
			want: Decision{Action: Finish, Result: Returned, By: oldHolder.Identity},
		},
	})
}

// TestNextDoubt: as long as the answer to a write is missing, the lease is read
// and nothing else is done, whatever the cache shows.
func TestNextDoubt(t *testing.T) {
	steps := map[string]struct {
		step  func(*bench)
		write Decision
	}{
		"hold":      {write: Decision{Action: Hold, Target: target}},
		"extend":    {step: held1, write: Decision{Action: Extend, Target: target}},
		"give back": {step: held1, write: Decision{Action: GiveBack}},
		"assign":    {step: held1, write: Decision{Action: Assign, Target: target}},
		"release":   {step: held1, write: Decision{Action: Release}},
		"create":    {step: open52, write: Decision{Action: Create, Target: target}},
		"withdraw":  {step: assigned52, write: Decision{Action: Release}},
	}
	for name, tc := range steps {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			if tc.step != nil {
				tc.step(b)
			}
			b.fault = func(leasestesting.Request) leasestesting.Fault { return leasestesting.Fault{Err: errNetwork} }
			if err := b.doFailing(t.Context(), 90, tc.write); b.attempt == nil {
				t.Fatalf("no doubt after %v", err)
			}
			facts := map[string]Facts{
				"all is well": b.facts(),
				"the cache shows another holder": {
					Lease: leasestesting.MakeLease(group.Name(3)).ResourceVersion("999").Holder(stranger).Obj(),
				},
				"the cache shows nothing": {},
				"it must not go on":       {Lease: b.lease(), Cancel: true, FromThere: true},
				"the old holder is dead":  {Lease: b.lease(), Dead: true, Target: target},
			}
			for what, f := range facts {
				if diff := cmp.Diff(Decision{Action: Read}, b.Next(at(200), f)); diff != "" {
					t.Errorf("Next when %s (-want, +got):\n%s", what, diff)
				}
			}
			// A read that fails resolves nothing.
			if err := b.doFailing(t.Context(), 91, Decision{Action: Read}); b.attempt == nil {
				t.Errorf("no doubt after %v", err)
			}
		})
	}
}

// TestNextEnded: the end is final.
func TestNextEnded(t *testing.T) {
	b := newBench(t)
	b.do(1, Decision{Action: Finish, Result: NotBegun, By: stranger})
	want := Decision{Action: Finish, Result: NotBegun, By: stranger}
	if diff := cmp.Diff(want, b.Next(at(60), b.facts())); diff != "" {
		t.Errorf("Next (-want, +got):\n%s", diff)
	}
}
