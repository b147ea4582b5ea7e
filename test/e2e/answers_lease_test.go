//go:build e2e

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

package e2e

import (
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// future is a version that no server has reached.
const future = "9000000000000000"

// leaseTalks are about creating, reading and updating leases.
var leaseTalks = map[string]func(*caller){
	"create": func(c *caller) {
		c.create(lease("a").Obj())
		c.get(lease("a").Obj())
	},
	"create again": func(c *caller) {
		c.create(lease("a").Obj())
		c.create(lease("a").Holder("two_2").Obj())
		c.get(lease("a").Obj())
	},
	"create after it was deleted": func(c *caller) {
		c.delete(c.create(lease("a").Obj()), metav1.DeleteOptions{})
		c.create(lease("a").Obj())
	},
	"create what exists, with a version": func(c *caller) {
		c.create(c.create(lease("a").Obj()))
	},
	"create with a version":         func(c *caller) { c.create(versioned("1", lease("a").Obj())) },
	"create with version 0":         func(c *caller) { c.create(versioned("0", lease("a").Obj())) },
	"create with a garbage version": func(c *caller) { c.create(versioned("abc", lease("a").Obj())) },
	"create with a UID":             func(c *caller) { c.create(identified("mine", lease("a").Obj())) },
	"create with what only the server can say": func(c *caller) {
		c.create(with(lease("a").Obj(), func(l *coordinationv1.Lease) {
			l.Generation = 7
			l.CreationTimestamp = metav1.NewTime(morning)
			l.DeletionTimestamp = ptr.To(metav1.NewTime(morning))
			l.DeletionGracePeriodSeconds = ptr.To[int64](5)
		}))
	},
	"create without a name": func(c *caller) { c.create(lease("").Obj()) },
	"create with names that are none": func(c *caller) {
		for _, name := range []string{"Upper", "under_score", "-dash", "dot.", "a/b", "a b", "ä", strings.Repeat("a", 254)} {
			c.create(lease(name).Obj())
		}
	},
	"create with long names": func(c *caller) {
		c.create(lease(strings.Repeat("a", 253)).Obj())
		c.create(lease("tekton-pipelines-controller.github.com.tektoncd.pipeline.pkg.reconciler.resolutionrequest.reconciler.00-of-10").Obj())
	},
	"create in another namespace": func(c *caller) { c.create(lease("a").Namespace("elsewhere").Obj()) },
	"create with values that are none": func(c *caller) {
		c.create(lease("a").Duration(0).Obj())
		c.create(lease("a").Duration(-1).Obj())
		c.create(lease("a").Transitions(-1).Obj())
		c.create(lease("a").Transitions(-1).Duration(-1).Obj())
		c.create(with(lease("a").Obj(), func(l *coordinationv1.Lease) { l.Labels = map[string]string{"a b": "c"} }))
		c.create(with(lease("a").Obj(), func(l *coordinationv1.Lease) { l.Labels = map[string]string{"a": "b c"} }))
		c.create(lease("a").Annotation("a b", "c").Obj())
		c.create(lease("a").Annotation("big", strings.Repeat("x", 256<<10)).Obj())
		c.get(lease("a").Obj())
	},
	"create with little in it": func(c *caller) {
		c.create(leasestesting.MakeLease("empty").Namespace("").Obj())
		c.create(leasestesting.MakeLease("released").Namespace("").Holder("").Duration(1).Transitions(3).Obj())
	},
	"create with annotations and labels": func(c *caller) {
		c.create(with(lease("a").Annotation("k", "").Obj(), func(l *coordinationv1.Lease) { l.Labels = map[string]string{"a": ""} }))
	},
	"times have microseconds": func(c *caller) {
		c.create(lease("a").Renewed(morning.Add(1999 * time.Nanosecond)).Obj())
		c.get(lease("a").Obj())
	},
	"create what is no object": func(c *caller) {
		like := lease("a").Obj()
		c.post(like, "application/json", `{`)
		c.post(like, "application/json", `[]`)
		c.post(like, "application/json", ``)
		c.post(like, "application/json", `{"metadata":{"name":"a"},"spec":{"leaseDurationSeconds":"60"}}`)
		c.post(like, "application/json", `{"metadata":{"name":"a"},"spec":{"renewTime":"yesterday"}}`)
		c.post(like, "application/json", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}`)
		c.post(like, "text/plain", `{"metadata":{"name":"a"}}`)
	},
	"create what says not what it is": func(c *caller) {
		c.post(lease("a").Obj(), "application/json", `{"metadata":{"name":"a"}}`)
	},
	"get what is missing": func(c *caller) {
		c.get(lease("a").Obj())
		c.delete(c.create(lease("a").Obj()), metav1.DeleteOptions{})
		c.get(lease("a").Obj())
	},
	"update": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.update(heldBy("two_2", c.update(heldBy("one_1b", a))))
		c.get(a)
	},
	"update with a version that is not the last": func(c *caller) {
		old := c.create(lease("a").Obj())
		c.update(heldBy("two_2", old))
		c.update(heldBy("three_3", old))
		c.update(versioned(future, old))
		c.update(versioned(future, old))
		c.get(old)
	},
	"update without a version": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.update(versioned("", heldBy("two_2", a)))
		c.update(versioned("0", heldBy("two_2", a)))
		c.update(identified("", versioned("", a)))
	},
	"update with a garbage version": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.update(versioned("abc", a))
		c.update(versioned("-1", a))
	},
	"update with another UID": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.update(identified("another", a))
		c.update(identified("another", versioned(future, a)))
		c.update(identified("another", versioned("", a)))
	},
	"update without a UID": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.update(identified("", heldBy("two_2", a)))
		c.update(identified("", versioned(future, a)))
	},
	"update of one that was deleted and made again": func(c *caller) {
		old := c.create(lease("a").Obj())
		c.delete(old, metav1.DeleteOptions{})
		c.create(lease("a").Obj())
		c.update(old)
		c.update(identified("", old))
	},
	"update that changes nothing": func(c *caller) {
		a := c.update(heldBy("two_2", c.create(lease("a").Obj())))
		c.update(a)
		c.update(heldBy("two_2", a))
		c.update(identified("", a))
		c.update(heldBy("three_3", a))
	},
	"update of the metadata": func(c *caller) {
		a := c.create(lease("a").Annotation("k", "v").Obj())
		a = c.update(with(a, func(l *coordinationv1.Lease) { l.Annotations = map[string]string{"k": "w"} }))
		a = c.update(with(a, func(l *coordinationv1.Lease) { l.Annotations = map[string]string{} }))
		a = c.update(with(a, func(l *coordinationv1.Lease) { l.Annotations = nil }))
		a = c.update(with(a, func(l *coordinationv1.Lease) { l.Labels = map[string]string{"a": "b"} }))
		c.update(with(a, func(l *coordinationv1.Lease) { l.Labels = map[string]string{"a": "b c"} }))
	},
	"update of what only the server can say": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.update(with(a, func(l *coordinationv1.Lease) { l.CreationTimestamp = metav1.Time{} }))
		c.update(with(a, func(l *coordinationv1.Lease) { l.CreationTimestamp = metav1.NewTime(morning) }))
		c.update(with(a, func(l *coordinationv1.Lease) { l.Generation = 7 }))
		c.update(with(a, func(l *coordinationv1.Lease) { l.DeletionTimestamp = ptr.To(metav1.NewTime(morning)) }))
	},
	"update to nothing": func(c *caller) {
		c.update(with(c.create(lease("a").Obj()), func(l *coordinationv1.Lease) { l.Spec = coordinationv1.LeaseSpec{} }))
	},
	"update to values that are none": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.update(with(a, func(l *coordinationv1.Lease) { l.Spec.LeaseDurationSeconds = ptr.To[int32](0) }))
		c.update(with(a, func(l *coordinationv1.Lease) { l.Spec.LeaseDurationSeconds = ptr.To[int32](-5) }))
		c.update(with(a, func(l *coordinationv1.Lease) { l.Spec.LeaseTransitions = ptr.To[int32](-1) }))
		c.update(with(versioned(future, a), func(l *coordinationv1.Lease) { l.Spec.LeaseDurationSeconds = ptr.To[int32](0) }))
		c.get(a)
	},
	"update of another name or namespace": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.put("b", a)
		c.put("a", with(a, func(l *coordinationv1.Lease) { l.Name = "" }))
		c.put("a", with(a, func(l *coordinationv1.Lease) { l.Namespace = "elsewhere" }))
		c.put("a", with(a, func(l *coordinationv1.Lease) { l.Namespace = "" }))
	},
	"update of one that is missing": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.delete(a, metav1.DeleteOptions{})
		c.update(a)
		c.update(versioned("", a))
		c.update(identified("", a))
		c.get(a)
		c.update(identified("", versioned("", a)))
		c.get(a)
	},
	"update that creates what is none": func(c *caller) {
		c.update(lease("a").Duration(0).Obj())
		c.update(versioned("0", lease("b").Obj()))
		c.update(versioned("abc", lease("c").Obj()))
	},
	"a subresource that leases have not": func(c *caller) {
		c.updateStatus(c.create(lease("a").Obj()))
	},
}
