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
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// patchTalks are about patches, of leases.
var patchTalks = map[string]func(*caller){
	"merge": func(c *caller) {
		a := c.create(lease("a").Annotation("old", "1").Obj())
		c.patch(a, types.MergePatchType, `{"metadata":{"annotations":{"new":"2"}}}`)
		c.patch(a, types.MergePatchType, `{"metadata":{"annotations":{"old":null}},"spec":{"holderIdentity":"two_2"}}`)
		c.patch(a, types.MergePatchType, `{"spec":{"holderIdentity":null}}`)
	},
	"strategic merge": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.patch(a, types.StrategicMergePatchType, `{"metadata":{"labels":{"a":"b"}},"spec":{"leaseTransitions":4}}`)
		c.patch(a, types.StrategicMergePatchType, `{"metadata":{"labels":null}}`)
	},
	"one that changes nothing": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.patch(a, types.MergePatchType, `{}`)
		c.patch(a, types.MergePatchType, `{"spec":{"holderIdentity":"one_1"}}`)
		c.patch(a, types.StrategicMergePatchType, `{"metadata":{"annotations":null}}`)
	},
	"with versions": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.patch(a, types.MergePatchType, `{"metadata":{"resourceVersion":"`+a.GetResourceVersion()+`"},"spec":{"leaseTransitions":1}}`)
		c.patch(a, types.MergePatchType, `{"metadata":{"resourceVersion":"`+a.GetResourceVersion()+`"},"spec":{"leaseTransitions":2}}`)
		c.patch(a, types.MergePatchType, `{"metadata":{"resourceVersion":"abc"},"spec":{"leaseTransitions":3}}`)
		c.patch(a, types.MergePatchType, `{"metadata":{"resourceVersion":null},"spec":{"leaseTransitions":4}}`)
	},
	"with UIDs": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.patch(a, types.MergePatchType, `{"metadata":{"uid":"`+string(a.GetUID())+`"},"spec":{"leaseTransitions":1}}`)
		c.patch(a, types.MergePatchType, `{"metadata":{"uid":"another"},"spec":{"leaseTransitions":2}}`)
		c.patch(a, types.MergePatchType, `{"metadata":{"uid":null},"spec":{"leaseTransitions":3}}`)
	},
	"to what is none": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.patch(a, types.MergePatchType, `{"spec":{"leaseDurationSeconds":0}}`)
		c.patch(a, types.MergePatchType, `{"spec":{"leaseDurationSeconds":"x"}}`)
		c.patch(a, types.MergePatchType, `{"metadata":{"name":"b"}}`)
		c.patch(a, types.MergePatchType, `{"metadata":{"namespace":"elsewhere"}}`)
		c.patch(a, types.MergePatchType, `{"kind":"ConfigMap","apiVersion":"v1"}`)
		c.get(a)
	},
	"garbage": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.patch(a, types.MergePatchType, `{`)
		c.patch(a, types.MergePatchType, `[]`)
		c.patch(a, types.MergePatchType, `null`)
		c.patch(a, types.StrategicMergePatchType, `{`)
		c.patch(a, "text/plain", `{}`)
	},
	"of one that is missing": func(c *caller) {
		c.patch(lease("a").Obj(), types.MergePatchType, `{"spec":{"leaseTransitions":1}}`)
		c.patch(lease("a").Obj(), types.MergePatchType, `{`)
	},
}

