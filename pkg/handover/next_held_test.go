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
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// nextCase is what a handover decides, from a step and facts.
type nextCase struct {
	// step brings the handover where it is.
	step func(*bench)
	// facts change what is given otherwise.
	facts func(*bench, *Facts)
	// now in seconds after the last renewal that was seen.
	now  float64
	want Decision
}

func runNext(t *testing.T, begin func(*testing.T) *bench, cases map[string]nextCase) {
	t.Helper()
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b := begin(t)
			if tc.step != nil {
				tc.step(b)
			}
			f := b.facts()
			if tc.facts != nil {
				tc.facts(b, &f)
			}
			if diff := cmp.Diff(tc.want, b.Next(at(tc.now), f)); diff != "" {
				t.Errorf("Next (-want, +got):\n%s", diff)
			}
		})
	}
}

func until(seconds float64) Decision { return Decision{Action: Wait, Until: at(seconds)} }

// proof is a renewal of another lease of the old holder's process, so long after
// the last renewal of the lease that is held.
func proof(after time.Duration) func(*bench, *Facts) {
	return func(_ *bench, f *Facts) { f.Proof = stamp.Add(after) }
}

const tick = time.Microsecond

func TestNextHeldWait(t *testing.T) {
	alive := 50*time.Second + tick // later than the old holder's renew deadline
	assign := Decision{Action: Assign, Target: target}
	extend := Decision{Action: Extend, Target: target}
	runNext(t, newBench, map[string]nextCase{
		"looks again when the hold must be extended": {step: held1, now: 2, want: until(47)},
		"looks again when the clock has run down":    {step: extended47, now: 48, want: until(52)},
		"then looks for the proof again and again":   {step: extended47, now: 52, want: until(52.2)},
		"the clock alone is not enough":              {step: extended47, now: 52.9, facts: proof(50 * time.Second), want: until(53)},
		"the proof alone is not enough":              {step: extended47, now: 51.999, facts: proof(time.Hour), want: until(52)},
		"both are":                                   {step: extended47, now: 52, facts: proof(alive), want: assign},
		"without proof another renew deadline has to pass": {
			step: func(b *bench) { extended47(b); b.do(88, Decision{Action: Extend, Target: target}) },
			now:  91.999, want: until(92.199),
		},
		"when it has passed no proof is needed": {step: extended47, now: 92, want: assign},
		"the margin grows with the lateness": {
			step: extended47, now: 52.5, want: until(53),
			facts: func(b *bench, f *Facts) { proof(alive)(b, f); f.Lateness = time.Second },
		},
		"and so does the wait without proof": {
			step: func(b *bench) { extended47(b); b.do(92, Decision{Action: Extend, Target: target}) },
			now:  119.999, want: extend, // 50 + 40 + 3 x 10 s
			facts: func(_ *bench, f *Facts) { f.Lateness = 10 * time.Second },
		},
		"until it ends": {
			step: extended47, now: 120, want: assign,
			facts: func(_ *bench, f *Facts) { f.Lateness = 10 * time.Second },
		},
		"an outage of the API server does not make it grow without end": { // 50 + 40 + 3 x 15 s
			step: extended47, now: 135, want: assign,
			facts: func(_ *bench, f *Facts) { f.Lateness = 5 * time.Minute },
		},
		"the margin does not shrink when the lateness does": {
			step: func(b *bench) { extended47(b); b.margin = Margin(time.Second) },
			now:  52.5, want: until(53), facts: proof(alive),
		},
		"lateness since the hold delays the clock": {
			step: extended47, now: 53, want: extend,
			facts: func(_ *bench, f *Facts) { f.Proof, f.Lost = stamp.Add(time.Hour), 3*time.Second },
		},
		"and the proof": { // 50 + 3 + 10 s
			step: func(b *bench) { extended47(b); b.do(61, Decision{Action: Extend, Target: target}) },
			now:  65, want: until(65.2),
			facts: func(_ *bench, f *Facts) { f.Proof, f.Lost = stamp.Add(63*time.Second), 3*time.Second },
		},
		"until both are over": {
			step: extended47, now: 65, want: assign,
			facts: func(_ *bench, f *Facts) { f.Proof, f.Lost = stamp.Add(63*time.Second+tick), 3*time.Second },
		},
		"two seconds of lateness count": {
			step: extended47, now: 63.999, want: extend,
			facts: func(_ *bench, f *Facts) { f.Proof, f.Lost = stamp.Add(time.Hour), 2*time.Second },
		},
		"less is noise": {
			step: extended47, now: 52, want: assign,
			facts: func(_ *bench, f *Facts) { f.Proof, f.Lost = stamp.Add(alive), 2*time.Second-1 },
		},
		"the hold is extended in time":      {step: held1, now: 47, want: extend},
		"but not earlier than it has to":    {step: held1, now: 46.999, want: until(47)},
		"an extended one is extended again": {step: extended47, now: 53, want: extend},
		"for whom is what the plan says now": {
			step: held1, now: 47, want: Decision{Action: Extend, Target: Party{Replica: "pod-d"}},
			facts: func(_ *bench, f *Facts) { f.Target = Party{Replica: "pod-d"} },
		},
	})
}

