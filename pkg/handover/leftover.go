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
	"errors"
	"fmt"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// errInUse says that a lease is not what the watch showed: somebody uses it.
var errInUse = errors.New("it has changed")

// Remove deletes a lease that nobody uses any more. It is read right before: it
// must be the one that the watch showed, unchanged, and by its name belong to
// the group given. Errors wrap those of client-go.
func Remove(ctx context.Context, c Client, group bucket.Group, lease *coordinationv1.Lease) error {
	live, err := c.Get(ctx, lease.Name, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("failed to read lease %q: %w", lease.Name, err)
	}
	named, _, err := bucket.Parse(live.Name)
	if err != nil {
		return fmt.Errorf("failed to remove lease %q: %w", lease.Name, err)
	}
	if named != group || live.UID != lease.UID || live.ResourceVersion != lease.ResourceVersion || holder(live) != holder(lease) {
		return fmt.Errorf("failed to remove lease %q: %w", lease.Name, errInUse)
	}
	err = c.Delete(ctx, live.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{
		UID: &live.UID, ResourceVersion: &live.ResourceVersion,
	}})
	if err != nil {
		return fmt.Errorf("failed to remove lease %q: %w", lease.Name, err)
	}
	return nil
}
