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
	"k8s.io/utils/ptr"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// spec is a record acquired and renewed at one moment.
func spec(holder string, seconds int32, acquired, renewed time.Time, transitions int32) coordinationv1.LeaseSpec {
	return coordinationv1.LeaseSpec{
		HolderIdentity:       &holder,
		LeaseDurationSeconds: &seconds,
		AcquireTime:          ptr.To(metav1.NewMicroTime(acquired)),
		RenewTime:            ptr.To(metav1.NewMicroTime(renewed)),
		LeaseTransitions:     &transitions,
	}
}

// old is the record that the old holder wrote last.
func old() coordinationv1.LeaseSpec {
	return spec(oldHolder.Identity, 60, stamp.Add(-time.Hour), stamp, 4)
}

func TestWrittenRecords(t *testing.T) {
	cases := map[string]struct {
		step func(*bench)
		want coordinationv1.LeaseSpec
	}{
		"hold":    {step: held1, want: spec(ownIdentity, 52, at(1), at(1), 4)},
		"extend":  {step: extended47, want: spec(ownIdentity, 12, at(47), at(47), 4)},
		"assign":  {step: assigned52, want: spec(target.Identity, 23, at(52), at(52), 5)},
		"create":  {step: created60, want: spec(target.Identity, 23, at(60), at(60), 5)},
		"restore": {step: func(b *bench) { extended47(b); b.do(48, Decision{Action: GiveBack}) }, want: old()},
		"hold of a holder that is late": {
			step: func(b *bench) { b.lateness = 3500 * time.Millisecond; held1(b) },
			want: spec(ownIdentity, 61, at(1), at(1), 4), // 10 + 40 + 3 x 3.5, rounded up
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			tc.step(b)
			lease := b.lease()
			if diff := cmp.Diff(tc.want, lease.Spec); diff != "" {
				t.Errorf("record (-want, +got):\n%s", diff)
			}
			if got := lease.Annotations["example.com/note"]; got != "kept" {
				t.Errorf("the annotation of somebody else is %q, want it kept", got)
			}
			_, annotated := lease.Annotations[Annotation]
			if held := holder(lease) == ownIdentity; annotated != held {
				t.Errorf("annotation of ours there = %v, want it on held leases only (held = %v)", annotated, held)
			}
		})
	}
}

// TestCreatedLease: what others put beside the record survives the deletion.
func TestCreatedLease(t *testing.T) {
	b := newBench(t)
	b.edit(func(l *coordinationv1.Lease) { l.Labels = map[string]string{"team": "blue"} })
	b.Handover = New(ownIdentity, group, b.lease(), oldHolder, at(0), at(1), defaults, 0)
	created60(b)
	want := leasestesting.MakeLease(group.Name(3)).Annotation("example.com/note", "kept").Obj().ObjectMeta
	want.Labels = map[string]string{"team": "blue"}
	got := metav1.ObjectMeta{
		Namespace: b.lease().Namespace, Name: b.lease().Name, Labels: b.lease().Labels, Annotations: b.lease().Annotations,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("created lease (-want, +got):\n%s", diff)
	}
}

// TestStampsSurviveTheAPI: a stamp of finer resolution than the API keeps would
// make our own write look like somebody else's.
func TestStampsSurviveTheAPI(t *testing.T) {
	for _, action := range []Action{Extend, Assign, Create} {
		b := newBench(t)
		held1(b)
		lease, err := b.record(Decision{Action: action, Target: target}, at(52).Add(987654321))
		if err != nil {
			t.Fatalf("record of %s: %v", action, err)
		}
		if got := renewTime(lease); !got.Equal(got.Truncate(time.Microsecond)) {
			t.Errorf("%s: stamp %s is finer than a microsecond", action, got.Format(time.RFC3339Nano))
		}
	}
}

// TestRecordOfNoWrite: only writes have a record.
func TestRecordOfNoWrite(t *testing.T) {
	for _, action := range []Action{Wait, Read, Release, Finish, "unknown"} {
		b := newBench(t)
		held1(b)
		if lease, err := b.record(Decision{Action: action}, at(2)); err == nil {
			t.Errorf("record of %q = %v, want an error", action, lease.Spec)
		}
	}
}

// TestUnknownAction writes nothing and leaves no doubt behind.
func TestUnknownAction(t *testing.T) {
	b := newBench(t)
	before := b.lease()
	_ = b.doFailing(t.Context(), 1, Decision{Action: "unknown"})
	if diff := cmp.Diff(before, b.lease()); diff != "" {
		t.Errorf("lease (-want, +got):\n%s", diff)
	}
	if got := b.Next(at(1), b.facts()).Action; got != Hold {
		t.Errorf("next action is %q, want %q", got, Hold)
	}
}
