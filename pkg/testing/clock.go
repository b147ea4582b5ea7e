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
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// SetClock sets how far the server's wall clock is ahead. It shows in the stamps that the server makes:
// creationTimestamp and deletionTimestamp.
func (a *API) SetClock(ahead time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ahead = ahead
}

// stamp is the server's stamp of a moment in the given time. a.mu is held.
func (a *API) stamp(in time.Duration) *metav1.Time {
	t := metav1.NewTime(time.Now().Add(a.ahead + in)).Rfc3339Copy()
	return &t
}

// stamp changes the renewTime in a lease that the process writes to what its own clock showed when it was taken. One
// taken while the process was frozen would have been taken when it thawed. Nobody reads the other stamp, acquireTime.
func (c *Client) stamp(sent *call) {
	if sent.Resource != "leases" || sent.Verb != "create" && sent.Verb != "update" {
		return
	}
	c.mu.Lock()
	frozen := c.frozen
	c.mu.Unlock()
	if c.opts.Clock == nil && frozen.to.IsZero() {
		return
	}
	lease := &coordinationv1.Lease{}
	if err := json.Unmarshal(sent.body, lease); err != nil || lease.Spec.RenewTime == nil {
		return // the server tells what is wrong with it
	}
	at := lease.Spec.RenewTime.Time
	if !at.Before(frozen.from) && at.Before(frozen.to) {
		at = frozen.to
	}
	if c.opts.Clock != nil {
		at = c.opts.Clock(at)
	}
	lease.Spec.RenewTime = ptr.To(metav1.NewMicroTime(at))
	body, err := json.Marshal(lease)
	if err != nil {
		panic(fmt.Sprintf("failed to encode a lease: %v", err))
	}
	sent.body = body
}