// deleteTalks are about deleting leases.
var deleteTalks = map[string]func(*caller){
	"without options": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.delete(a, metav1.DeleteOptions{})
		c.delete(a, metav1.DeleteOptions{})
		c.get(a)
	},
	"of one that is missing": func(c *caller) {
		c.delete(lease("a").Obj(), metav1.DeleteOptions{})
		c.delete(lease("a").Obj(), only("some", "5"))
	},
	"with preconditions": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.delete(a, only(a.GetUID(), a.GetResourceVersion()))
		c.get(a)
		c.delete(a, only(a.GetUID(), a.GetResourceVersion()))
	},
	"with preconditions that do not hold": func(c *caller) {
		old := c.create(lease("a").Obj())
		last := c.update(heldBy("two_2", old))
		c.delete(old, only(old.GetUID(), old.GetResourceVersion()))
		c.delete(old, only("another", last.GetResourceVersion()))
		c.delete(old, only("another", old.GetResourceVersion()))
		c.delete(old, only("another", ""))
		c.delete(old, only("", old.GetResourceVersion()))
		c.delete(old, only("", "abc"))
		c.delete(old, only("", future))
		c.get(old)
		c.delete(old, only("", last.GetResourceVersion()))
		c.get(old)
	},
	"with empty preconditions": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.delete(a, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: ptr.To[types.UID]("")}})
		c.delete(a, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: ptr.To("")}})
		c.delete(a, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{}})
		c.get(a)
	},
	"of one that was made again": func(c *caller) {
		old := c.create(lease("a").Obj())
		c.delete(old, metav1.DeleteOptions{})
		c.create(lease("a").Obj())
		c.delete(old, only(old.GetUID(), ""))
		c.delete(old, only(old.GetUID(), old.GetResourceVersion()))
		c.get(old)
	},
	"with a grace period, which leases have not": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.delete(a, metav1.DeleteOptions{GracePeriodSeconds: ptr.To[int64](30)})
		c.get(a)
	},
	"in the background": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.delete(a, metav1.DeleteOptions{PropagationPolicy: ptr.To(metav1.DeletePropagationBackground)})
		c.get(a)
	},
}

// only are preconditions; what is empty is not asked for.
func only(uid types.UID, version string) metav1.DeleteOptions {
	p := &metav1.Preconditions{}
	if uid != "" {
		p.UID = &uid
	}
	if version != "" {
		p.ResourceVersion = &version
	}
	return metav1.DeleteOptions{Preconditions: p}
}

// labelled returns a lease with the label "a".
func labelled(name, value string) leasestesting.Object {
	return with(lease(name).Obj(), func(l *coordinationv1.Lease) { l.Labels = map[string]string{"a": value} })
}

// listTalks are about lists of leases, whole and in part.
var listTalks = map[string]func(*caller){
	"nothing": func(c *caller) { c.list(lease("").Obj(), metav1.ListOptions{}) },
	"in order": func(c *caller) {
		for _, name := range []string{"b", "a.b", "a-b", "a", "b1"} {
			c.create(lease(name).Obj())
		}
		c.list(lease("").Obj(), metav1.ListOptions{})
	},
	"by labels": func(c *caller) {
		c.create(labelled("one", "1"))
		c.create(labelled("two", "2"))
		c.create(lease("none").Obj())
		for _, selector := range []string{"", "a", "!a", "a=1", "a==1", "a!=1", "a in (1,2)", "a notin (1)", "a=1,a=2", "a in", "a=b=c", "a b"} {
			c.list(lease("").Obj(), metav1.ListOptions{LabelSelector: selector})
		}
	},
	"by fields": func(c *caller) {
		c.create(lease("one").Obj())
		c.create(lease("two").Obj())
		for _, selector := range []string{
			"metadata.name=one", "metadata.name==one", "metadata.name!=one", "metadata.name=", "metadata.name=three",
			"metadata.namespace=" + c.namespace, "metadata.namespace=elsewhere", "metadata.namespace=" + c.namespace + ",metadata.name=one",
			"spec.holderIdentity=one_1", "metadata.uid=x", "x",
		} {
			c.list(lease("").Obj(), metav1.ListOptions{FieldSelector: selector})
		}
	},
	"by a label and a field": func(c *caller) {
		c.create(labelled("one", "1"))
		c.create(labelled("two", "1"))
		c.list(lease("").Obj(), metav1.ListOptions{FieldSelector: "metadata.name=two", LabelSelector: "a"})
		c.list(lease("").Obj(), metav1.ListOptions{FieldSelector: "metadata.name=two", LabelSelector: "!a"})
	},
	"at a version": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.list(a, metav1.ListOptions{ResourceVersion: "0"})
		c.list(a, metav1.ListOptions{ResourceVersion: a.GetResourceVersion(), ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan})
		c.list(a, metav1.ListOptions{ResourceVersion: "abc"})
		c.list(a, metav1.ListOptions{ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan})
	},
}
