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
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// API is a Kubernetes API server in memory. Make one with NewAPI and talk to it through Clients.
type API struct {
	mu          sync.Mutex
	version     int64
	uids        int64
	collections map[schema.GroupVersionResource]*collection
	observers   []func(Observation)
	ahead       time.Duration
}

// Request names one call to the API.
type Request struct {
	// Client is the name of the client that sent it.
	Client string
	// Verb is get, list, watch, create, update, patch or delete.
	Verb        string
	Resource    string
	Namespace   string
	Name        string
	Subresource string
	// Ordinal counts the calls of this client with the same verb, resource and name, from 0.
	Ordinal int
}

// Observation is one call as the server saw it.
type Observation struct {
	Request
	Time time.Time
	// Code is the HTTP status of the answer.
	Code int
	// Sent is the object that the client sent: for a delete its *metav1.DeleteOptions, for reads nil.
	Sent runtime.Object
	// Before and After are the stored object; nil where there was or is none. They are shared: read only.
	Before, After Object
}

// collection holds the objects of one resource and everything that ever happened to them.
type collection struct {
	*kind
	items map[types.NamespacedName]*entry
	log   []change
	// oldest is the version that a new watch can still start from.
	oldest int64
	// changed is closed, and replaced, with each change.
	changed chan struct{}
}

type entry struct {
	obj Object
	raw []byte
}

// change is one event: from nothing, to nothing, or from one state to the next.
type change struct {
	at       time.Time
	version  int64
	old, new *entry
}

// NewAPI returns an API that holds the given objects, as Seed stores them.
func NewAPI(objs ...Object) *API {
	a := &API{collections: map[schema.GroupVersionResource]*collection{}}
	for i := range kinds {
		k := &kinds[i]
		a.collections[k.GroupVersion().WithResource(k.plural)] = &collection{
			kind:    k,
			items:   map[types.NamespacedName]*entry{},
			changed: make(chan struct{}),
		}
	}
	a.Seed(objs...)
	return a
}

// Observe has fn called for each call, in the order in which the server carries them out, while it carries them
// out: fn must not call the API.
func (a *API) Observe(fn func(Observation)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.observers = append(a.observers, fn)
}

// Seed stores objects just as they are, status included, over whatever is there. Only UID, creation time and
// resource version are filled in.
func (a *API) Seed(objs ...Object) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, obj := range objs {
		c := a.collectionOf(obj)
		stored := c.empty()
		decode(encode(c.kind, obj.DeepCopyObject().(Object)), stored)
		a.fillSystemFields(stored)
		a.store(c, c.items[keyOf(obj)], stored)
	}
}

// Objects returns copies of all objects of the type of like, sorted by namespace and name.
func Objects[T Object](a *API, like T) []T {
	a.mu.Lock()
	defer a.mu.Unlock()
	var objs []T
	for _, e := range a.collectionOf(like).sorted("") {
		objs = append(objs, e.obj.DeepCopyObject().(T))
	}
	return objs
}

// Compact forgets the past: a watch that wants to go on from an earlier version is told to start over.
func (a *API) Compact() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, c := range a.collections {
		c.oldest = a.version
	}
}

func (a *API) collectionOf(obj Object) *collection {
	for _, c := range a.collections {
		if fmt.Sprintf("%T", c.empty()) == fmt.Sprintf("%T", obj) {
			return c
		}
	}
	panic(fmt.Sprintf("no resource for %T", obj))
}

func (a *API) fillSystemFields(obj Object) {
	if obj.GetUID() == "" {
		a.uids++
		obj.SetUID(types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012x", a.uids)))
	}
	if obj.GetCreationTimestamp().Time.IsZero() {
		obj.SetCreationTimestamp(*a.stamp(0))
	}
}

// store makes obj the next state of its key and tells the watches.
func (a *API) store(c *collection, old *entry, obj Object) *entry {
	a.version++
	obj.SetResourceVersion(strconv.FormatInt(a.version, 10))
	e := &entry{obj: obj, raw: encode(c.kind, obj)}
	c.items[keyOf(obj)] = e
	c.record(change{at: time.Now(), version: a.version, old: old, new: e})
	return e
}

// remove ends an object and returns its last state, which carries the version of its end.
func (a *API) remove(c *collection, old *entry) *entry {
	a.version++
	last := old.obj.DeepCopyObject().(Object)
	last.SetResourceVersion(strconv.FormatInt(a.version, 10))
	delete(c.items, keyOf(last))
	e := &entry{obj: last, raw: encode(c.kind, last)}
	c.record(change{at: time.Now(), version: a.version, old: e})
	return e
}

func (c *collection) record(ch change) {
	c.log = append(c.log, ch)
	close(c.changed)
	c.changed = make(chan struct{})
}

// sorted returns the entries of a namespace ("" for all).
func (c *collection) sorted(namespace string) []*entry {
	var entries []*entry
	for key, e := range c.items {
		if namespace == "" || key.Namespace == namespace {
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, func(x, y *entry) int {
		return strings.Compare(keyOf(x.obj).String(), keyOf(y.obj).String())
	})
	return entries
}

func keyOf(obj Object) types.NamespacedName {
	return types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
}

func decode(raw []byte, into any) {
	if err := json.Unmarshal(raw, into); err != nil {
		panic(fmt.Sprintf("failed to decode %T: %v", into, err))
	}
}

func encode(k *kind, obj Object) []byte {
	obj.GetObjectKind().SetGroupVersionKind(k.GroupVersionKind)
	raw, err := json.Marshal(obj)
	if err != nil {
		panic(fmt.Sprintf("failed to encode %T: %v", obj, err))
	}
	return raw
}
