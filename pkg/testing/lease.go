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
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

// Namespace is where all objects are built, unless told otherwise: Tekton's own.
const Namespace = "tekton-pipelines"

// LeaseBuilder builds a Lease.
type LeaseBuilder struct{ lease coordinationv1.Lease }

// MakeLease begins a Lease with an empty spec.
func MakeLease(name string) *LeaseBuilder {
	return &LeaseBuilder{coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: name}}}
}

// Namespace puts the lease elsewhere.
func (b *LeaseBuilder) Namespace(namespace string) *LeaseBuilder {
	b.lease.Namespace = namespace
	return b
}

// UID sets metadata.uid.
func (b *LeaseBuilder) UID(uid string) *LeaseBuilder {
	b.lease.UID = types.UID(uid)
	return b
}

// ResourceVersion sets metadata.resourceVersion.
func (b *LeaseBuilder) ResourceVersion(version string) *LeaseBuilder {
	b.lease.ResourceVersion = version
	return b
}

// Annotation adds an annotation.
func (b *LeaseBuilder) Annotation(key, value string) *LeaseBuilder {
	metav1.SetMetaDataAnnotation(&b.lease.ObjectMeta, key, value)
	return b
}

// Holder sets the identity that holds the lease; "" is what a released lease carries.
func (b *LeaseBuilder) Holder(identity string) *LeaseBuilder {
	b.lease.Spec.HolderIdentity = &identity
	return b
}

// Acquired sets when the holder took the lease.
func (b *LeaseBuilder) Acquired(at time.Time) *LeaseBuilder {
	b.lease.Spec.AcquireTime = ptr.To(metav1.NewMicroTime(at))
	return b
}

// Renewed sets when the holder renewed the lease last.
func (b *LeaseBuilder) Renewed(at time.Time) *LeaseBuilder {
	b.lease.Spec.RenewTime = ptr.To(metav1.NewMicroTime(at))
	return b
}

// Duration sets for how many seconds a renewal is good.
func (b *LeaseBuilder) Duration(seconds int32) *LeaseBuilder {
	b.lease.Spec.LeaseDurationSeconds = &seconds
	return b
}

// Transitions sets how often the lease changed hands.
func (b *LeaseBuilder) Transitions(n int32) *LeaseBuilder {
	b.lease.Spec.LeaseTransitions = &n
	return b
}

// Obj returns the lease.
func (b *LeaseBuilder) Obj() *coordinationv1.Lease { return b.lease.DeepCopy() }
