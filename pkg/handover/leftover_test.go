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
	"errors"
	"testing"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestRemove: a lease is deleted only if it is what the watch showed.
func TestRemove(t *testing.T) {
	cases := map[string]struct {
		then  func(*bench)
		group bucket.Group
		gone  bool
		err   func(error) bool
	}{
		"unchanged":         {gone: true},
		"somebody took it":  {then: func(b *bench) { b.wrote(stranger, stamp) }, err: func(err error) bool { return errors.Is(err, errInUse) }},
		"it was renewed":    {then: func(b *bench) { b.wrote(oldHolder.Identity, at(9)) }, err: func(err error) bool { return errors.Is(err, errInUse) }},
		"deleted":           {then: func(b *bench) { b.remove() }, gone: true, err: apierrors.IsNotFound},
		"deleted and taken": {then: func(b *bench) { b.remove(); b.create(stranger) }, err: func(err error) bool { return errors.Is(err, errInUse) }},
		"another group's": {
			group: bucket.Group{Prefix: group.Prefix, Buckets: 4},
			err:   func(err error) bool { return errors.Is(err, errInUse) },
		},
		"taken between the two calls": {
			then: func(b *bench) {
				b.fault = func(r leasestesting.Request) leasestesting.Fault {
					if r.Verb == "delete" {
						b.wrote(stranger, stamp)
					}
					return leasestesting.Fault{}
				}
			},
			err: apierrors.IsConflict,
		},
		"the network broke": {
			then: func(b *bench) {
				b.fault = func(leasestesting.Request) leasestesting.Fault { return leasestesting.Fault{Err: errNetwork} }
			},
			err: func(err error) bool { return err != nil },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b := benchOn(t)
			lease := b.lease()
			if tc.then != nil {
				tc.then(b)
			}
			if tc.group == (bucket.Group{}) {
				tc.group = group
			}
			err := Remove(t.Context(), b.c, tc.group, lease)
			if tc.err == nil && err != nil || tc.err != nil && !tc.err(err) {
				t.Errorf("Remove: %v", err)
			}
			if gone := b.lease() == nil; gone != tc.gone {
				t.Errorf("gone: %v, want %v", gone, tc.gone)
			}
		})
	}
}

// TestRemoveNoBucket: what is no bucket is never deleted.
func TestRemoveNoBucket(t *testing.T) {
	b := benchOn(t)
	b.api.Seed(leasestesting.MakeLease("my-lock").Obj())
	lock := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "my-lock"}, Spec: coordinationv1.LeaseSpec{HolderIdentity: ptr.To("")}}
	if err := Remove(t.Context(), b.c, group, lock); err == nil || len(leasestesting.Objects(b.api, lock)) != 2 {
		t.Errorf("Remove: %v, want an error and nothing deleted", err)
	}
}
