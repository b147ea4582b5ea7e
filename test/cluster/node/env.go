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
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/api/v1/resource"
	"k8s.io/kubernetes/pkg/kubelet/envvars"
	"k8s.io/kubernetes/third_party/forked/golang/expansion"
	"k8s.io/utils/ptr"
)

// environment is what a container's process finds in its environment, by name.
type environment map[string]string

// list returns the form that a process takes, in a fixed order.
func (e environment) list() []string {
	all := make([]string, 0, len(e))
	for _, name := range slices.Sorted(maps.Keys(e)) {
		all = append(all, name+"="+e[name])
	}
	return all
}

// expand replaces $(NAME); what it does not know stays as it is.
func (e environment) expand(text string) string {
	return expansion.Expand(text, expansion.MappingFuncFor(e))
}

func (e environment) expandAll(texts []string) []string {
	all := make([]string, 0, len(texts))
	for _, text := range texts {
		all = append(all, e.expand(text))
	}
	return all
}

// environment collects the variables in the kubelet's order, in which a later one replaces an earlier one: what a
// container engine sets, services, envFrom, env.
func (c *container) environment(ctx context.Context) (environment, error) {
	object := c.pod.latest()
	env := environment{
		"HOME":     "/root",
		"HOSTNAME": hostname(object),
		"PATH":     "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/ko-app",
	}
	services, err := c.pod.services(ctx)
	if err != nil {
		return nil, err
	}
	for _, variable := range envvars.FromServices(services) {
		env[variable.Name] = variable.Value
	}
	for _, from := range c.spec.EnvFrom {
		values, err := c.pod.envFrom(ctx, from)
		if err != nil {
			return nil, err
		}
		for name, value := range values {
			env[from.Prefix+name] = value
		}
	}
	for _, variable := range c.spec.Env {
		value, found, err := c.value(ctx, env, variable)
		if err != nil {
			return nil, fmt.Errorf("failed to set %s: %w", variable.Name, err)
		}
		if found {
			env[variable.Name] = value
		}
	}
	return env, nil
}

// services are those that a container learns of by variables: its namespace's, and always that of the API server.
func (p *pod) services(ctx context.Context) ([]*corev1.Service, error) {
	list, err := p.kubelet.client.CoreV1().Services(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("failed to list services: %w", err)
	}
	links := ptr.Deref(p.latest().Spec.EnableServiceLinks, corev1.DefaultEnableServiceLinks)
	var visible []*corev1.Service
	for i := range list.Items {
		s := &list.Items[i]
		hasIP := s.Spec.ClusterIP != "" && s.Spec.ClusterIP != corev1.ClusterIPNone
		isAPIServer := s.Namespace == metav1.NamespaceDefault && s.Name == "kubernetes"
		if hasIP && (isAPIServer || links && s.Namespace == p.namespace) {
			visible = append(visible, s)
		}
	}
	return visible, nil
}

func (p *pod) envFrom(ctx context.Context, from corev1.EnvFromSource) (map[string]string, error) {
	switch {
	case from.ConfigMapRef != nil:
		return p.configMap(ctx, from.ConfigMapRef.Name, from.ConfigMapRef.Optional)
	case from.SecretRef != nil:
		return p.secret(ctx, from.SecretRef.Name, from.SecretRef.Optional)
	default:
		return nil, nil
	}
}

// value finds one variable's value; an optional one may have none.
func (c *container) value(ctx context.Context, env environment, v corev1.EnvVar) (value string, found bool, err error) {
	from := v.ValueFrom
	switch {
	case from == nil:
		return env.expand(v.Value), true, nil
	case from.FieldRef != nil:
		value, err = c.pod.field(from.FieldRef.FieldPath)
		return value, true, err
	case from.ResourceFieldRef != nil:
		value, err = resource.ExtractContainerResourceValue(from.ResourceFieldRef, &c.spec)
		return value, true, err
	case from.ConfigMapKeyRef != nil:
		ref := from.ConfigMapKeyRef
		values, err := c.pod.configMap(ctx, ref.Name, ref.Optional)
		return pick(values, ref.Key, ref.Optional, err)
	case from.SecretKeyRef != nil:
		ref := from.SecretKeyRef
		values, err := c.pod.secret(ctx, ref.Name, ref.Optional)
		return pick(values, ref.Key, ref.Optional, err)
	default:
		return "", false, errors.New("this kind of source is not supported")
	}
}

func pick(values map[string]string, key string, optional *bool, err error) (string, bool, error) {
	if err != nil {
		return "", false, err
	}
	value, found := values[key]
	if !found && !ptr.Deref(optional, false) {
		return "", false, fmt.Errorf("there is no key %q", key)
	}
	return value, found, nil
}
