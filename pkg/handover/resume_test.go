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

// resumed is the hold of a bench as the process sees it that has forgotten it.
func resumed(t *testing.T, b *bench, seconds float64) {
	t.Helper()
	h, err := Resume(ownIdentity, group, b.lease(), oldHolder, at(seconds), defaults)
	if err != nil {
		t.Fatalf("Resume: %v", err)
	}
	b.Handover = h
}

func TestResume(t *testing.T) {
	b := newBench(t)
	held1(b)
	resumed(t, b, 5) // seen 4 s after it was made, at an age of 1 s
	if b.Step() != Held {
		t.Errorf("step %q, want %q", b.Step(), Held)
	}
	if diff := cmp.Diff(oldHolder, b.From); diff != "" {
		t.Errorf("from (-want, +got):\n%s", diff)
	}
	if !b.Seen().Equal(at(4)) || !b.Renewed().Equal(stamp) || !b.Began().Equal(at(5)) {
		t.Errorf("seen %s, renewed %s, began %s; want %s, %s, %s", b.Seen(), b.Renewed(), b.Began(), at(4), stamp, at(5))
	}
	if _, ended := b.Outcome(); ended {
		t.Error("it has ended, want it to go on")
	}
}

// TestResumedWaits: a hold that is taken up waits no shorter than the process
// that made it would have.
func TestResumedWaits(t *testing.T) {
	runNext(t, newBench, map[string]nextCase{
		"for the clock": {
			step: func(b *bench) { extended47(b); resumed(b.t, b, 48) }, now: 52.999,
			facts: alive(1, 11, 31, 51), want: until(53), // 48 - 47 + 52
		},
		"no longer": {
			step: func(b *bench) { extended47(b); resumed(b.t, b, 48) }, now: 53,
			facts: alive(1, 11, 31, 51), want: Decision{Action: Assign, Target: target},
		},
		"for a proof later than the stamp in the annotation": {
			step: func(b *bench) { extended47(b); resumed(b.t, b, 48) }, now: 53,
			facts: alive(1, 11, 31, 50.999),
			want:  Decision{Action: Extend, Target: target},
		},
		"as long as it would have for a holder that was late": {
			step: func(b *bench) { b.lateness = time.Second; extended47(b); resumed(b.t, b, 48) }, now: 53,
			facts: alive(1, 11, 31, 51), want: Decision{Action: Extend, Target: target},
		},
		"no longer for one that is late because the API was away": {
			step: func(b *bench) { extended47(b); resumed(b.t, b, 48) }, now: 93,
			facts: func(_ *bench, f *Facts) { f.Lateness = time.Minute }, want: Decision{Action: Assign, Target: target},
		},
		"and extends in time": {
			step: func(b *bench) { held1(b); resumed(b.t, b, 9) }, now: 47, want: Decision{Action: Extend, Target: target},
		},
		"as the hold was made, not as it was seen": {
			step: func(b *bench) { held1(b); resumed(b.t, b, 9) }, now: 46, want: until(47),
		},
		"or gives back": {
			step: func(b *bench) { held1(b); resumed(b.t, b, 3) }, now: 4, want: Decision{Action: GiveBack},
			facts: func(_ *bench, f *Facts) { f.Cancel = true },
		},
	})
}

// TestResumedGiveBack: the old holder's whole record comes back, not what is
// left of it in the lease.
func TestResumedGiveBack(t *testing.T) {
	b := newBench(t)
	extended47(b)
	resumed(t, b, 48)
	b.do(48, Decision{Action: GiveBack})
	if diff := cmp.Diff(old(), b.lease().Spec); diff != "" {
		t.Errorf("record (-want, +got):\n%s", diff)
	}
	if _, ok := b.lease().Annotations[Annotation]; ok {
		t.Error("the annotation is still there")
	}
}

func TestResumeRefused(t *testing.T) {
	cases := map[string]struct {
		step     func(*bench)
		identity string
	}{
		"the hold of another process of ours": {step: held1, identity: otherOfOurs},
		"the lease of an elector":             {step: assigned52, identity: ownIdentity},
		"a lease without annotation":          {step: assigned52, identity: target.Identity},
		"a hold of another version": {step: func(b *bench) {
			held1(b)
			l := b.lease()
			l.Annotations[Annotation] = `{"version":2}`
			b.api.Seed(l)
		}, identity: ownIdentity},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			tc.step(b)
			if h, err := Resume(tc.identity, group, b.lease(), oldHolder, at(60), defaults); err == nil {
				t.Errorf("Resume = step %q from %+v, want an error", h.Step(), h.From)
			}
		})
	}
}