func TestNextHeldEnds(t *testing.T) {
	over := func(f *Facts) { f.Proof = stamp.Add(51 * time.Second) }
	runNext(t, newBench, map[string]nextCase{
		"no identity to assign it to": {
			step: held1, now: 52, want: Decision{Action: Release},
			facts: func(_ *bench, f *Facts) { over(f); f.Target = unknown },
		},
		"no replica to assign it to": {
			step: held1, now: 52, want: Decision{Action: Release},
			facts: func(_ *bench, f *Facts) { over(f); f.Target = Party{} },
		},
		"the old holder should keep it and has given up": {
			step: held1, now: 52, want: Decision{Action: Assign, Target: oldHolder},
			facts: func(_ *bench, f *Facts) { over(f); f.Target = oldHolder },
		},
		"it must not go on and the old holder has given up": {
			step: held1, now: 52, want: Decision{Action: Release},
			facts: func(_ *bench, f *Facts) { over(f); f.Cancel = true },
		},
		"the old holder is dead": {
			step: held1, now: 2, want: Decision{Action: Assign, Target: target},
			facts: func(_ *bench, f *Facts) { f.Dead, f.FromThere = true, false },
		},
		"the old holder is dead, the target is unknown": {
			step: held1, now: 2, want: Decision{Action: Release},
			facts: func(_ *bench, f *Facts) { f.Dead, f.FromThere, f.Target = true, false, unknown },
		},
		"the old holder is dead and it must not go on": {
			step: held1, now: 2, want: Decision{Action: Release},
			facts: func(_ *bench, f *Facts) { f.Dead, f.FromThere, f.Cancel = true, false, true },
		},
		"it must not go on and the old holder's pod is there": {
			step: held1, now: 2, want: Decision{Action: GiveBack},
			facts: func(_ *bench, f *Facts) { f.Cancel = true },
		},
		"it must not go on and that pod is gone": {
			step: held1, now: 2, want: until(47),
			facts: func(_ *bench, f *Facts) { f.Cancel, f.FromThere = true, false },
		},
		"the target vanished": {
			step: held1, now: 2, want: Decision{Action: GiveBack},
			facts: func(_ *bench, f *Facts) { f.Target = Party{} },
		},
		"the target vanished and so did the old holder's pod": {
			step: held1, now: 2, want: until(47),
			facts: func(_ *bench, f *Facts) { f.Target, f.FromThere = Party{}, false },
		},
		"the old holder should keep it after all": {
			step: held1, now: 2, want: Decision{Action: GiveBack},
			facts: func(_ *bench, f *Facts) { f.Target = oldHolder },
		},
		"it is given back rather than extended": {
			step: held1, now: 50, want: Decision{Action: GiveBack},
			facts: func(_ *bench, f *Facts) { f.Cancel = true },
		},
		"it is extended for a pod that is gone": {
			step: held1, now: 50, want: Decision{Action: Extend, Target: target},
			facts: func(_ *bench, f *Facts) { f.Cancel, f.FromThere = true, false },
		},
	})
}

func TestNextHeldDisturbed(t *testing.T) {
	var before *coordinationv1.Lease
	runNext(t, newBench, map[string]nextCase{
		"a stale cache shows the old holder's record": {
			step: func(b *bench) { before = b.lease(); held1(b) }, now: 2, want: until(47),
			facts: func(_ *bench, f *Facts) { f.Lease = before },
		},
		"a stale cache shows the hold before its extension": {
			step: func(b *bench) { held1(b); before = b.lease(); b.do(47, Decision{Action: Extend}) }, now: 48, want: until(52),
			facts: func(_ *bench, f *Facts) { f.Lease = before },
		},
		"somebody deleted it": {
			step: func(b *bench) { held1(b); b.remove() }, now: 2,
			want: Decision{Action: Finish, Result: Interrupted},
		},
		"somebody deleted it and another one came": {
			step: func(b *bench) { held1(b); b.remove(); b.create(stranger) }, now: 2,
			want: Decision{Action: Finish, Result: Interrupted, By: stranger},
		},
		"the old holder overwrote it": {
			step: func(b *bench) { held1(b); b.wrote(oldHolder.Identity, stamp.Add(10*time.Second)) }, now: 11,
			want: Decision{Action: Finish, Result: Interrupted, By: oldHolder.Identity},
		},
		"another process of ours took it": {
			step: func(b *bench) { held1(b); b.wrote(otherOfOurs, at(70)) }, now: 70,
			want: Decision{Action: Finish, Result: Interrupted, By: otherOfOurs},
		},
		"somebody emptied it": {
			step: func(b *bench) { held1(b); b.edit(func(l *coordinationv1.Lease) { l.Spec.HolderIdentity = nil }) }, now: 2,
			want: Decision{Action: Finish, Result: Interrupted},
		},
		"somebody took it right when the wait is over": {
			step: func(b *bench) { held1(b); b.wrote(stranger, stamp) }, now: 52, facts: proof(time.Hour),
			want: Decision{Action: Finish, Result: Interrupted, By: stranger},
		},
		"somebody labelled it": {
			step: func(b *bench) {
				held1(b)
				b.edit(func(l *coordinationv1.Lease) { metav1.SetMetaDataLabel(&l.ObjectMeta, "a", "b") })
			},
			now: 2, want: until(47),
		},
	})
}
