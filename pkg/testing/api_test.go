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

package testing

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"
)

// code returns the HTTP status of an answer that the clientset turned into err; 0 is success.
func code(err error) int32 {
	if status, ok := err.(apierrors.APIStatus); ok {
		return status.Status().Code
	}
	if err != nil {
		return -1
	}
	return 0
}

// TestLeaseAnswers holds the API to what a real API server was seen to answer.
func TestLeaseAnswers(t *testing.T) {
	leases := func(kc kubernetes.Interface) leaseClient { return kc.CoordinationV1().Leases(Namespace) }
	cases := map[string]struct {
		do func(ctx context.Context, c leaseClient, there *coordinationv1.Lease) error
		// want is the status of the answer, reason its reason.
		want   int32
		reason metav1.StatusReason
		// holder is who holds the lease "there" afterwards; "" if it is gone.
		holder string
	}{
		"PUT to a missing lease with a UID": {
			do: func(ctx context.Context, c leaseClient, there *coordinationv1.Lease) error {
				there.Name = "missing"
				return second(c.Update(ctx, there, metav1.UpdateOptions{}))
			},
			want: 409, reason: metav1.StatusReasonConflict, holder: "a_1",
		},
		"PUT to a missing lease without a UID creates it": {
			do: func(ctx context.Context, c leaseClient, _ *coordinationv1.Lease) error {
				if err := second(c.Update(ctx, MakeLease("missing").Obj(), metav1.UpdateOptions{})); err != nil {
					return err
				}
				return second(c.Get(ctx, "missing", metav1.GetOptions{}))
			},
			holder: "a_1",
		},
		"PUT without a resourceVersion": {
			do: func(ctx context.Context, c leaseClient, there *coordinationv1.Lease) error {
				there.ResourceVersion = ""
				return second(c.Update(ctx, there, metav1.UpdateOptions{}))
			},
			want: 422, reason: metav1.StatusReasonInvalid, holder: "a_1",
		},
		"PUT with another resourceVersion": {
			do: func(ctx context.Context, c leaseClient, there *coordinationv1.Lease) error {
				there.ResourceVersion = "12345"
				return second(c.Update(ctx, there, metav1.UpdateOptions{}))
			},
			want: 409, reason: metav1.StatusReasonConflict, holder: "a_1",
		},
		"PUT with another UID": {
			do: func(ctx context.Context, c leaseClient, there *coordinationv1.Lease) error {
				there.UID = "another"
				return second(c.Update(ctx, there, metav1.UpdateOptions{}))
			},
			want: 409, reason: metav1.StatusReasonConflict, holder: "a_1",
		},
		"PUT with a duration of 0": {
			do: func(ctx context.Context, c leaseClient, there *coordinationv1.Lease) error {
				there.Spec.LeaseDurationSeconds = ptr.To[int32](0)
				return second(c.Update(ctx, there, metav1.UpdateOptions{}))
			},
			want: 422, reason: metav1.StatusReasonInvalid, holder: "a_1",
		},
		"PUT with negative transitions": {
			do: func(ctx context.Context, c leaseClient, there *coordinationv1.Lease) error {
				there.Spec.LeaseTransitions = ptr.To[int32](-1)
				return second(c.Update(ctx, there, metav1.UpdateOptions{}))
			},
			want: 422, reason: metav1.StatusReasonInvalid, holder: "a_1",
		},
		"PUT with a resourceVersion that is no number": {
			do: func(ctx context.Context, c leaseClient, there *coordinationv1.Lease) error {
				there.ResourceVersion = "abc"
				return second(c.Update(ctx, there, metav1.UpdateOptions{}))
			},
			want: 500, holder: "a_1",
		},
		"PUT without a UID": {
			do: func(ctx context.Context, c leaseClient, there *coordinationv1.Lease) error {
				there.UID = ""
				there.Spec.HolderIdentity = ptr.To("b_2")
				return second(c.Update(ctx, there, metav1.UpdateOptions{}))
			},
			holder: "b_2",
		},
		"POST without a name": {
			do: func(ctx context.Context, c leaseClient, _ *coordinationv1.Lease) error {
				return second(c.Create(ctx, MakeLease("").Obj(), metav1.CreateOptions{}))
			},
			want: 422, reason: metav1.StatusReasonInvalid, holder: "a_1",
		},
		"POST with a bad name": {
			do: func(ctx context.Context, c leaseClient, _ *coordinationv1.Lease) error {
				return second(c.Create(ctx, MakeLease("Upper_Case").Obj(), metav1.CreateOptions{}))
			},
			want: 422, reason: metav1.StatusReasonInvalid, holder: "a_1",
		},
		"PUT of another namespace's object": {
			do: func(ctx context.Context, c leaseClient, there *coordinationv1.Lease) error {
				there.Namespace = "elsewhere"
				return second(c.Update(ctx, there, metav1.UpdateOptions{}))
			},
			want: 400, reason: metav1.StatusReasonBadRequest, holder: "a_1",
		},
		"PUT": {
			do: func(ctx context.Context, c leaseClient, there *coordinationv1.Lease) error {
				there.Spec.HolderIdentity = ptr.To("b_2")
				return second(c.Update(ctx, there, metav1.UpdateOptions{}))
			},
			holder: "b_2",
		},
		"POST with a resourceVersion": {
			do: func(ctx context.Context, c leaseClient, _ *coordinationv1.Lease) error {
				return second(c.Create(ctx, MakeLease("new").ResourceVersion("1").Obj(), metav1.CreateOptions{}))
			},
			want: 500, holder: "a_1",
		},
		"POST with version 0, which is none": {
			do: func(ctx context.Context, c leaseClient, _ *coordinationv1.Lease) error {
				return second(c.Create(ctx, MakeLease("new").ResourceVersion("0").Obj(), metav1.CreateOptions{}))
			},
			holder: "a_1",
		},
		"POST with a resourceVersion that is no number": {
			do: func(ctx context.Context, c leaseClient, _ *coordinationv1.Lease) error {
				return second(c.Create(ctx, MakeLease("new").ResourceVersion("abc").Obj(), metav1.CreateOptions{}))
			},
			holder: "a_1",
		},
		"POST of an existing lease that is invalid": {
			do: func(ctx context.Context, c leaseClient, _ *coordinationv1.Lease) error {
				return second(c.Create(ctx, MakeLease("there").Duration(0).Obj(), metav1.CreateOptions{}))
			},
			want: 422, reason: metav1.StatusReasonInvalid, holder: "a_1",
		},
		"POST with an annotation that has no legal key": {
			do: func(ctx context.Context, c leaseClient, _ *coordinationv1.Lease) error {
				return second(c.Create(ctx, MakeLease("new").Annotation("a b", "").Obj(), metav1.CreateOptions{}))
			},
			want: 422, reason: metav1.StatusReasonInvalid, holder: "a_1",
		},
		"PUT with a label that is none": {
			do: func(ctx context.Context, c leaseClient, there *coordinationv1.Lease) error {
				there.Labels = map[string]string{"a": "b c"}
				return second(c.Update(ctx, there, metav1.UpdateOptions{}))
			},
			want: 422, reason: metav1.StatusReasonInvalid, holder: "a_1",
		},
		"PUT that marks it as deleted": {
			do: func(ctx context.Context, c leaseClient, there *coordinationv1.Lease) error {
				there.DeletionTimestamp = ptr.To(metav1.Now())
				return second(c.Update(ctx, there, metav1.UpdateOptions{}))
			},
			want: 422, reason: metav1.StatusReasonInvalid, holder: "a_1",
		},
		"PUT with version 0, which is none": {
			do: func(ctx context.Context, c leaseClient, there *coordinationv1.Lease) error {
				there.ResourceVersion = "0"
				return second(c.Update(ctx, there, metav1.UpdateOptions{}))
			},
			want: 422, reason: metav1.StatusReasonInvalid, holder: "a_1",
		},
		"PUT to a missing lease with a resourceVersion that is no number": {
			do: func(ctx context.Context, c leaseClient, _ *coordinationv1.Lease) error {
				return second(c.Update(ctx, MakeLease("missing").ResourceVersion("abc").Obj(), metav1.UpdateOptions{}))
			},
			want: 500, holder: "a_1",
		},
		"PUT to a missing lease of what is invalid": {
			do: func(ctx context.Context, c leaseClient, _ *coordinationv1.Lease) error {
				return second(c.Update(ctx, MakeLease("missing").Duration(-1).Obj(), metav1.UpdateOptions{}))
			},
			want: 422, reason: metav1.StatusReasonInvalid, holder: "a_1",
		},
		"POST of an existing lease": {
			do: func(ctx context.Context, c leaseClient, _ *coordinationv1.Lease) error {
				return second(c.Create(ctx, MakeLease("there").Obj(), metav1.CreateOptions{}))
			},
			want: 409, reason: metav1.StatusReasonAlreadyExists, holder: "a_1",
		},
		"DELETE with another UID": {
			do: func(ctx context.Context, c leaseClient, _ *coordinationv1.Lease) error {
				return c.Delete(ctx, "there", preconditions("another", ""))
			},
			want: 409, reason: metav1.StatusReasonConflict, holder: "a_1",
		},
		"DELETE with another resourceVersion": {
			do: func(ctx context.Context, c leaseClient, there *coordinationv1.Lease) error {
				return c.Delete(ctx, "there", preconditions(there.UID, "12345"))
			},
			want: 409, reason: metav1.StatusReasonConflict, holder: "a_1",
		},
		"DELETE of a missing lease": {
			do: func(ctx context.Context, c leaseClient, _ *coordinationv1.Lease) error {
				return c.Delete(ctx, "missing", metav1.DeleteOptions{})
			},
			want: 404, reason: metav1.StatusReasonNotFound, holder: "a_1",
		},
		"DELETE": {
			do: func(ctx context.Context, c leaseClient, there *coordinationv1.Lease) error {
				return c.Delete(ctx, "there", preconditions(there.UID, there.ResourceVersion))
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			api := NewAPI(MakeLease("there").Holder("a_1").Duration(60).Obj())
			c := leases(api.NewClient("test", ClientOptions{}).Kube())
			there, err := c.Get(t.Context(), "there", metav1.GetOptions{})
			if err != nil {
				t.Fatal("failed to get the lease:", err)
			}
			err = tc.do(t.Context(), c, there)
			if got := code(err); got != tc.want {
				t.Errorf("code = %d (%v), want %d", got, err, tc.want)
			}
			if tc.reason != "" && apierrors.ReasonForError(err) != tc.reason {
				t.Errorf("reason = %q, want %q", apierrors.ReasonForError(err), tc.reason)
			}
			holder := ""
			if there, err := c.Get(t.Context(), "there", metav1.GetOptions{}); err == nil {
				holder = *there.Spec.HolderIdentity
			}
			if holder != tc.holder {
				t.Errorf("holder = %q, want %q", holder, tc.holder)
			}
		})
	}
}

