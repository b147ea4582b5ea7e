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
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

func empty(b *bench) {
	b.edit(func(l *coordinationv1.Lease) { l.Spec = coordinationv1.LeaseSpec{} })
}

// TestRestore: the holder finds its own record again and leads on.
func TestRestore(t *testing.T) {
	cases := map[string]func(*bench){
		"deleted":                  (*bench).remove,
		"emptied":                  empty,
		"the holder alone removed": func(b *bench) { b.edit(func(l *coordinationv1.Lease) { l.Spec.HolderIdentity = nil }) },
		"held by us once, emptied": func(b *bench) {
			held1(b)
			empty(b)
		},
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			lost := b.lease()
			change(b)
			if err := Restore(t.Context(), b.c, lost, b.lease()); err != nil {
				t.Fatalf("Restore: %v", err)
			}
			if diff := cmp.Diff(old(), b.lease().Spec); diff != "" {
				t.Errorf("record (-want, +got):\n%s", diff)
			}
			if got := b.lease().Annotations["example.com/note"]; got != "kept" {
				t.Errorf("the annotation of somebody else is %q, want it kept", got)
			}
		})
	}
}

// TestRestoreDropsOurAnnotation: it belonged to an earlier hold.
func TestRestoreDropsOurAnnotation(t *testing.T) {
	b := newBench(t)
	b.edit(func(l *coordinationv1.Lease) { l.Annotations[Annotation] = "{}" })
	lost := b.lease()
	b.remove()
	if err := Restore(t.Context(), b.c, lost, nil); err != nil {
		t.Fatalf("Restore: %v", err)
	}
	if diff := cmp.Diff(map[string]string{"example.com/note": "kept"}, b.lease().Annotations); diff != "" {
		t.Errorf("annotations (-want, +got):\n%s", diff)
	}
}

// TestRestoreTooLate: whoever acquired the lease meanwhile keeps it, though the
// cache does not show that yet.
func TestRestoreTooLate(t *testing.T) {
	cases := map[string]struct {
		change, then func(*bench)
		refused      func(error) bool
	}{
		"deleted and created":          {(*bench).remove, func(b *bench) { b.create(stranger) }, apierrors.IsAlreadyExists},
		"emptied and acquired":         {empty, func(b *bench) { b.wrote(stranger, at(1)) }, apierrors.IsConflict},
		"emptied, deleted and created": {empty, func(b *bench) { b.remove(); b.create(stranger) }, apierrors.IsConflict},
		"emptied and deleted":          {empty, (*bench).remove, apierrors.IsConflict},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			lost := b.lease()
			tc.change(b)
			cached := b.lease()
			tc.then(b)
			want := b.lease()
			if err := Restore(t.Context(), b.c, lost, cached); !tc.refused(err) {
				t.Errorf("Restore = %v, want it to be refused", err)
			}
			if diff := cmp.Diff(want, b.lease()); diff != "" {
				t.Errorf("lease (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestErrorsWrap: callers tell errors apart by what client-go returns.
func TestErrorsWrap(t *testing.T) {
	calls := map[string]func(context.Context, *bench) error{
		"restore": func(ctx context.Context, b *bench) error { return Restore(ctx, b.c, b.lease(), b.lease()) },
		"write":   func(ctx context.Context, b *bench) error { return b.Do(ctx, b.c, at(1), Decision{Action: Hold}) },
		"delete":  func(ctx context.Context, b *bench) error { return b.Do(ctx, b.c, at(1), Decision{Action: Release}) },
		"read": func(ctx context.Context, b *bench) error {
			b.attempt = &attempt{action: Hold}
			return b.Do(ctx, b.c, at(1), Decision{Action: Read})
		},
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.fault = func(leasestesting.Request) leasestesting.Fault { return leasestesting.Fault{Err: errNetwork} }
			if err := call(t.Context(), b); !errors.Is(err, errNetwork) {
				t.Errorf("error %v, want one that wraps %v", err, errNetwork)
			}
		})
	}
}
