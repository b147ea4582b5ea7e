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
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// timeout is how long a call of the tests may take.
const timeout = 5 * time.Second

// writes are all writes of a handover, with the step before them and what they
// lead to.
var writes = map[string]struct {
	begin func(*testing.T) *bench
	step  func(*bench)
	write Decision
	// before and after are the steps.
	before, after Step
}{
	"hold":     {newBench, nil, Decision{Action: Hold, Target: target}, Begun, Held},
	"extend":   {newBench, held1, Decision{Action: Extend, Target: target}, Held, Held},
	"restore":  {newBench, held1, Decision{Action: GiveBack}, Held, Ended},
	"assign":   {newBench, held1, Decision{Action: Assign, Target: target}, Held, Assigned},
	"release":  {newBench, held1, Decision{Action: Release}, Held, Open},
	"create":   {newBench, open52, Decision{Action: Create, Target: target}, Open, Assigned},
	"withdraw": {newBench, assigned52, Decision{Action: Release}, Assigned, Open},
	"delete":   {newAbruptBench, nil, Decision{Action: Release}, Begun, Open},
}

// fails makes a call that ends with a timeout, in virtual time.
func (b *bench) fails(seconds float64, fault leasestesting.Fault, d Decision) {
	b.t.Helper()
	b.fault = func(leasestesting.Request) leasestesting.Fault { return fault }
	ctx, cancel := context.WithTimeout(b.t.Context(), timeout)
	defer cancel()
	_ = b.doFailing(ctx, seconds, d)
	b.fault = nil
	if got := b.Next(at(seconds), b.facts()); got.Action != Read {
		b.t.Errorf("after %s failed: %+v, want a read", d.Action, got)
	}
}

// TestAnswerLost: the write was carried out and nobody told us. Reading the lease
// finds that out, and the handover goes on as if nothing had happened.
func TestAnswerLost(t *testing.T) {
	for name, tc := range writes {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := tc.begin(t)
				if tc.step != nil {
					tc.step(b)
				}
				b.fails(60, leasestesting.Fault{Lost: true}, tc.write)
				if b.Step() != tc.before {
					t.Errorf("in doubt: step %q, want %q", b.Step(), tc.before)
				}
				b.do(66, Decision{Action: Read})
				if b.Step() != tc.after {
					t.Errorf("step %q, want %q", b.Step(), tc.after)
				}
				if live := b.lease(); live != nil && (b.own.UID != live.UID || b.own.ResourceVersion != live.ResourceVersion) {
					t.Errorf("the next write starts from version %s of %s, want %s of %s",
						b.own.ResourceVersion, b.own.UID, live.ResourceVersion, live.UID)
				}
				if d := b.Next(at(66), b.facts()); d.Action == Read || d.Result == Interrupted {
					t.Errorf("next: %+v", d)
				}
			})
		})
	}
}

// TestWriteLost: the write did not reach the server. Reading the lease finds
// that out, and the same decision is made again and works.
func TestWriteLost(t *testing.T) {
	for name, tc := range writes {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := tc.begin(t)
				if tc.step != nil {
					tc.step(b)
				}
				before := b.lease()
				b.fails(60, leasestesting.Fault{Lost: true, Err: errNetwork}, tc.write)
				b.do(66, Decision{Action: Read})
				if tc.before == Begun {
					want := Decision{Action: Finish, Result: NotBegun, By: oldHolder.Identity}
					if diff := cmp.Diff(want, b.Next(at(66), b.facts())); diff != "" {
						t.Errorf("Next (-want, +got):\n%s", diff)
					}
					return
				}
				if b.Step() != tc.before {
					t.Errorf("step %q, want %q", b.Step(), tc.before)
				}
				if diff := cmp.Diff(before, b.lease()); diff != "" {
					t.Errorf("lease (-want, +got):\n%s", diff)
				}
				b.do(67, tc.write)
				if b.Step() != tc.after {
					t.Errorf("second try: step %q, want %q", b.Step(), tc.after)
				}
			})
		})
	}
}

