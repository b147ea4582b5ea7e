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
	"fmt"
	"maps"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/fieldpath"
	"k8s.io/utils/ptr"
)

// configMap reads a ConfigMap of the pod's namespace; an optional one may be missing.
func (p *pod) configMap(ctx context.Context, name string, optional *bool) (map[string]string, error) {
	object, err := p.kubelet.client.CoreV1().ConfigMaps(p.namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) && ptr.Deref(optional, false) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("failed to read a ConfigMap: %w", err)
	}
	return merge(object.Data, object.BinaryData), nil
}

// secret reads a Secret of the pod's namespace; an optional one may be missing.
func (p *pod) secret(ctx context.Context, name string, optional *bool) (map[string]string, error) {
	object, err := p.kubelet.client.CoreV1().Secrets(p.namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) && ptr.Deref(optional, false) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("failed to read a Secret: %w", err)
	}
	return merge(nil, object.Data), nil
}

func merge(texts map[string]string, bytes map[string][]byte) map[string]string {
	all := make(map[string]string, len(texts)+len(bytes))
	maps.Copy(all, texts)
	for key, value := range bytes {
		all[key] = string(value)
	}
	return all
}

// field is what the downward API says of a pod. What the node decides is not in the object that the API server sent.
func (p *pod) field(path string) (string, error) {
	object := p.latest()
	switch path {
	case "spec.nodeName":
		return Name, nil
	case "spec.serviceAccountName":
		return object.Spec.ServiceAccountName, nil
	case "status.hostIP", "status.hostIPs":
		return hostIP, nil
	case "status.podIP", "status.podIPs":
		return p.ip.String(), nil
	default:
		return fieldpath.ExtractFieldPathAsString(object, path)
	}
}
