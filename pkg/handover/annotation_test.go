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
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// valid is the annotation of a hold as a process of this release writes it.
func valid() annotation {
	return annotation{
		Version: annotationVersion, Holder: ownIdentity, Step: Held, Target: target.Replica,
		Age: metav1.Duration{Duration: 1500 * time.Millisecond}, Lateness: metav1.Duration{Duration: 300 * time.Millisecond}, Old: old(),
	}
}

// heldWith is a held lease with this text in the annotation.
func heldWith(value string) *coordinationv1.Lease {
	return leasestesting.MakeLease(group.Name(3)).Holder(ownIdentity).Renewed(at(1)).Duration(52).
		Annotation(Annotation, value).Obj()
}

func encoded(t *testing.T, a annotation) string {
	t.Helper()
	value, err := a.encode()
	if err != nil {
		t.Fatalf("encode: %v", err)
	}
	return value
}

func TestAnnotationRoundTrip(t *testing.T) {
	cases := map[string]func(*annotation){
		"of a hold":            func(*annotation) {},
		"of no target":         func(a *annotation) { a.Target = "" },
		"of a fraction of age": func(a *annotation) { a.Age.Duration = 1234567 * time.Nanosecond },
		"of a long age":        func(a *annotation) { a.Age.Duration = 90 * time.Minute },
		"of a record with the least in it": func(a *annotation) {
			a.Old = coordinationv1.LeaseSpec{HolderIdentity: a.Old.HolderIdentity, RenewTime: a.Old.RenewTime}
		},
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			want := valid()
			change(&want)
			got, err := decode(heldWith(encoded(t, want)))
			if err != nil {
				t.Fatalf("decode: %v", err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("annotation (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestAnnotationIsStable: another release of ours has to read what this one
// writes, so its text may change only together with its version.
func TestAnnotationIsStable(t *testing.T) {
	want := `{"version":1,"holder":"tekton-leases-controller_0aef","step":"hold","target":"pod-b","age":"1.5s","lateness":"300ms",` +
		`"old":{"holderIdentity":"pod-a_aaaa","leaseDurationSeconds":60,"acquireTime":"2026-03-01T10:53:00.000000Z",` +
		`"renewTime":"2026-03-01T11:53:00.000000Z","leaseTransitions":4}}`
	if diff := cmp.Diff(want, encoded(t, valid())); diff != "" {
		t.Errorf("annotation (-want, +got):\n%s", diff)
	}
}

// TestHoldAnnotation: a hold says all that is needed to judge it.
func TestHoldAnnotation(t *testing.T) {
	b := newBench(t)
	b.lateness = 300 * time.Millisecond
	b.do(1.5, Decision{Action: Hold, Target: target})
	got, err := decode(b.lease())
	if err != nil {
		t.Fatalf("decode: %v", err)
	}
	if diff := cmp.Diff(valid(), got); diff != "" {
		t.Errorf("annotation (-want, +got):\n%s", diff)
	}
	b.do(47, Decision{Action: Extend, Target: Party{Replica: "pod-d"}})
	want := valid()
	want.Target, want.Age.Duration = "pod-d", 47*time.Second
	if got, err = decode(b.lease()); err != nil {
		t.Fatalf("decode: %v", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("extended (-want, +got):\n%s", diff)
	}
}

func TestAnnotationRefused(t *testing.T) {
	change := func(f func(*annotation)) func(*testing.T) *coordinationv1.Lease {
		return func(t *testing.T) *coordinationv1.Lease {
			t.Helper()
			a := valid()
			f(&a)
			return heldWith(encoded(t, a))
		}
	}
	text := func(value string) func(*testing.T) *coordinationv1.Lease {
		return func(*testing.T) *coordinationv1.Lease { return heldWith(value) }
	}
	cases := map[string]struct {
		lease func(*testing.T) *coordinationv1.Lease
		want  string
	}{
		"there is none": {
			lease: func(*testing.T) *coordinationv1.Lease {
				return leasestesting.MakeLease(group.Name(3)).Holder(ownIdentity).Obj()
			},
			want: "has no annotation",
		},
		"it is empty":              {lease: text(""), want: "failed to decode"},
		"it is no JSON":            {lease: text("later"), want: "failed to decode"},
		"it is of another type":    {lease: text(`["version"]`), want: "failed to decode"},
		"it is cut":                {lease: text(`{"version":1,"holder":"tek`), want: "failed to decode"},
		"it has no version":        {lease: change(func(a *annotation) { a.Version = 0 }), want: "has version 0"},
		"it is of a later release": {lease: change(func(a *annotation) { a.Version = 2 }), want: "has version 2"},
		"it is of another hold":    {lease: change(func(a *annotation) { a.Holder = otherOfOurs }), want: "belongs to an earlier hold"},
		"it names no old holder":   {lease: change(func(a *annotation) { a.Old.HolderIdentity = nil }), want: "names no old holder"},
		"it names no stamp":        {lease: change(func(a *annotation) { a.Old.RenewTime = nil }), want: "names no old holder"},
		"an elector has the lease now": {
			lease: func(t *testing.T) *coordinationv1.Lease {
				t.Helper()
				return leasestesting.MakeLease(group.Name(3)).Holder(stranger).Annotation(Annotation, encoded(t, valid())).Obj()
			},
			want: "belongs to an earlier hold",
		},
		"nobody has the lease now": {
			lease: func(t *testing.T) *coordinationv1.Lease {
				t.Helper()
				return leasestesting.MakeLease(group.Name(3)).Annotation(Annotation, encoded(t, valid())).Obj()
			},
			want: "belongs to an earlier hold",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			lease := tc.lease(t)
			_, err := decode(lease)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("decode = %v, want an error with %q", err, tc.want)
			}
			if by, err := Origin(lease); err == nil {
				t.Errorf("Origin = %+v, want an error", by)
			}
		})
	}
}

func TestOrigin(t *testing.T) {
	b := newBench(t)
	held1(b)
	got, err := Origin(b.lease())
	if err != nil {
		t.Fatalf("Origin: %v", err)
	}
	if diff := cmp.Diff(old(), got); diff != "" {
		t.Errorf("origin (-want, +got):\n%s", diff)
	}
	b.do(52, Decision{Action: Assign, Target: target})
	if got, err := Origin(b.lease()); err == nil {
		t.Errorf("Origin of an assigned lease = %+v, want an error", got)
	}
}

// FuzzDecode: whatever somebody writes into the annotation, what is accepted is
// whole and can be written again, and nothing panics.
func FuzzDecode(f *testing.F) {
	value, err := valid().encode()
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{
		value, "", "{}", "null", `{"version":1}`, `{"version":1e0,"holder":"tekton-leases-controller_0aef","old":{}}`,
		strings.Replace(value, `"1.5s"`, `"-2562047h47m16.854775808s"`, 1),
		strings.Replace(value, "pod-a_aaaa", "", 1), strings.Replace(value, "pod-a_aaaa", "_", 1),
		strings.Replace(value, "2026", "-026", 2), strings.Replace(value, ":60", ":-1", 1),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		lease := heldWith(value)
		got, err := decode(lease)
		h, resumeErr := Resume(ownIdentity, group, lease, oldHolder, at(9), defaults)
		if err != nil {
			if resumeErr == nil {
				t.Errorf("resumed what cannot be decoded: %v", err)
			}
			return
		}
		if got.Version != annotationVersion || got.Holder != ownIdentity || got.Old.HolderIdentity == nil || got.Old.RenewTime == nil {
			t.Errorf("accepted %+v", got)
		}
		if again, err := json.Marshal(got); err != nil {
			t.Errorf("accepted what cannot be written again: %v", err)
		} else if _, err := decode(heldWith(string(again))); err != nil {
			t.Errorf("what was written again is refused: %v", err)
		}
		if resumeErr == nil {
			h.Next(at(10), Facts{Lease: lease, FromThere: true})
		}
	})
}

// FuzzOldRecord: whatever record is held, it is restored as it was, by this process
// and by one that has nothing but the Lease, and nothing else on the Lease is lost.
func FuzzOldRecord(f *testing.F) {
	f.Add("pod-a_aaaa", int32(60), int32(4), int64(0), "example.com/note", "kept")
	f.Add(strings.Repeat("x", 1024), int32(-1), int32(-1), int64(-1), Annotation, "{}")
	f.Add("\u202e\u0000\ufffd_<&>", int32(math.MaxInt32), int32(math.MaxInt32), int64(1), "a", strings.Repeat("y", 1<<16))
	f.Add("_", int32(0), int32(0), int64(math.MaxInt32), "", "\U0010ffff\"\\")
	f.Fuzz(func(t *testing.T, holder string, duration, transitions int32, microseconds int64, key, value string) {
		for _, text := range []*string{&holder, &key, &value} {
			*text = strings.ToValidUTF8(*text, "?") // as all JSON of the API is
		}
		renewed := stamp.Add(time.Duration(microseconds%math.MaxInt32) * time.Microsecond)
		want := spec(holder, duration, stamp, renewed, transitions)
		lease := leasestesting.MakeLease(group.Name(3)).Annotation(key, value).Obj()
		lease.Spec = want
		h := New(ownIdentity, group, lease, Party{Replica: "pod-a", Identity: holder}, at(0), at(1), defaults, 0)
		held, err := h.record(Decision{Action: Hold, Target: target}, at(1))
		if err != nil {
			t.Fatalf("record: %v", err)
		}
		got, err := Origin(overTheWire(t, held))
		if err != nil || !cmp.Equal(want, got) {
			t.Fatalf("Origin: %v, record (-want, +got):\n%s", err, cmp.Diff(want, got))
		}
		successor, err := Resume(ownIdentity, group, overTheWire(t, held), h.From, at(2), defaults)
		if err != nil {
			t.Fatalf("Resume: %v", err)
		}
		restored := overTheWire(t, successor.restored())
		if diff := cmp.Diff(want, restored.Spec); diff != "" {
			t.Errorf("restored record (-want, +got):\n%s", diff)
		}
		if key != Annotation && restored.Annotations[key] != value {
			t.Errorf("annotation %q is %q, want %q", key, restored.Annotations[key], value)
		}
	})
}

// overTheWire is the lease as the API server returns it.
func overTheWire(t *testing.T, lease *coordinationv1.Lease) *coordinationv1.Lease {
	t.Helper()
	text, err := json.Marshal(lease)
	if err != nil {
		t.Fatal(err)
	}
	read := &coordinationv1.Lease{}
	if err := json.Unmarshal(text, read); err != nil {
		t.Fatal(err)
	}
	return read
}
