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

// sign is a sign of life that we see at once, so long after the last renewal of
// the lease that is held.
func sign(seconds float64) Sign {
	return Sign{Stamp: stamp.Add(at(seconds).Sub(start)), Seen: at(seconds)}
}

// alive are such signs of life of the old holder's process.
func alive(seconds ...float64) func(*bench, *Facts) {
	return func(_ *bench, f *Facts) {
		for _, s := range seconds {
			f.Alive = append(f.Alive, sign(s))
		}
	}
}

func TestNextHeldWait(t *testing.T) {
	extend := Decision{Action: Extend, Target: target}
	runNext(t, newBench, map[string]nextCase{
		"looks again when the hold must be extended": {step: held1, now: 2, want: until(47)},
		"looks again when the clock has run down":    {step: extended47, now: 48, want: until(52)},
		"then looks for the proof again and again":   {step: extended47, now: 52, want: until(52.2)},
		"the hold is extended in time":               {step: held1, now: 47, want: extend},
		"but not earlier than it has to":             {step: held1, now: 46.999, want: until(47)},
		"an extended one is extended again":          {step: extended47, now: 53, want: extend},
		"for whom is what the plan says now": {
			step: held1, now: 47, want: Decision{Action: Extend, Target: Party{Replica: "pod-d"}},
			facts: func(_ *bench, f *Facts) { f.Target = Party{Replica: "pod-d"} },
		},
	})
}

func TestNextHeldEnds(t *testing.T) {
	over := func(f *Facts) { alive(1, 11, 31, 51)(nil, f) }
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
			step: func(b *bench) { held1(b); b.wrote(stranger, stamp) }, now: 52, facts: alive(1, 11, 31, 51),
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