type leaseClient interface {
	Get(context.Context, string, metav1.GetOptions) (*coordinationv1.Lease, error)
	Create(context.Context, *coordinationv1.Lease, metav1.CreateOptions) (*coordinationv1.Lease, error)
	Update(context.Context, *coordinationv1.Lease, metav1.UpdateOptions) (*coordinationv1.Lease, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
}

func second[T any](_ T, err error) error { return err }

func preconditions(uid types.UID, version string) metav1.DeleteOptions {
	p := &metav1.Preconditions{UID: &uid}
	if version != "" {
		p.ResourceVersion = &version
	}
	return metav1.DeleteOptions{Preconditions: p}
}

func TestVersions(t *testing.T) {
	api := NewAPI()
	c := api.NewClient("test", ClientOptions{}).Kube().CoordinationV1().Leases(Namespace)
	one, err := c.Create(t.Context(), MakeLease("one").UID("mine").Obj(), metav1.CreateOptions{})
	if err != nil {
		t.Fatal("failed to create:", err)
	}
	two, err := c.Create(t.Context(), MakeLease("two").Obj(), metav1.CreateOptions{})
	if err != nil {
		t.Fatal("failed to create:", err)
	}
	if one.UID == "mine" || one.UID == "" || one.UID == two.UID {
		t.Errorf("UIDs = %q, %q, want two that the server made", one.UID, two.UID)
	}
	if one.CreationTimestamp.IsZero() || one.ResourceVersion == two.ResourceVersion {
		t.Errorf("created %v and %v, want times and different versions", one.ObjectMeta, two.ObjectMeta)
	}
	same, err := c.Update(t.Context(), one, metav1.UpdateOptions{})
	if err != nil {
		t.Fatal("failed to update:", err)
	}
	if diff := cmp.Diff(one, same); diff != "" {
		t.Error("an update that changes nothing changed the object (-want, +got):\n", diff)
	}
	one.Spec.HolderIdentity = ptr.To("a_1")
	changed, err := c.Update(t.Context(), one, metav1.UpdateOptions{})
	if err != nil {
		t.Fatal("failed to update:", err)
	}
	if changed.ResourceVersion != "3" || changed.UID != one.UID {
		t.Errorf("version %s of %s, want the third of %s", changed.ResourceVersion, changed.UID, one.UID)
	}
}

func TestMissingObjects(t *testing.T) {
	api := NewAPI()
	kc := api.NewClient("test", ClientOptions{}).Kube()
	ctx := t.Context()
	gone := map[string]error{
		"get":          second(kc.CoreV1().Pods(Namespace).Get(ctx, "x", metav1.GetOptions{})),
		"put pod":      second(kc.CoreV1().Pods(Namespace).Update(ctx, MakePod("x").UID("").Obj(), metav1.UpdateOptions{})),
		"put status":   second(kc.CoreV1().Pods(Namespace).UpdateStatus(ctx, MakePod("x").UID("").Obj(), metav1.UpdateOptions{})),
		"patch":        second(kc.CoreV1().Events(Namespace).Patch(ctx, "x", types.MergePatchType, []byte("{}"), metav1.PatchOptions{})),
		"unknown kind": second(kc.CoreV1().Secrets(Namespace).Get(ctx, "x", metav1.GetOptions{})),
	}
	for name, err := range gone {
		if code(err) != http.StatusNotFound {
			t.Errorf("%s: %v, want not found", name, err)
		}
	}
}

func TestConfigMapUpdateIsUnconditional(t *testing.T) {
	api := NewAPI(MakeConfigMap("cm", "buckets", "1"))
	c := api.NewClient("test", ClientOptions{}).Kube().CoreV1().ConfigMaps(Namespace)
	if _, err := c.Update(t.Context(), MakeConfigMap("cm", "buckets", "2"), metav1.UpdateOptions{}); err != nil {
		t.Fatal("failed to update:", err)
	}
	got := Objects(api, &corev1.ConfigMap{})
	if len(got) != 1 || got[0].Data["buckets"] != "2" {
		t.Errorf("ConfigMaps = %v, want one with buckets 2", got)
	}
}

func TestObserve(t *testing.T) {
	api := NewAPI()
	type seen struct {
		Client, Verb, Name    string
		Code                  int
		Sent, Before, After   string
		PreconditionedVersion string
	}
	holder := func(obj any) string {
		if lease, ok := obj.(*coordinationv1.Lease); ok {
			return ptr.Deref(lease.Spec.HolderIdentity, "none")
		}
		return ""
	}
	var got []seen
	api.Observe(func(o Observation) {
		s := seen{Client: o.Client, Verb: o.Verb, Name: o.Name, Code: o.Code, Sent: holder(o.Sent), Before: holder(o.Before), After: holder(o.After)}
		if options, ok := o.Sent.(*metav1.DeleteOptions); ok {
			s.PreconditionedVersion = *options.Preconditions.ResourceVersion
		}
		got = append(got, s)
	})
	c := api.NewClient("me", ClientOptions{}).Kube().CoordinationV1().Leases(Namespace)
	lease, err := c.Create(t.Context(), MakeLease("x").Holder("a").Obj(), metav1.CreateOptions{})
	if err != nil {
		t.Fatal("failed to create:", err)
	}
	_ = second(c.Create(t.Context(), MakeLease("x").Holder("b").Obj(), metav1.CreateOptions{}))
	lease.Spec.HolderIdentity = ptr.To("c")
	lease, err = c.Update(t.Context(), lease, metav1.UpdateOptions{})
	if err != nil {
		t.Fatal("failed to update:", err)
	}
	if err := c.Delete(t.Context(), "x", preconditions(lease.UID, lease.ResourceVersion)); err != nil {
		t.Fatal("failed to delete:", err)
	}
	_ = second(c.Get(t.Context(), "x", metav1.GetOptions{}))
	want := []seen{
		{Client: "me", Verb: "create", Name: "x", Code: 201, Sent: "a", After: "a"},
		{Client: "me", Verb: "create", Name: "x", Code: 409, Sent: "b", Before: "a", After: "a"},
		{Client: "me", Verb: "update", Name: "x", Code: 200, Sent: "c", Before: "a", After: "c"},
		{Client: "me", Verb: "delete", Name: "x", Code: 200, Before: "c", PreconditionedVersion: "2"},
		{Client: "me", Verb: "get", Name: "x", Code: 404},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("unexpected observations (-want, +got):\n", diff)
	}
}
