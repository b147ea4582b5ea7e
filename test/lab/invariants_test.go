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

package lab

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/utils/ptr"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestInvariants does by hand what our controller must never do, and wants each of it noticed.
func TestInvariants(t *testing.T) {
	even, uneven := [][]int{{5, 5}, {5, 5}, {5, 5}}, [][]int{{6, 4}, {5, 5}, {5, 5}}
	cases := map[string]struct {
		spread [][]int
		do     func(l *Lab, leases coordinationclient.LeaseInterface, name string) error
		want   []string
	}{
		"nothing": {
			spread: even,
			do:     func(*Lab, coordinationclient.LeaseInterface, string) error { return nil },
		},
		"a hold that is given back": {
			spread: uneven,
			do: func(l *Lab, leases coordinationclient.LeaseInterface, name string) error {
				before, err := leases.Get(l.ctx, name, metav1.GetOptions{})
				l.try(err)
				held := hold(l, leases, before, 60)
				time.Sleep(20 * time.Second)
				held.Spec = before.Spec
				_, err = leases.Update(l.ctx, held, metav1.UpdateOptions{})
				return err
			},
		},
		"a hold although the spread is even": {
			spread: even,
			do: func(l *Lab, leases coordinationclient.LeaseInterface, name string) error {
				before, err := leases.Get(l.ctx, name, metav1.GetOptions{})
				l.try(err)
				held := hold(l, leases, before, 60)
				held.Spec = before.Spec
				_, err = leases.Update(l.ctx, held, metav1.UpdateOptions{})
				return err
			},
			want: []string{Idle, Probation},
		},
		"a write in vain although the spread is even": {
			spread: even,
			do: func(l *Lab, leases coordinationclient.LeaseInterface, name string) error {
				lease, err := leases.Get(l.ctx, name, metav1.GetOptions{})
				l.try(err)
				lease.ResourceVersion = "1"
				if _, err := leases.Update(l.ctx, lease, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
					return fmt.Errorf("the write was not in vain: %w", err)
				}
				return nil
			},
			want: []string{Idle},
		},
		"a lease to the replica that has most": {
			spread: uneven,
			do: func(l *Lab, leases coordinationclient.LeaseInterface, _ string) error {
				lease, err := leases.Get(l.ctx, l.Group(Queues[0]).Name(9), metav1.GetOptions{})
				l.try(err)
				held := hold(l, leases, lease, 60)
				time.Sleep(52 * time.Second)
				held.Spec.HolderIdentity = ptr.To(l.Replicas()[0].identity(Queues[0]))
				_, err = leases.Update(l.ctx, held, metav1.UpdateOptions{})
				return err
			},
			want: []string{FewMoves},
		},
		"a hold for a replica on probation": {
			spread: [][]int{{10, 0}, {10, 0}, {10, 0}},
			do: func(l *Lab, leases coordinationclient.LeaseInterface, name string) error {
				l.Replicas()[1].SetReady(false)
				l.Replicas()[1].SetReady(true)
				before, err := leases.Get(l.ctx, name, metav1.GetOptions{})
				l.try(err)
				held := hold(l, leases, before, 60)
				held.Spec = before.Spec
				_, err = leases.Update(l.ctx, held, metav1.UpdateOptions{})
				return err
			},
			want: []string{Probation},
		},
		"a hold that lasts": {
			spread: uneven,
			do: func(l *Lab, leases coordinationclient.LeaseInterface, name string) error {
				before, err := leases.Get(l.ctx, name, metav1.GetOptions{})
				l.try(err)
				hold(l, leases, before, 300)
				return nil
			},
			want: []string{ShortGap},
		},
		"a delete without preconditions": {
			spread: uneven,
			do: func(l *Lab, leases coordinationclient.LeaseInterface, name string) error {
				before, err := leases.Get(l.ctx, name, metav1.GetOptions{})
				l.try(err)
				l.try(leases.Delete(l.ctx, name, metav1.DeleteOptions{}))
				before.ResourceVersion = ""
				_, err = leases.Create(l.ctx, before, metav1.CreateOptions{})
				return err
			},
			want: []string{Preconditions},
		},
		"another replica's name while the holder leads": {
			spread: uneven,
			do: func(l *Lab, leases coordinationclient.LeaseInterface, name string) error {
				before, err := leases.Get(l.ctx, name, metav1.GetOptions{})
				l.try(err)
				before.Spec.HolderIdentity = ptr.To(l.Replicas()[1].identity(Queues[0]))
				_, err = leases.Update(l.ctx, before, metav1.UpdateOptions{})
				return err
			},
			want: []string{OneLeader},
		},
		"a lease of somebody else": {
			spread: uneven,
			do: func(l *Lab, leases coordinationclient.LeaseInterface, _ string) error {
				_, err := leases.Create(l.ctx, leasestesting.MakeLease("somebody.else.00-of-10").Obj(), metav1.CreateOptions{})
				return err
			},
			want: []string{OnlyOurs},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			run(t, Options{Tolerate: invariants}, func(l *Lab) {
				l.Arrange(tc.spread...)
				time.Sleep(time.Minute)
				l.Strict()
				leases := l.API.NewClient(controllerName, leasestesting.ClientOptions{}).Kube().
					CoordinationV1().Leases(leasestesting.Namespace)
				l.try(tc.do(l, leases, l.Group(Queues[0]).Name(0)))
				time.Sleep(2 * time.Minute)
				l.end(func() {})
				for _, v := range l.Violations() {
					if !slices.Contains(got, v.Invariant) {
						got = append(got, v.Invariant)
					}
				}
			})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error("unexpected violations (-want, +got):\n", diff)
			}
		})
	}
}

func hold(l *Lab, leases coordinationclient.LeaseInterface, lease *coordinationv1.Lease, seconds int32) *coordinationv1.Lease {
	l.T.Helper()
	lease = lease.DeepCopy()
	lease.Spec.HolderIdentity = ptr.To(controllerName + "_1")
	lease.Spec.LeaseDurationSeconds = &seconds
	held, err := leases.Update(l.ctx, lease, metav1.UpdateOptions{})
	l.try(err)
	return held
}
