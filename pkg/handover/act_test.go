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
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// versions are the UID and resourceVersion that a write of ours carried.
type versions struct {
	Verb    string
	UID     types.UID
	Version string
}

func sentVersions(o leasestesting.Observation) versions {
	v := versions{Verb: o.Verb}
	switch sent := o.Sent.(type) {
	case *coordinationv1.Lease:
		v.UID, v.Version = sent.UID, sent.ResourceVersion
	case *metav1.DeleteOptions:
		if p := sent.Preconditions; p != nil && p.UID != nil && p.ResourceVersion != nil {
			v.UID, v.Version = *p.UID, *p.ResourceVersion
		}
	}
	return v
}

// TestWritesCarryOurVersion follows long handovers call by call: each write must
// carry the version that the write of ours before it made.
func TestWritesCarryOurVersion(t *testing.T) {
	extend, assign := Decision{Action: Extend, Target: target}, Decision{Action: Assign, Target: target}
	release, create := Decision{Action: Release}, Decision{Action: Create, Target: target}
	hold, giveBack := Decision{Action: Hold, Target: target}, Decision{Action: GiveBack}
	cases := map[string]struct {
		begin  func(*testing.T) *bench
		writes []Decision
	}{
		"assigned":            {begin: newBench, writes: []Decision{hold, extend, extend, assign}},
		"assigned in vain":    {begin: newBench, writes: []Decision{hold, assign, release}},
		"created":             {begin: newBench, writes: []Decision{hold, release, create}},
		"created in vain":     {begin: newBench, writes: []Decision{hold, release, create, release, create}},
		"given back":          {begin: newBench, writes: []Decision{hold, extend, giveBack}},
		"given back at once":  {begin: newBench, writes: []Decision{hold, giveBack}},
		"deleted and no more": {begin: newAbruptBench, writes: []Decision{release}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b := tc.begin(t)
			last := b.lease()
			var want, got []versions
			b.api.Observe(func(o leasestesting.Observation) {
				expect := versions{Verb: o.Verb, UID: last.UID, Version: last.ResourceVersion}
				if o.Verb == "create" {
					expect = versions{Verb: o.Verb}
				}
				want, got = append(want, expect), append(got, sentVersions(o))
				if after, ok := o.After.(*coordinationv1.Lease); ok {
					last = after
				}
			})
			for i, d := range tc.writes {
				// The cache shows something else each time. It must not matter.
				b.Next(at(float64(i+1)), Facts{Lease: leasestesting.MakeLease(group.Name(3)).UID("cached").ResourceVersion("1").Obj()})
				b.do(float64(i+1), d)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("versions sent (-want, +got):\n%s", diff)
			}
			if len(got) != len(tc.writes) {
				t.Errorf("%d calls for %d writes", len(got), len(tc.writes))
			}
		})
	}
}

// TestThawedWrites: while this process was frozen, somebody else wrote the
// lease. None of the writes that it had in mind may land, however late, and
// though the cache has caught up by then.
func TestThawedWrites(t *testing.T) {
	cases := map[string]struct {
		step  func(*bench)
		write Decision
	}{
		"hold":     {write: Decision{Action: Hold, Target: target}},
		"extend":   {step: held1, write: Decision{Action: Extend, Target: target}},
		"restore":  {step: held1, write: Decision{Action: GiveBack}},
		"assign":   {step: held1, write: Decision{Action: Assign, Target: target}},
		"release":  {step: held1, write: Decision{Action: Release}},
		"withdraw": {step: assigned52, write: Decision{Action: Release}},
		"create":   {step: open52, write: Decision{Action: Create, Target: target}},
	}
	meanwhile := map[string]func(*bench){
		"another replica took it":        func(b *bench) { b.wrote(stranger, at(110)) },
		"another process of ours did":    func(b *bench) { b.wrote(otherOfOurs, at(110)) },
		"it was deleted and taken anew":  func(b *bench) { b.remove(); b.create(stranger) },
		"its old holder got it back":     func(b *bench) { b.wrote(oldHolder.Identity, stamp.Add(110)) },
		"its target renewed it and left": func(b *bench) { b.wrote("", at(110)) },
	}
	for name, tc := range cases {
		for what, change := range meanwhile {
			t.Run(name+", "+what, func(t *testing.T) {
				b := newBench(t)
				if tc.step != nil {
					tc.step(b)
				}
				if b.lease() == nil {
					b.create(stranger)
				}
				change(b)
				want := b.lease()
				b.Next(at(120), b.facts())
				if err := b.doFailing(t.Context(), 120, tc.write); !apierrors.IsConflict(err) && !apierrors.IsAlreadyExists(err) {
					t.Errorf("error %v, want a conflict", err)
				}
				if diff := cmp.Diff(want, b.lease()); diff != "" {
					t.Errorf("lease (-want, +got):\n%s", diff)
				}
				b.do(121, Decision{Action: Read})
				if d := b.Next(at(121), b.facts()); d.Action != Finish && d.Action != Wait {
					t.Errorf("after the conflict: %+v, want an end or, as nobody holds it, a wait", d)
				}
			})
		}
	}
}

// TestThawedDeletedWrites is the same after the lease was deleted: no write may
// create it again, which a PUT without a UID would do.
func TestThawedDeletedWrites(t *testing.T) {
	for _, action := range []Action{Extend, GiveBack, Assign, Release} {
		b := newBench(t)
		held1(b)
		b.remove()
		err := b.doFailing(t.Context(), 120, Decision{Action: action, Target: target})
		if !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
			t.Errorf("%s: error %v, want a conflict", action, err)
		}
		if lease := b.lease(); lease != nil {
			t.Errorf("%s created the lease again, for %q", action, holder(lease))
		}
	}
}

func TestDoNothing(t *testing.T) {
	b := newBench(t)
	held1(b)
	before := b.lease()
	calls := 0
	b.api.Observe(func(leasestesting.Observation) { calls++ })
	b.do(2, until(47))
	b.do(3, Decision{Action: Finish, Result: Interrupted, By: stranger})
	if diff := cmp.Diff(before, b.lease()); diff != "" || calls != 0 {
		t.Errorf("%d calls; lease (-want, +got):\n%s", calls, diff)
	}
}
