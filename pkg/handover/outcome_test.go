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
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestOutcome: what is told of the end. The old holder leads until 50 s at the
// latest.
func TestOutcome(t *testing.T) {
	done := Decision{Action: Finish, Result: Done, By: target.Identity}
	ends := func(seconds float64, d Decision) func(*bench) {
		return func(b *bench) { b.do(seconds, d) }
	}
	cases := map[string]struct {
		begin func(*testing.T) *bench
		end   func(*bench)
		want  Outcome
	}{
		"led again after the old holder gave up": {
			begin: newBench, end: ends(68.5, done),
			want: Outcome{Result: Done, By: target.Identity, Took: 67500 * time.Millisecond, Gap: 18500 * time.Millisecond},
		},
		"led again because the old holder is dead": {
			begin: newBench, end: ends(20, done),
			want: Outcome{Result: Done, By: target.Identity, Took: 19 * time.Second},
		},
		"led by another replica": {
			begin: newBench, end: ends(60, Decision{Action: Finish, Result: Taken, By: stranger}),
			want: Outcome{Result: Taken, By: stranger, Took: 59 * time.Second, Gap: 10 * time.Second},
		},
		"deleted: two lead": {
			begin: newAbruptBench, end: ends(9, done),
			want: Outcome{Result: Done, By: target.Identity, Took: 8 * time.Second, Overlap: 41 * time.Second},
		},
		"deleted and acquired late": {
			begin: newAbruptBench, end: ends(63, done),
			want: Outcome{Result: Done, By: target.Identity, Took: 62 * time.Second, Gap: 13 * time.Second},
		},
		"deleted and back at its old holder: one leads": {
			begin: newAbruptBench, end: ends(9, Decision{Action: Finish, Result: Returned, By: oldHolder.Identity}),
			want: Outcome{Result: Returned, By: oldHolder.Identity, Took: 8 * time.Second},
		},
		"given back: the old holder never stopped": {
			begin: newBench, end: func(b *bench) { held1(b); b.do(60, Decision{Action: GiveBack}) },
			want: Outcome{Result: GivenBack, By: oldHolder.Identity, Took: 59 * time.Second},
		},
		"not begun": {
			begin: newBench, end: ends(2, Decision{Action: Finish, Result: NotBegun}),
			want: Outcome{Result: NotBegun, Took: time.Second},
		},
		"somebody else wrote it": {
			begin: newBench, end: ends(70, Decision{Action: Finish, Result: Interrupted, By: stranger}),
			want: Outcome{Result: Interrupted, By: stranger, Took: 69 * time.Second},
		},
		"somebody else took it while the old holder may lead": {
			begin: newBench, end: func(b *bench) { held1(b); b.do(20, Decision{Action: Finish, Result: Interrupted, By: stranger}) },
			want: Outcome{Result: Interrupted, By: stranger, Took: 19 * time.Second, Overlap: 30 * time.Second},
		},
		"somebody else took it after the old holder gave up": {
			begin: newBench, end: func(b *bench) { held1(b); b.do(51, Decision{Action: Finish, Result: Interrupted, By: stranger}) },
			want: Outcome{Result: Interrupted, By: stranger, Took: 50 * time.Second},
		},
		"the old holder took it again": {
			begin: newBench, end: func(b *bench) {
				held1(b)
				b.do(20, Decision{Action: Finish, Result: Interrupted, By: oldHolder.Identity})
			},
			want: Outcome{Result: Interrupted, By: oldHolder.Identity, Took: 19 * time.Second},
		},
		"another process of ours holds it": {
			begin: newBench, end: func(b *bench) {
				held1(b)
				b.do(20, Decision{Action: Finish, Result: Interrupted, By: "tekton-leases-controller_other"})
			},
			want: Outcome{Result: Interrupted, By: "tekton-leases-controller_other", Took: 19 * time.Second},
		},
		"somebody else took it from its next leader": {
			begin: newBench, end: func(b *bench) { assigned52(b); b.do(53, Decision{Action: Finish, Result: Interrupted, By: stranger}) },
			want: Outcome{Result: Interrupted, By: stranger, Took: 52 * time.Second},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b := tc.begin(t)
			if o, ended := b.Outcome(); ended {
				t.Errorf("it has ended before its end: %+v", o)
			}
			tc.end(b)
			got, ended := b.Outcome()
			if diff := cmp.Diff(tc.want, got); diff != "" || !ended || b.Step() != Ended {
				t.Errorf("ended = %v, step %q, outcome (-want, +got):\n%s", ended, b.Step(), diff)
			}
		})
	}
}

// TestTarget: for whom a lease was when it was written last.
func TestTarget(t *testing.T) {
	b := newBench(t)
	if got := b.Target(); got != "" {
		t.Errorf("begun: Target = %q, want none", got)
	}
	held1(b)
	b.do(47, Decision{Action: Extend, Target: Party{Replica: "pod-d"}})
	if got := b.Target(); got != "pod-d" {
		t.Errorf("extended: Target = %q, want pod-d", got)
	}
	resumed(t, b, 48)
	if got := b.Target(); got != "pod-d" {
		t.Errorf("resumed: Target = %q, want pod-d", got)
	}
}

// TestTo: a lease is bound to its target only while it carries its name.
func TestTo(t *testing.T) {
	cases := map[string]struct {
		step func(*bench)
		want Party
	}{
		"begun":    {step: func(*bench) {}},
		"held":     {step: held1},
		"open":     {step: open52},
		"assigned": {step: assigned52, want: target},
		"created":  {step: created60, want: target},
		"missed":   {step: missed84},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			tc.step(b)
			got, bound := b.To()
			if diff := cmp.Diff(tc.want, got); diff != "" || bound != (tc.want != Party{}) {
				t.Errorf("bound = %v, to (-want, +got):\n%s", bound, diff)
			}
		})
	}
}
