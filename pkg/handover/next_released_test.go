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

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func label(b *bench) {
	b.edit(func(l *coordinationv1.Lease) { metav1.SetMetaDataLabel(&l.ObjectMeta, "a", "b") })
}

func TestNextAssigned(t *testing.T) {
	finish := func(r Result, by string) Decision { return Decision{Action: Finish, Result: r, By: by} }
	takenBy := func(identity string) func(*bench) {
		return func(b *bench) { assigned52(b); b.wrote(identity, stamp) }
	}
	var before *coordinationv1.Lease
	runNext(t, newBench, map[string]nextCase{
		"waits for the target":                   {step: assigned52, now: 53, want: until(76)},
		"as long as a candidate may take":        {step: assigned52, now: 75.999, want: until(76)},
		"and withdraws what it did not come for": {step: assigned52, now: 76, want: Decision{Action: Release}},
		"and withdraws what it will not come for": {
			step: assigned52, now: 53, want: Decision{Action: Release},
			facts: func(_ *bench, f *Facts) { f.Leaving = true },
		},
		"it came for it before it left": {
			step: takenBy(target.Identity), now: 60, want: finish(Done, target.Identity),
			facts: func(_ *bench, f *Facts) { f.Leaving = true },
		},
		"the target renewed it":                {step: takenBy(target.Identity), now: 60, want: finish(Done, target.Identity)},
		"the target came at the last moment":   {step: takenBy(target.Identity), now: 76, want: finish(Done, target.Identity)},
		"the target restarted and came":        {step: takenBy("pod-b_new"), now: 60, want: finish(Done, "pod-b_new")},
		"another replica took it":              {step: takenBy(stranger), now: 60, want: finish(Taken, stranger)},
		"somebody who is no elector took it":   {step: takenBy("somebody"), now: 60, want: finish(Taken, "somebody")},
		"the old holder took it":               {step: takenBy(oldHolder.Identity), now: 60, want: finish(Returned, oldHolder.Identity)},
		"the old holder restarted and took it": {step: takenBy("pod-a_new"), now: 60, want: finish(Returned, "pod-a_new")},
		"somebody put another name into it": {
			step: func(b *bench) {
				assigned52(b)
				b.edit(func(l *coordinationv1.Lease) { *l.Spec.HolderIdentity = stranger })
			},
			now: 53, want: finish(Taken, stranger),
		},
		"it must not go on, which is too late now": {
			step: assigned52, now: 53, want: until(76),
			facts: func(_ *bench, f *Facts) { f.Cancel = true },
		},
		"somebody deleted it": {
			step: func(b *bench) { assigned52(b); b.remove() }, now: 60, want: finish(Interrupted, ""),
		},
		"somebody labelled it": {
			step: func(b *bench) { assigned52(b); label(b) }, now: 60, want: until(76),
		},
		"a stale cache shows the hold": {
			step: func(b *bench) { held1(b); before = b.lease(); b.do(52, Decision{Action: Assign, Target: target}) },
			now:  60, want: until(76),
			facts: func(_ *bench, f *Facts) { f.Lease = before },
		},
		"it was the old holder's on purpose and it came": {
			step: func(b *bench) {
				held1(b)
				b.do(52, Decision{Action: Assign, Target: oldHolder})
				b.wrote(oldHolder.Identity, stamp)
			},
			now: 60, want: finish(GivenBack, oldHolder.Identity),
		},
		"it was the old holder's on purpose and another one came": {
			step: func(b *bench) {
				held1(b)
				b.do(52, Decision{Action: Assign, Target: oldHolder})
				b.wrote(stranger, stamp)
			},
			now: 60, want: finish(Taken, stranger),
		},
		"created: a stale cache shows no lease yet": {
			step: created60, now: 61, want: until(84),
			facts: func(_ *bench, f *Facts) { f.Lease = nil },
		},
		"created: a stale cache shows the lease before it was deleted": {
			step: func(b *bench) {
				held1(b)
				before = b.lease()
				b.do(52, Decision{Action: Release})
				b.do(60, Decision{Action: Create, Target: target})
			},
			now: 61, want: until(84),
			facts: func(_ *bench, f *Facts) { f.Lease = before },
		},
		"created: seen once and then deleted by somebody": {
			step: func(b *bench) { created60(b); b.Next(at(61), b.facts()); b.remove() },
			now:  62, want: finish(Interrupted, ""),
		},
		"created: the target renewed it": {
			step: func(b *bench) { created60(b); b.wrote(target.Identity, stamp) },
			now:  70, want: finish(Done, target.Identity),
		},
		"created: the target did not come": {step: created60, now: 84, want: Decision{Action: Release}},
	})
}

func TestNextOpen(t *testing.T) {
	finish := func(r Result, by string) Decision { return Decision{Action: Finish, Result: r, By: by} }
	takenBy := func(identity string) func(*bench) {
		return func(b *bench) { open52(b); b.create(identity) }
	}
	nobody := func(_ *bench, f *Facts) { f.Target = unknown }
	var before *coordinationv1.Lease
	runNext(t, newBench, map[string]nextCase{
		"the target became known":                  {step: open52, now: 53, want: Decision{Action: Create, Target: target}},
		"the target is not known":                  {step: open52, now: 53, facts: nobody, want: until(140)},
		"there is no target":                       {step: open52, now: 53, want: until(140), facts: func(_ *bench, f *Facts) { f.Target = Party{} }},
		"the target did not come before":           {step: missed84, now: 85, want: until(172)},
		"nobody ever comes":                        {step: open52, now: 140, facts: nobody, want: finish(Abandoned, "")},
		"nobody came yet":                          {step: open52, now: 139.999, facts: nobody, want: until(140)},
		"another replica acquired it":              {step: takenBy(stranger), now: 60, facts: nobody, want: finish(Done, stranger)},
		"the old holder acquired it":               {step: takenBy(oldHolder.Identity), now: 60, want: finish(Returned, oldHolder.Identity)},
		"the target acquired it by itself":         {step: takenBy(target.Identity), now: 60, want: finish(Done, target.Identity)},
		"somebody who is no elector created it":    {step: takenBy("somebody"), now: 60, want: finish(Taken, "somebody")},
		"acquired and released again: it contends": {step: takenBy(""), now: 60, want: until(140)},
		"another replica than the one that missed it": {
			step: missed84, now: 90, want: Decision{Action: Create, Target: Party{"pod-d", "pod-d_dddd"}},
			facts: func(_ *bench, f *Facts) { f.Target = Party{"pod-d", "pod-d_dddd"} },
		},
		"it must not go on: nobody gets it by name": {
			step: open52, now: 53, want: until(140),
			facts: func(_ *bench, f *Facts) { f.Cancel = true },
		},
		"a stale cache shows the hold": {
			step: func(b *bench) { held1(b); before = b.lease(); b.do(52, Decision{Action: Release}) }, now: 53, want: until(140),
			facts: func(_ *bench, f *Facts) { f.Lease = before },
		},
	})
}
