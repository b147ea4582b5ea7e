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
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Object is anything the API can store.
type Object interface {
	metav1.Object
	runtime.Object
}

// kind is what the API needs to know about one type of object. The flags are those of the real server's
// registry strategies.
type kind struct {
	schema.GroupVersionKind
	plural string
	empty  func() Object
	// createOnUpdate: a PUT to a name that does not exist creates the object.
	createOnUpdate bool
	// unconditional: a PUT without resourceVersion is accepted and overwrites.
	unconditional bool
	// subresource: spec and status are written apart, and metadata.generation counts the changes of the spec.
	subresource bool
	// graceful: a DELETE only marks the object while its process still has time to end.
	graceful bool
	validate func(Object) field.ErrorList
}

func (k *kind) resource() schema.GroupResource {
	return schema.GroupResource{Group: k.Group, Resource: k.plural}
}

var kinds = []kind{{
	GroupVersionKind: coordinationv1.SchemeGroupVersion.WithKind("Lease"), plural: "leases",
	empty:          func() Object { return &coordinationv1.Lease{} },
	createOnUpdate: true, validate: validateLease,
}, {
	GroupVersionKind: corev1.SchemeGroupVersion.WithKind("Pod"), plural: "pods",
	empty:         func() Object { return &corev1.Pod{} },
	unconditional: true, subresource: true, graceful: true,
}, {
	GroupVersionKind: corev1.SchemeGroupVersion.WithKind("ConfigMap"), plural: "configmaps",
	empty:         func() Object { return &corev1.ConfigMap{} },
	unconditional: true,
}, {
	GroupVersionKind: corev1.SchemeGroupVersion.WithKind("Event"), plural: "events",
	empty:          func() Object { return &corev1.Event{} },
	createOnUpdate: true, unconditional: true,
}, {
	GroupVersionKind: appsv1.SchemeGroupVersion.WithKind("Deployment"), plural: "deployments",
	empty:         func() Object { return &appsv1.Deployment{} },
	unconditional: true, subresource: true,
}, {
	GroupVersionKind: appsv1.SchemeGroupVersion.WithKind("ReplicaSet"), plural: "replicasets",
	empty:         func() Object { return &appsv1.ReplicaSet{} },
	unconditional: true, subresource: true,
}, {
	GroupVersionKind: appsv1.SchemeGroupVersion.WithKind("StatefulSet"), plural: "statefulsets",
	empty:         func() Object { return &appsv1.StatefulSet{} },
	unconditional: true, subresource: true,
}}

func validateLease(obj Object) field.ErrorList {
	var errs field.ErrorList
	spec := obj.(*coordinationv1.Lease).Spec
	if d := spec.LeaseDurationSeconds; d != nil && *d <= 0 {
		errs = append(errs, field.Invalid(field.NewPath("spec", "leaseDurationSeconds"), *d, "must be greater than 0"))
	}
	if n := spec.LeaseTransitions; n != nil && *n < 0 {
		errs = append(errs, field.Invalid(field.NewPath("spec", "leaseTransitions"), *n, "must be greater than or equal to 0"))
	}
	return errs
}

// prepareCreate drops what a client cannot set when it creates an object.
func (k *kind) prepareCreate(obj Object) {
	obj.SetDeletionTimestamp(nil)
	obj.SetDeletionGracePeriodSeconds(nil)
	obj.SetGeneration(0)
	if !k.subresource {
		return
	}
	obj.SetGeneration(1)
	part(obj, "Status").SetZero()
	if pod, ok := obj.(*corev1.Pod); ok {
		pod.Status.Phase = corev1.PodPending
	}
}

// prepareUpdate returns what old becomes when obj is written over it: a write of the status leaves the rest alone
// and the other way round.
func (k *kind) prepareUpdate(old, obj Object, subresource string) Object {
	if subresource == "status" {
		changed := old.DeepCopyObject().(Object)
		changed.SetAnnotations(obj.GetAnnotations())
		part(changed, "Status").Set(part(obj, "Status"))
		obj = changed
	} else if k.subresource {
		part(obj, "Status").Set(part(old, "Status"))
	}
	obj.SetUID(old.GetUID())
	obj.SetCreationTimestamp(old.GetCreationTimestamp())
	obj.SetGeneration(old.GetGeneration())
	if k.changes(old, obj) {
		obj.SetGeneration(old.GetGeneration() + 1)
	}
	if old.GetDeletionTimestamp() != nil {
		obj.SetDeletionTimestamp(old.GetDeletionTimestamp())
		obj.SetDeletionGracePeriodSeconds(old.GetDeletionGracePeriodSeconds())
	}
	return obj
}

// changes tells whether a write counts in metadata.generation: it changes the spec, or a Deployment's annotations.
func (k *kind) changes(old, obj Object) bool {
	if !k.subresource {
		return false
	}
	return !equality.Semantic.DeepEqual(part(old, "Spec").Interface(), part(obj, "Spec").Interface()) ||
		k.Kind == "Deployment" && !equality.Semantic.DeepEqual(old.GetAnnotations(), obj.GetAnnotations())
}

func part(obj Object, name string) reflect.Value {
	return reflect.ValueOf(obj).Elem().FieldByName(name)
}
