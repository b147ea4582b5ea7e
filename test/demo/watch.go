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

package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/test/install"
	"github.com/tektoncd/leases-controller/test/witness"
)

// watch keeps the board up to date, and follow informed of each pod that is
// new or has changed, until ctx ends.
func watch(ctx context.Context, client kubernetes.Interface, b *board, follow func(*corev1.Pod)) error {
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(install.Namespace))
	_, err := factory.Coordination().V1().Leases().Informer().AddEventHandler(handler(
		func(l *coordinationv1.Lease) { b.leaseChanged(l, time.Now()) },
		func(l *coordinationv1.Lease) { b.leaseDeleted(l, time.Now()) },
	))
	if err != nil {
		return fmt.Errorf("failed to watch leases: %w", err)
	}
	_, err = factory.Core().V1().Pods().Informer().AddEventHandler(handler(
		func(p *corev1.Pod) { b.podChanged(p); follow(p) },
		func(p *corev1.Pod) { b.removeReplica(string(p.UID)) },
	))
	if err != nil {
		return fmt.Errorf("failed to watch pods: %w", err)
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	return ctx.Err()
}

// handler calls changed for what is added and updated, and deleted for what
// is gone, also if the watch has missed the last moments of it.
func handler[T any](changed, deleted func(T)) cache.ResourceEventHandlerFuncs {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { call(object, changed) },
		UpdateFunc: func(_, object any) { call(object, changed) },
		DeleteFunc: func(object any) {
			if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
				object = tombstone.Obj
			}
			call(object, deleted)
		},
	}
}

func call[T any](object any, f func(T)) {
	if typed, ok := object.(T); ok {
		f(typed)
	}
}

func (b *board) leaseChanged(l *coordinationv1.Lease, now time.Time) {
	// The leases controller has a lease of its own.
	if strings.HasPrefix(l.Name, witness.TektonController+".") {
		b.setLease(l.Name, ptr.Deref(l.Spec.HolderIdentity, ""), now)
	}
}

func (b *board) leaseDeleted(l *coordinationv1.Lease, now time.Time) {
	if strings.HasPrefix(l.Name, witness.TektonController+".") {
		b.deleteLease(l.Name, now)
	}
}

func (b *board) podChanged(p *corev1.Pod) {
	switch witness.Container(p) {
	case witness.TektonController:
		b.setReplica(newReplica(p))
	case witness.LeasesController:
		for _, status := range p.Status.ContainerStatuses {
			if status.State.Running != nil {
				b.ownStarted(status.State.Running.StartedAt.Time)
			}
		}
	}
}

func newReplica(p *corev1.Pod) replica {
	r := replica{name: p.Name, uid: string(p.UID), created: p.CreationTimestamp.Time, state: "starting"}
	for _, condition := range p.Status.Conditions {
		if condition.Type == corev1.PodReady && condition.Status == corev1.ConditionTrue {
			r.ready, r.readyAt, r.state = true, condition.LastTransitionTime.Time, "Ready"
		}
	}
	switch {
	case p.DeletionTimestamp != nil:
		r.ready, r.state = false, "terminating"
	case p.Spec.NodeName == "":
		r.state = "pending"
	}
	return r
}
