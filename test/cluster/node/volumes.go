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
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/api/v1/resource"
)

// volumesDir holds a directory for each of the pod's volumes.
func (p *pod) volumesDir() string { return filepath.Join(p.kubelet.volumesDir(), string(p.uid)) }

// content is what a volume shows: files by their relative path.
type content map[string]string

// writeVolumes makes the volumes of the pod.
func (p *pod) writeVolumes(ctx context.Context) error {
	for _, v := range p.latest().Spec.Volumes {
		files, err := p.content(ctx, v.VolumeSource)
		if err == nil {
			err = files.write(filepath.Join(p.volumesDir(), v.Name))
		}
		if err != nil {
			return fmt.Errorf("failed to set up volume %q: %w", v.Name, err)
		}
	}
	return nil
}

// refreshVolumes follows changes of the pod's own labels and annotations, for which processes may wait.
func (p *pod) refreshVolumes() {
	for _, v := range p.latest().Spec.Volumes {
		dir := filepath.Join(p.volumesDir(), v.Name)
		if _, err := os.Stat(dir); v.DownwardAPI == nil || err != nil {
			continue // not of this kind, or not yet there
		}
		files, err := p.downward(v.DownwardAPI.Items)
		if err == nil {
			err = files.write(dir)
		}
		if err != nil {
			klog.ErrorS(err, "Failed to refresh a volume", "pod", klog.KRef(p.namespace, p.name), "volume", v.Name)
		}
	}
}

func (c content) write(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, text := range c {
		path := filepath.Join(dir, filepath.Clean("/"+name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path+".new", []byte(text), 0o644); err != nil {
			return err
		}
		if err := os.Rename(path+".new", path); err != nil {
			return err
		}
	}
	return nil
}

// content reads what a volume of any supported kind shows at first.
func (p *pod) content(ctx context.Context, source corev1.VolumeSource) (content, error) {
	switch {
	case source.EmptyDir != nil:
		return content{}, nil
	case source.ConfigMap != nil:
		values, err := p.configMap(ctx, source.ConfigMap.Name, source.ConfigMap.Optional)
		return choose(values, source.ConfigMap.Items), err
	case source.Secret != nil:
		values, err := p.secret(ctx, source.Secret.SecretName, source.Secret.Optional)
		return choose(values, source.Secret.Items), err
	case source.DownwardAPI != nil:
		return p.downward(source.DownwardAPI.Items)
	case source.Projected != nil:
		return p.projected(ctx, source.Projected.Sources)
	default:
		return nil, errors.New("this kind of volume is not supported")
	}
}

// choose takes all keys, or the chosen ones under their paths.
func choose(values map[string]string, items []corev1.KeyToPath) content {
	if len(items) == 0 {
		return values
	}
	chosen := content{}
	for _, item := range items {
		if value, found := values[item.Key]; found {
			chosen[item.Path] = value
		}
	}
	return chosen
}

func (p *pod) projected(ctx context.Context, sources []corev1.VolumeProjection) (content, error) {
	all := content{}
	for _, s := range sources {
		part, err := p.projection(ctx, s)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, part)
	}
	return all, nil
}

func (p *pod) projection(ctx context.Context, s corev1.VolumeProjection) (content, error) {
	switch {
	case s.ServiceAccountToken != nil:
		return p.token(ctx, s.ServiceAccountToken)
	case s.ConfigMap != nil:
		values, err := p.configMap(ctx, s.ConfigMap.Name, s.ConfigMap.Optional)
		return choose(values, s.ConfigMap.Items), err
	case s.Secret != nil:
		values, err := p.secret(ctx, s.Secret.Name, s.Secret.Optional)
		return choose(values, s.Secret.Items), err
	case s.DownwardAPI != nil:
		return p.downward(s.DownwardAPI.Items)
	default:
		return nil, errors.New("this kind of projection is not supported")
	}
}

// token asks for one that is bound to the pod: it ends with the pod's object.
func (p *pod) token(ctx context.Context, source *corev1.ServiceAccountTokenProjection) (content, error) {
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{
		ExpirationSeconds: source.ExpirationSeconds,
		BoundObjectRef:    &authenticationv1.BoundObjectReference{Kind: "Pod", APIVersion: "v1", Name: p.name, UID: p.uid},
	}}
	if source.Audience != "" {
		request.Spec.Audiences = []string{source.Audience}
	}
	account := p.latest().Spec.ServiceAccountName
	answer, err := p.kubelet.client.CoreV1().ServiceAccounts(p.namespace).CreateToken(ctx, account, request, metav1.CreateOptions{})
	if err != nil {
		return nil, fmt.Errorf("failed to get a token for %s: %w", account, err)
	}
	return content{source.Path: answer.Status.Token}, nil
}

func (p *pod) downward(items []corev1.DownwardAPIVolumeFile) (content, error) {
	files := content{}
	for _, item := range items {
		text, err := p.downwardText(item)
		if err != nil {
			return nil, err
		}
		files[item.Path] = text
	}
	return files, nil
}

func (p *pod) downwardText(item corev1.DownwardAPIVolumeFile) (string, error) {
	if item.FieldRef != nil {
		return p.field(item.FieldRef.FieldPath)
	}
	for _, c := range p.mains {
		if c.spec.Name == item.ResourceFieldRef.ContainerName {
			return resource.ExtractContainerResourceValue(item.ResourceFieldRef, &c.spec)
		}
	}
	return "", fmt.Errorf("there is no container %q", item.ResourceFieldRef.ContainerName)
}
