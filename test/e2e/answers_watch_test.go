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
	"k8s.io/utils/ptr"
)

// asInformers is how a client-go informer asks: everything as events, then a
// bookmark, then what changes.
var asInformers = metav1.ListOptions{
	SendInitialEvents: ptr.To(true), AllowWatchBookmarks: true, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
}

// lifetime is what happens to leases while they are watched: "b" is made,
// changed, deleted and made again, and "end" is made.
func (c *caller) lifetime() {
	b := c.create(labelled("b", "1"))
	b = c.update(heldBy("two_2", b))
	c.update(b)
	b = c.update(with(b, func(l *coordinationv1.Lease) { l.Labels = nil }))
	b = c.update(heldBy("three_3", b))
	b = c.update(with(b, func(l *coordinationv1.Lease) { l.Labels = map[string]string{"a": "2"} }))
	c.delete(b, metav1.DeleteOptions{})
	c.create(lease("b").Obj())
	c.create(labelled("end", "1"))
}

// watchTalks are about watches of leases.
var watchTalks = map[string]func(*caller){
	"as informers do": func(c *caller) {
		c.create(lease("z").Obj())
		c.create(lease("a").Obj())
		c.watch(lease("").Obj(), asInformers, "ADDED end", c.lifetime)
	},
	"as informers do, of nothing": func(c *caller) {
		c.watch(lease("").Obj(), asInformers, "BOOKMARK", func() {})
	},
	"as informers do after a break": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.create(lease("m").Obj())
		options := metav1.ListOptions{ResourceVersion: a.GetResourceVersion(), AllowWatchBookmarks: true, TimeoutSeconds: ptr.To[int64](400)}
		c.watch(a, options, "ADDED end", c.lifetime)
	},
	"everything, not older than a version": func(c *caller) {
		a := c.create(lease("a").Obj())
		options := asInformers
		options.ResourceVersion = a.GetResourceVersion()
		c.watch(a, options, "ADDED end", c.lifetime)
	},
	"everything, without bookmarks": func(c *caller) {
		c.create(lease("a").Obj())
		options := asInformers
		options.AllowWatchBookmarks = false
		c.watch(lease("").Obj(), options, "ADDED end", c.lifetime)
	},
	"only what changes": func(c *caller) {
		a := c.create(lease("a").Obj())
		options := metav1.ListOptions{
			ResourceVersion: a.GetResourceVersion(), SendInitialEvents: ptr.To(false),
			ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
		}
		c.watch(a, options, "ADDED end", c.lifetime)
	},
	"from no version": func(c *caller) {
		c.create(lease("a").Obj())
		c.watch(lease("").Obj(), metav1.ListOptions{}, "ADDED end", c.lifetime)
	},
	"from version 0": func(c *caller) {
		c.watch(c.create(lease("a").Obj()), metav1.ListOptions{ResourceVersion: "0"}, "ADDED end", c.lifetime)
	},
	"of a label": func(c *caller) {
		a := c.create(labelled("a", "1"))
		c.create(lease("m").Obj())
		c.watch(a, metav1.ListOptions{ResourceVersion: a.GetResourceVersion(), LabelSelector: "a=1"}, "ADDED end", c.lifetime)
	},
	"of a label, as informers do": func(c *caller) {
		c.create(labelled("a", "1"))
		c.create(lease("m").Obj())
		options := asInformers
		options.LabelSelector = "a=1"
		c.watch(lease("").Obj(), options, "ADDED end", c.lifetime)
	},
	"of a name": func(c *caller) {
		a := c.create(lease("a").Obj())
		options := metav1.ListOptions{ResourceVersion: a.GetResourceVersion(), FieldSelector: "metadata.name=end"}
		c.watch(a, options, "ADDED end", c.lifetime)
	},
	"of a name, as informers do": func(c *caller) {
		c.create(lease("a").Obj())
		c.create(lease("m").Obj())
		options := asInformers
		options.FieldSelector = "metadata.name=a"
		c.watch(lease("").Obj(), options, "DELETED a", func() {
			c.lifetime()
			c.delete(lease("a").Obj(), metav1.DeleteOptions{})
		})
	},
	"of what is not asked for": func(c *caller) {
		c.create(lease("a").Obj())
		c.watch(lease("").Obj(), metav1.ListOptions{FieldSelector: "spec.holderIdentity=one_1"}, "ADDED a", func() {})
		c.watch(lease("").Obj(), metav1.ListOptions{LabelSelector: "a in"}, "ADDED a", func() {})
	},
	"from a garbage version": func(c *caller) {
		c.watch(lease("").Obj(), metav1.ListOptions{ResourceVersion: "abc"}, "ERROR", func() {})
		options := asInformers
		options.ResourceVersion = "abc"
		c.watch(lease("").Obj(), options, "ERROR", func() {})
	},
	"with options that do not go together": func(c *caller) {
		c.watch(lease("").Obj(), metav1.ListOptions{SendInitialEvents: ptr.To(true)}, "ADDED a", func() {})
		c.watch(lease("").Obj(), metav1.ListOptions{SendInitialEvents: ptr.To(false)}, "ADDED a", func() {})
		c.watch(lease("").Obj(), metav1.ListOptions{ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan}, "ADDED a", func() {})
		c.watch(lease("").Obj(), metav1.ListOptions{
			SendInitialEvents: ptr.To(true), ResourceVersionMatch: metav1.ResourceVersionMatchExact,
		}, "ADDED a", func() {})
	},
	"until it times out": func(c *caller) {
		a := c.create(lease("a").Obj())
		c.watch(a, metav1.ListOptions{ResourceVersion: a.GetResourceVersion(), TimeoutSeconds: ptr.To[int64](1)}, "never", func() {})
	},
	"of pods that are deleted": func(c *caller) {
		c.watch(pod(""), asInformers, "DELETED a", func() {
			a := c.create(onNode(pod("a")))
			c.delete(a, metav1.DeleteOptions{})
			c.delete(a, metav1.DeleteOptions{GracePeriodSeconds: ptr.To[int64](0)})
		})
	},
}
