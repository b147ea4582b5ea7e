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

package node

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
)

// publisher is what the API server was told last about a pod. Only one goroutine at a time publishes.
type publisher struct {
	changed   chan struct{}
	last      corev1.PodStatus // guarded by the pod
	disturbed bool             // somebody else wrote something else; guarded by the pod
}

// touch says that the status may have changed.
func (p *pod) touch() {
	select {
	case p.published.changed <- struct{}{}:
	default:
	}
}

// publishChanges tells the API server about each change until ctx ends.
func (p *pod) publishChanges(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.published.changed:
		}
		if err := p.publish(ctx, false); err != nil && ctx.Err() == nil {
			klog.ErrorS(err, "Will try again", "pod", klog.KRef(p.namespace, p.name))
			time.AfterFunc(retryPeriod, p.touch)
		}
	}
}

// publish patches the status: unlike an update that leaves alone what others wrote. The UID in the patch is a
// precondition, in case another pod has the name by now.
func (p *pod) publish(ctx context.Context, final bool) error {
	status, news := p.news(final)
	if !news {
		return nil
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": p.uid}, "status": status})
	if err != nil {
		return fmt.Errorf("failed to encode the status: %w", err)
	}
	_, err = p.kubelet.client.CoreV1().Pods(p.namespace).
		Patch(ctx, p.name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
	if err != nil && !isGone(err) {
		return fmt.Errorf("failed to publish the status: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.published.last, p.published.disturbed = status, false
	return nil
}

// news returns the status and whether the API server has to be told of it.
func (p *pod) news(final bool) (corev1.PodStatus, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	status := p.status(final)
	return status, p.published.disturbed || !equality.Semantic.DeepEqual(status, p.published.last)
}

// compare looks whether the API server shows what it was told. After an outage the node lifecycle controller takes all
// pods for unready; it is for the node to put that right. What is only late costs one more patch, which changes nothing.
func (p *pod) compare(shown []corev1.PodCondition) {
	for _, told := range p.published.last.Conditions {
		for _, c := range shown {
			if c.Type == told.Type && c.Status != told.Status {
				p.published.disturbed = true
			}
		}
	}
}

// delete removes the object at once, whatever is left of its grace period.
func (p *pod) delete(ctx context.Context) error {
	options := metav1.NewDeleteOptions(0)
	options.Preconditions = metav1.NewUIDPreconditions(string(p.uid))
	err := p.kubelet.client.CoreV1().Pods(p.namespace).Delete(ctx, p.name, *options)
	if err != nil && !isGone(err) {
		klog.ErrorS(err, "Failed to delete the pod", "pod", klog.KRef(p.namespace, p.name))
		return err
	}
	return nil
}

// isGone tells that the pod does not exist any more; in the case of a conflict another one has its name.
func isGone(err error) bool {
	return apierrors.IsNotFound(err) || apierrors.IsConflict(err)
}
