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
	"context"
	"fmt"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Client is what a handover needs of the API: the Leases of one namespace.
// client-go's LeaseInterface has it.
type Client interface {
	Get(ctx context.Context, name string, opts metav1.GetOptions) (*coordinationv1.Lease, error)
	Create(ctx context.Context, lease *coordinationv1.Lease, opts metav1.CreateOptions) (*coordinationv1.Lease, error)
	Update(ctx context.Context, lease *coordinationv1.Lease, opts metav1.UpdateOptions) (*coordinationv1.Lease, error)
	Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error
}

// attempt is a write of which we do not know whether it was applied.
type attempt struct {
	action Action
	// lease is what was written, nil for a delete.
	lease *coordinationv1.Lease
	to    Party
	sent  time.Time
}

// Do makes the call that d asks for; now is taken right before. An error means
// that the call failed or that its answer did not come: the next decision is to
// read the Lease, which tells which of both. Errors wrap those of client-go.
func (h *Handover) Do(ctx context.Context, c Client, now time.Time, d Decision) error {
	switch d.Action {
	case Wait:
		return nil
	case Finish:
		h.end(now, d.Result, d.By)
		return nil
	case Read:
		return h.read(ctx, c, now)
	case Release:
		return h.delete(ctx, c, now)
	default:
		return h.write(ctx, c, now, d)
	}
}

// write makes the call of an action that writes a record.
func (h *Handover) write(ctx context.Context, c Client, now time.Time, d Decision) error {
	lease, err := h.record(d, now)
	if err != nil {
		return err
	}
	a := &attempt{action: d.Action, lease: lease, to: d.Target, sent: now}
	h.givingBack = h.givingBack || d.Action == GiveBack
	var wrote *coordinationv1.Lease
	if d.Action == Create {
		wrote, err = c.Create(ctx, lease, metav1.CreateOptions{})
	} else {
		wrote, err = c.Update(ctx, lease, metav1.UpdateOptions{})
	}
	if err != nil {
		h.attempt = a
		return fmt.Errorf("failed to %s lease %q: %w", d.Action, h.Lease, err)
	}
	h.landed(now, a, wrote)
	return nil
}

// delete removes the lease as our last write left it, and nothing newer.
func (h *Handover) delete(ctx context.Context, c Client, now time.Time) error {
	err := c.Delete(ctx, h.Lease, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{
		UID:             &h.own.UID,
		ResourceVersion: &h.own.ResourceVersion,
	}})
	if err != nil {
		h.attempt = &attempt{action: Release, sent: now}
		return fmt.Errorf("failed to delete lease %q: %w", h.Lease, err)
	}
	h.opened(now)
	return nil
}

// read finds out what became of the last attempt.
func (h *Handover) read(ctx context.Context, c Client, now time.Time) error {
	live, err := c.Get(ctx, h.Lease, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		live, err = nil, nil
	}
	if err != nil {
		return fmt.Errorf("failed to read lease %q: %w", h.Lease, err)
	}
	a := h.attempt
	h.attempt = nil
	switch {
	case a.action == Release && (live == nil || live.UID != h.own.UID):
		h.opened(a.sent)
	case live != nil && a.lease != nil && sameRecord(live, a.lease):
		h.landed(a.sent, a, live)
	case live != nil && (a.action == Assign || a.action == Create) && holder(live) == a.to.Identity:
		h.landed(a.sent, a, a.lease) // and the target has renewed it since
	case live != nil && h.identity != "" && holder(live) == h.identity:
		// Our hold, but not by this attempt: an earlier one landed, or somebody
		// edited the Lease beside the record. Its stamp is by our clock.
		h.own, h.step, h.written = live, Held, renewTime(live)
	case h.step == Begun:
		h.end(now, NotBegun, holder(live))
	case live != nil && sameRecord(live, h.own):
		h.own = live // somebody edited its metadata
	}
	return nil
}

// landed notes a write that was applied.
func (h *Handover) landed(sent time.Time, a *attempt, wrote *coordinationv1.Lease) {
	h.own, h.written, h.created = wrote, sent, a.action == Create
	switch a.action {
	case Hold, Extend:
		h.step, h.target = Held, a.to.Replica
	case Assign, Create:
		h.step, h.to = Assigned, a.to
	case GiveBack:
		h.end(sent, GivenBack, h.From.Identity)
	}
}

// opened notes that the lease is deleted.
func (h *Handover) opened(now time.Time) {
	if h.step == Assigned {
		h.missed[h.to.Identity] = true
	}
	h.step, h.to, h.written, h.created = Open, Party{}, now, false
}

// sameRecord tells whether two Leases carry the same write of one holder.
func sameRecord(a, b *coordinationv1.Lease) bool {
	return holder(a) == holder(b) && renewTime(a).Equal(renewTime(b))
}
