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
	"fmt"
	"maps"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// record is the Lease that an action writes. Updates start from what our own
// last write left, so that they carry its UID and resourceVersion.
func (h *Handover) record(d Decision, now time.Time) (*coordinationv1.Lease, error) {
	switch d.Action {
	case Hold:
		return h.held(d.Target.Replica, h.timing.holdFor(h.margin()), now)
	case Extend:
		return h.held(d.Target.Replica, h.timing.extendFor(), now)
	case GiveBack:
		return h.restored(), nil
	case Assign:
		lease := h.own.DeepCopy()
		lease.Spec = h.assigned(d.Target.Identity, now)
		delete(lease.Annotations, Annotation)
		return lease, nil
	case Create:
		return h.recreated(d.Target.Identity, now), nil
	default:
		return nil, fmt.Errorf("action %q writes no record of lease %q", d.Action, h.Lease)
	}
}

// held is the lease in our hands. Its stamps are by our clock, as every
// holder's are; nobody decides on them.
func (h *Handover) held(target string, duration time.Duration, now time.Time) (*coordinationv1.Lease, error) {
	value, err := annotation{
		Version:  annotationVersion,
		Holder:   h.identity,
		Step:     Held,
		Target:   target,
		Age:      metav1.Duration{Duration: now.Sub(h.seen)},
		Lateness: metav1.Duration{Duration: h.lateness},
		Old:      h.old,
	}.encode()
	if err != nil {
		return nil, err
	}
	lease := h.own.DeepCopy()
	lease.Annotations = maps.Clone(lease.Annotations)
	if lease.Annotations == nil {
		lease.Annotations = map[string]string{}
	}
	lease.Annotations[Annotation] = value
	lease.Spec = h.spec(h.identity, duration, now)
	return lease, nil
}

// restored is the lease as its old holder wrote it last. The old holder reads
// it, sees itself and goes on renewing.
func (h *Handover) restored() *coordinationv1.Lease {
	lease := h.own.DeepCopy()
	delete(lease.Annotations, Annotation)
	lease.Spec = *h.old.DeepCopy()
	return lease
}

// assigned is a record in the name of the next holder. Its elector sees itself
// in it at its next try and starts leading.
func (h *Handover) assigned(identity string, now time.Time) coordinationv1.LeaseSpec {
	spec := h.spec(identity, h.timing.assignFor(), now)
	spec.LeaseTransitions = ptr.To(ptr.Deref(h.old.LeaseTransitions, 0) + 1)
	return spec
}

// recreated is the deleted lease in the name of the next holder. What others
// put beside the record (labels, annotations) is kept.
func (h *Handover) recreated(identity string, now time.Time) *coordinationv1.Lease {
	annotations := maps.Clone(h.own.Annotations)
	delete(annotations, Annotation)
	return &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{
			Name:        h.own.Name,
			Namespace:   h.own.Namespace,
			Labels:      maps.Clone(h.own.Labels),
			Annotations: annotations,
		},
		Spec: h.assigned(identity, now),
	}
}

// spec is a record of the holder given, acquired and renewed now. Stamps have
// the resolution that the API keeps.
func (h *Handover) spec(identity string, duration time.Duration, now time.Time) coordinationv1.LeaseSpec {
	stamp := metav1.NewMicroTime(now.Truncate(time.Microsecond))
	return coordinationv1.LeaseSpec{
		HolderIdentity:       &identity,
		LeaseDurationSeconds: ptr.To(int32(duration / time.Second)), //nolint:gosec // minutes at the most
		AcquireTime:          &stamp,
		RenewTime:            &stamp,
		LeaseTransitions:     ptr.To(ptr.Deref(h.old.LeaseTransitions, 0)),
	}
}