// TestWriteLandsLate: the write reaches the server only after the lease was read
// and the next write was made. It must not land then.
func TestWriteLandsLate(t *testing.T) {
	next := map[string]Decision{
		"extend":   {Action: GiveBack},
		"restore":  {Action: Assign, Target: target},
		"assign":   {Action: GiveBack},
		"release":  {Action: GiveBack},
		"withdraw": {Action: Release},
		"create":   {Action: Create, Target: Party{"pod-d", "pod-d_dddd"}},
	}
	for name, then := range next {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, tc := newBench(t), writes[name]
				tc.step(b)
				b.fails(60, leasestesting.Fault{Before: 2 * timeout}, tc.write)
				b.do(66, Decision{Action: Read})
				b.do(67, then)
				want := b.lease()
				time.Sleep(3 * timeout)
				if diff := cmp.Diff(want, b.lease()); diff != "" {
					t.Errorf("lease (-want, +got):\n%s", diff)
				}
			})
		})
	}
}

// TestWriteLandsBetween: the write reaches the server after the lease was read
// and before the next write is made, which must not undo it unseen.
func TestWriteLandsBetween(t *testing.T) {
	cases := map[string]struct {
		then Decision
		want Decision
	}{
		// Whoever has the lease by name then is left to come for it.
		"assign": {Decision{Action: GiveBack}, Decision{Action: Finish, Result: Interrupted, By: target.Identity}},
		// The old holder leads on.
		"restore": {Decision{Action: Assign, Target: target}, Decision{Action: Finish, Result: GivenBack, By: oldHolder.Identity}},
		"extend":  {Decision{Action: Assign, Target: target}, Decision{Action: Assign, Target: target}},
		"release": {Decision{Action: Assign, Target: target}, Decision{Action: Finish, Result: Interrupted}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				writes[name].step(b)
				b.fails(60, leasestesting.Fault{Before: 2 * timeout}, writes[name].write)
				b.do(66, Decision{Action: Read})
				time.Sleep(2 * timeout)
				landed := b.lease()
				_ = b.doFailing(t.Context(), 71, tc.then)
				if diff := cmp.Diff(landed, b.lease()); diff != "" {
					t.Errorf("lease (-want, +got):\n%s", diff)
				}
				b.do(72, Decision{Action: Read})
				f := b.facts()
				alive(1, 11, 31, 51)(b, &f)
				if diff := cmp.Diff(tc.want, b.Next(at(72), f)); diff != "" {
					t.Errorf("Next (-want, +got):\n%s", diff)
				}
			})
		})
	}
}

// TestHoldLandsLate: the hold that nobody waits for any more is taken up, and
// the old holder is not taken to have renewed later than it did.
func TestHoldLandsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.fails(3, leasestesting.Fault{Before: 2 * timeout}, Decision{Action: Hold, Target: target})
		b.do(8, Decision{Action: Read})
		if o, ended := b.Outcome(); !ended || o.Result != NotBegun {
			t.Fatalf("outcome %+v, ended %v; want %s", o, ended, NotBegun)
		}
		time.Sleep(2 * timeout)
		resumed, err := Resume(ownIdentity, group, b.lease(), oldHolder, at(13), defaults)
		if err != nil {
			t.Fatalf("Resume: %v", err)
		}
		// It was sent 3 s after the renewal, so 13 s is 3 s after it at the earliest.
		if want := at(10); !resumed.Seen().Equal(want) {
			t.Errorf("last renewal seen at %s, want %s", resumed.Seen(), want)
		}
		b.Handover = resumed
		// It carries the stamp of when it was sent, and lasts 52 s from then on.
		if diff := cmp.Diff(until(49), b.Next(at(14), b.facts())); diff != "" {
			t.Errorf("Next (-want, +got):\n%s", diff)
		}
		b.do(14, Decision{Action: GiveBack})
		if diff := cmp.Diff(old(), b.lease().Spec); diff != "" {
			t.Errorf("record (-want, +got):\n%s", diff)
		}
	})
}
