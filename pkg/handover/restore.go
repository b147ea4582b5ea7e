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
	"maps"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Restore writes the record of a holder that still leads into a lease that
// somebody deleted or emptied, before another replica acquires it and leads
// beside it. lost is the lease with the holder's last record, now what the
// watch shows: nil if it is deleted. The write fails if anything has changed
// meanwhile; errors wrap those of client-go.
func Restore(ctx context.Context, c Client, lost, now *coordinationv1.Lease) error {
	var err error
	if now == nil {
		annotations := maps.Clone(lost.Annotations)
		delete(annotations, Annotation)
		_, err = c.Create(ctx, &coordinationv1.Lease{
			ObjectMeta: metav1.ObjectMeta{Name: lost.Name, Namespace: lost.Namespace, Labels: lost.Labels, Annotations: annotations},
			Spec:       lost.Spec,
		}, metav1.CreateOptions{})
	} else {
		lease := now.DeepCopy()
		lease.Spec = *lost.Spec.DeepCopy()
		_, err = c.Update(ctx, lease, metav1.UpdateOptions{})
	}
	if err != nil {
		return fmt.Errorf("failed to restore lease %q for its holder %q: %w", lost.Name, holder(lost), err)
	}
	return nil
}
