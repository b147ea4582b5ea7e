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

package deployment

import (
	"maps"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	"github.com/tektoncd/leases-controller/pkg/observe"
	"github.com/tektoncd/leases-controller/pkg/status"
)

// on is an event handler for one kind: seen for objects that exist, gone for
// deleted ones.
type on[T any] struct {
	seen, gone func(T)
}

var _ cache.ResourceEventHandler = on[*corev1.Pod]{}

// OnAdd implements cache.ResourceEventHandler.
func (h on[T]) OnAdd(obj any, _ bool) {
	if t, ok := obj.(T); ok {
		h.seen(t)
	}
}

// OnUpdate implements cache.ResourceEventHandler.
func (h on[T]) OnUpdate(_, obj any) { h.OnAdd(obj, false) }

// OnDelete implements cache.ResourceEventHandler. A watch that broke hands over
// the last known state of what was deleted meanwhile.
func (h on[T]) OnDelete(obj any) {
	if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = tombstone.Obj
	}
	if t, ok := obj.(T); ok {
		h.gone(t)
	}
}

// handlers feed the tracker. A lease is renewed every few seconds, so only a
// change of holder, duration or existence brings the Deployments back.
type handlers struct {
	tracker *observe.Tracker
	clock   clock.PassiveClock
	resync  func()
}

func (h handlers) lease(l *coordinationv1.Lease) {
	if h.tracker.SawLease(l, h.clock.Now()) {
		h.resync()
	}
}

func (h handlers) leaseGone(l *coordinationv1.Lease) {
	if h.tracker.LeaseGone(l.Name, h.clock.Now()) {
		h.resync()
	}
}

func (h handlers) pod(p *corev1.Pod) {
	h.tracker.SawPod(p, h.clock.Now())
	h.resync()
}

func (h handlers) podGone(p *corev1.Pod) {
	h.tracker.PodGone(p, h.clock.Now())
	h.resync()
}

// configMaps is the event handler for ConfigMaps. Of the one that has our status
// only what others write matters: its annotations, and whether it exists.
type configMaps struct{ changed func() }

var _ cache.ResourceEventHandler = configMaps{}

// OnAdd implements cache.ResourceEventHandler.
func (h configMaps) OnAdd(any, bool) { h.changed() }

// OnUpdate implements cache.ResourceEventHandler.
func (h configMaps) OnUpdate(before, after any) {
	was, _ := before.(*corev1.ConfigMap)
	is, _ := after.(*corev1.ConfigMap)
	if was != nil && is != nil && is.Name == status.ConfigMapName && maps.Equal(was.Annotations, is.Annotations) {
		return
	}
	h.changed()
}

// OnDelete implements cache.ResourceEventHandler.
func (h configMaps) OnDelete(any) { h.changed() }
