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
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
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
	validate    func(Object) field.ErrorList
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
	unconditional: true, subresource: true,
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

// prepareCreate drops what a client cannot set when it creates an object, and says what is wrong with the rest.
func (k *kind) prepareCreate(obj Object) error {
	obj.SetUID("")
	obj.SetResourceVersion("")
	obj.SetCreationTimestamp(metav1.Time{})
	obj.SetDeletionTimestamp(nil)
	obj.SetDeletionGracePeriodSeconds(nil)
	if k.subresource {
		obj.SetGeneration(1)
		part(obj, "Status").SetZero()
	}
	if pod, ok := obj.(*corev1.Pod); ok {
		pod.Status.Phase = corev1.PodPending
	}
	return k.check(obj, nil)
}

// prepareUpdate makes obj what old becomes when obj is written over it, and says what is wrong with that. A write of
// the status leaves the spec alone and the other way round.
func (k *kind) prepareUpdate(old, obj Object, subresource string) error {
	if subresource == "status" {
		part(obj, "Spec").Set(part(old, "Spec"))
		if k.Kind == "Deployment" {
			obj.SetLabels(old.GetLabels())
		}
	} else if k.subresource {
		part(obj, "Status").Set(part(old, "Status"))
	}
	if obj.GetUID() == "" {
		obj.SetUID(old.GetUID())
	}
	obj.SetResourceVersion(old.GetResourceVersion())
	obj.SetCreationTimestamp(old.GetCreationTimestamp())
	obj.SetGeneration(old.GetGeneration())
	if k.changes(old, obj) {
		obj.SetGeneration(old.GetGeneration() + 1)
	}
	if old.GetDeletionTimestamp() != nil {
		obj.SetDeletionTimestamp(old.GetDeletionTimestamp())
	}
	if obj.GetDeletionGracePeriodSeconds() == nil {
		obj.SetDeletionGracePeriodSeconds(old.GetDeletionGracePeriodSeconds())
	}
	return k.check(obj, old)
}

// check says what is wrong with an object, and, where there is an old one, with the change.
func (k *kind) check(obj, old Object) error {
	metadata := field.NewPath("metadata")
	errs := validation.ValidateObjectMetaAccessor(obj, true, validation.NameIsDNSSubdomain, metadata)
	if old != nil {
		errs = append(errs, validation.ValidateObjectMetaAccessorUpdate(obj, old, metadata)...)
	}
	if k.validate != nil {
		errs = append(errs, k.validate(obj)...)
	}
	if len(errs) > 0 {
		return apierrors.NewInvalid(k.GroupVersionKind.GroupKind(), obj.GetName(), errs)
	}
	return nil
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
