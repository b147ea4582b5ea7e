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

package handover

import (
	"encoding/json"
	"fmt"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Annotation is the key under which a held Lease carries the state of its
// handover. It means something only while the Lease's holder is the identity
// that the annotation names: electors keep annotations, so it can outlive its
// hold.
const Annotation = "leases.tekton.dev/handover"

// annotationVersion is the version of the annotation's schema. A hold of another
// version is left to the process that wrote it, or to expire.
const annotationVersion = 1

// annotation is the annotation's content.
type annotation struct {
	// Version is annotationVersion.
	Version int `json:"version"`
	// Holder is the identity of ours that holds the lease.
	Holder string `json:"holder"`
	// Step is the handover's step when the lease was written.
	Step Step `json:"step"`
	// Target is the replica that should get the lease, by the plan of that
	// moment. It is bound only when the lease is released.
	Target string `json:"target,omitempty"`
	// Age is how long ago, by the monotonic clock of the process that wrote
	// it, the old holder was last seen renewing. A successor counts on from
	// it and never compares the clocks of two machines.
	Age metav1.Duration `json:"age"`
	// Lateness is how late the old holder's last renewals were before the hold.
	// What is seen of them later may be late because the API was away.
	Lateness metav1.Duration `json:"lateness"`
	// Old is the whole record that the old holder wrote last. Its renewTime is
	// by the old holder's own clock.
	Old coordinationv1.LeaseSpec `json:"old"`
}

// encode renders the annotation's value.
func (r annotation) encode() (string, error) {
	b, err := json.Marshal(r)
	if err != nil {
		return "", fmt.Errorf("failed to encode the annotation %s: %w", Annotation, err)
	}
	return string(b), nil
}

// decode reads the annotation of a lease that one of ours holds. It fails when
// there is none, when it has another version, or when it belongs to an earlier
// hold.
func decode(lease *coordinationv1.Lease) (annotation, error) {
	var r annotation
	value, ok := lease.Annotations[Annotation]
	if !ok {
		return r, fmt.Errorf("lease %q has no annotation %s", lease.Name, Annotation)
	}
	if err := json.Unmarshal([]byte(value), &r); err != nil {
		return r, fmt.Errorf("failed to decode the annotation %s of lease %q: %w", Annotation, lease.Name, err)
	}
	if r.Version != annotationVersion {
		return r, fmt.Errorf("annotation %s of lease %q has version %d, this release knows %d", Annotation, lease.Name, r.Version, annotationVersion)
	}
	if r.Holder != holder(lease) {
		return r, fmt.Errorf("annotation %s of lease %q belongs to an earlier hold, by %q", Annotation, lease.Name, r.Holder)
	}
	if r.Old.HolderIdentity == nil || r.Old.RenewTime == nil {
		return r, fmt.Errorf("annotation %s of lease %q names no old holder", Annotation, lease.Name)
	}
	return r, nil
}

// Origin returns the record that the old holder of a held lease wrote last, as
// the annotation keeps it. It fails when the lease carries no valid annotation.
func Origin(lease *coordinationv1.Lease) (coordinationv1.LeaseSpec, error) {
	r, err := decode(lease)
	return r.Old, err
}

// holder is the lease's holder identity, "" for none.
func holder(lease *coordinationv1.Lease) string {
	if lease == nil || lease.Spec.HolderIdentity == nil {
		return ""
	}
	return *lease.Spec.HolderIdentity
}

// renewTime is the stamp that the lease's holder wrote last, zero for none.
func renewTime(lease *coordinationv1.Lease) time.Time {
	if lease == nil || lease.Spec.RenewTime == nil {
		return time.Time{}
	}
	return lease.Spec.RenewTime.Time
}
