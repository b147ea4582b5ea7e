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
	"k8s.io/utils/ptr"
)

// newVacantBench begins with a lease whose holder is dead, 1 s after its last
// renewal was seen.
func newVacantBench(t *testing.T) *bench {
	t.Helper()
	b := benchOn(t)
	b.Handover = NewVacant(group, b.lease(), oldHolder, at(0), at(1), defaults)
	return b
}

// newReleasedBench begins with a lease that its holder emptied.
func newReleasedBench(t *testing.T) *bench {
	t.Helper()
	b := benchOn(t)
	b.edit(func(l *coordinationv1.Lease) {
		l.Spec.HolderIdentity, l.Spec.LeaseDurationSeconds = ptr.To(""), ptr.To[int32](1)
	})
	b.Handover = NewVacant(group, b.lease(), oldHolder, at(0), at(1), defaults)
	return b
}

// newDeletedBench begins with a lease that somebody deleted at 0 s.
func newDeletedBench(t *testing.T) *bench {
	t.Helper()
	b := benchOn(t)
	lease := b.lease()
	b.remove()
	b.Handover = NewDeleted(group, lease, oldHolder, at(0), at(1), defaults)
	return b
}

func assigned2(b *bench) { b.do(2, Decision{Action: Assign, Target: target}) }

func open2(b *bench) { b.do(2, Decision{Action: Release}) }

func TestNextVacant(t *testing.T) {
	nothing := func(*bench) {}
	finish := func(r Result, by string) Decision { return Decision{Action: Finish, Result: r, By: by} }
	dead := func(target Party) func(*bench, *Facts) {
		return func(_ *bench, f *Facts) { f.Dead, f.FromThere, f.Target = true, false, target }
	}
	runNext(t, newVacantBench, map[string]nextCase{
		"given to the target at once":     {step: nothing, now: 2, facts: dead(target), want: Decision{Action: Assign, Target: target}},
		"the target is not known":         {step: nothing, now: 2, facts: dead(unknown), want: Decision{Action: Release}},
		"there is no target":              {step: nothing, now: 2, facts: dead(Party{}), want: Decision{Action: Release}},
		"the target is the dead identity": {step: nothing, now: 2, facts: dead(oldHolder), want: Decision{Action: Release}},
		"its next process is known": {
			step: nothing, now: 2, facts: dead(Party{oldHolder.Replica, "pod-a_new"}),
			want: Decision{Action: Assign, Target: Party{oldHolder.Replica, "pod-a_new"}},
		},
		"it must not go on": {
			step: nothing, now: 2, want: finish(NotBegun, ""),
			facts: func(b *bench, f *Facts) { dead(target)(b, f); f.Cancel = true },
		},
		"somebody took it":        {step: func(b *bench) { b.wrote(stranger, stamp) }, now: 2, facts: dead(target), want: finish(NotBegun, stranger)},
		"somebody deleted it":     {step: func(b *bench) { b.remove() }, now: 2, facts: dead(target), want: finish(NotBegun, "")},
		"waits for the target":    {step: assigned2, now: 3, facts: dead(target), want: until(26)},
		"the target did not come": {step: assigned2, now: 26, facts: dead(target), want: Decision{Action: Release}},
		"the target came": {
			step: func(b *bench) { assigned2(b); b.wrote(target.Identity, stamp) },
			now:  9, facts: dead(target), want: finish(Done, target.Identity),
		},
		"another one came": {
			step: func(b *bench) { assigned2(b); b.wrote(stranger, stamp) },
			now:  9, facts: dead(target), want: finish(Taken, stranger),
		},
		"free for all: the restarted process took it": {
			step: func(b *bench) { open2(b); b.create("pod-a_new") },
			now:  9, facts: dead(unknown), want: finish(Done, "pod-a_new"),
		},
		"free for all: the target became known": {step: open2, now: 9, facts: dead(target), want: Decision{Action: Create, Target: target}},
	})
	runNext(t, newReleasedBench, map[string]nextCase{
		"released: given to the target at once": {step: nothing, now: 2, facts: dead(target), want: Decision{Action: Assign, Target: target}},
		"released: the target is not known":     {step: nothing, now: 2, facts: dead(unknown), want: until(24)},
		"released: nobody contends for it":      {step: nothing, now: 24, facts: dead(unknown), want: finish(NotBegun, "")},
		"released: somebody took it":            {step: func(b *bench) { b.wrote(stranger, stamp) }, now: 2, facts: dead(target), want: finish(NotBegun, stranger)},
	})
	runNext(t, newDeletedBench, map[string]nextCase{
		"deleted: created in the target's name": {step: nothing, now: 2, facts: dead(target), want: Decision{Action: Create, Target: target}},
		"deleted: the target is not known":      {step: nothing, now: 2, facts: dead(unknown), want: until(88)},
		"deleted: somebody took it":             {step: func(b *bench) { b.create(stranger) }, now: 2, facts: dead(target), want: finish(Done, stranger)},
	})
}

// TestVacantRecord: the new record is the target's, based on the dead one's
// version, and is good for its next try.
func TestVacantRecord(t *testing.T) {
	b := newVacantBench(t)
	before := b.lease()
	assigned2(b)
	got := b.lease()
	if got.UID != before.UID || *got.Spec.HolderIdentity != target.Identity || *got.Spec.LeaseTransitions != 5 || seconds(got) != 23*time.Second {
		t.Errorf("lease = %v", got)
	}
	if diff := cmp.Diff(before.Annotations, got.Annotations); diff != "" {
		t.Errorf("annotations (-want, +got):\n%s", diff)
	}
}

// TestVacantConflict: the dead record was written again, by whoever it was. The
// write fails and nothing is tried a second time.
func TestVacantConflict(t *testing.T) {
	for name, newBench := range map[string]func(*testing.T) *bench{"assign": newVacantBench, "released": newReleasedBench} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.wrote(stranger, stamp)
			if err := b.doFailing(t.Context(), 2, Decision{Action: Assign, Target: target}); err == nil {
				t.Error("no error, want a conflict")
			}
			b.do(3, b.Next(at(3), b.facts()))
			o, ended := b.Outcome()
			if want := (Outcome{Result: NotBegun, By: stranger, Took: 2 * time.Second}); !ended || o != want {
				t.Errorf("outcome = %+v, %v, want %+v", o, ended, want)
			}
		})
	}
}

// TestVacantOutcome: nobody led it since the last renewal.
func TestVacantOutcome(t *testing.T) {
	b := newVacantBench(t)
	assigned2(b)
	b.wrote(target.Identity, stamp)
	b.do(14, b.Next(at(14), b.facts()))
	want := Outcome{Result: Done, By: target.Identity, Took: 13 * time.Second, Gap: 14 * time.Second}
	if o, ended := b.Outcome(); !ended || o != want {
		t.Errorf("outcome = %+v, %v, want %+v", o, ended, want)
	}
	if !b.Vacant() {
		t.Error("Vacant = false")
	}
}
