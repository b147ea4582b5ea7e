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
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// DeploymentBuilder builds a Deployment.
type DeploymentBuilder struct{ deployment appsv1.Deployment }

// MakeDeployment begins a Deployment of one replica whose rollout is complete.
func MakeDeployment(name string) *DeploymentBuilder {
	labels := map[string]string{"app": name}
	b := &DeploymentBuilder{appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: name, UID: types.UID(name + "-uid"), Generation: 1},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: name}}},
			},
		},
	}}
	b.deployment.Status.ObservedGeneration = 1
	return b.Replicas(1)
}

// Replicas sets how many replicas are wanted and there, all of them Ready and up to date.
func (b *DeploymentBuilder) Replicas(n int32) *DeploymentBuilder {
	b.deployment.Spec.Replicas = &n
	b.deployment.Status.Replicas = n
	return b.Updated(n).ReadyReplicas(n)
}

// Updated sets how many replicas are of the newest template.
func (b *DeploymentBuilder) Updated(n int32) *DeploymentBuilder {
	b.deployment.Status.UpdatedReplicas = n
	return b
}

// ReadyReplicas sets how many replicas are Ready and available.
func (b *DeploymentBuilder) ReadyReplicas(n int32) *DeploymentBuilder {
	b.deployment.Status.ReadyReplicas = n
	b.deployment.Status.AvailableReplicas = n
	b.deployment.Status.UnavailableReplicas = b.deployment.Status.Replicas - n
	return b
}

// Generation sets what the spec has come to, and what of it the rollout has seen.
func (b *DeploymentBuilder) Generation(spec, observed int64) *DeploymentBuilder {
	b.deployment.Generation = spec
	b.deployment.Status.ObservedGeneration = observed
	return b
}

// Annotation adds an annotation.
func (b *DeploymentBuilder) Annotation(key, value string) *DeploymentBuilder {
	metav1.SetMetaDataAnnotation(&b.deployment.ObjectMeta, key, value)
	return b
}

// Env adds an environment variable to the pod template's container.
func (b *DeploymentBuilder) Env(name, value string) *DeploymentBuilder {
	b.container().Env = append(b.container().Env, corev1.EnvVar{Name: name, Value: value})
	return b
}

// Args sets the arguments of the pod template's container.
func (b *DeploymentBuilder) Args(args ...string) *DeploymentBuilder {
	b.container().Args = args
	return b
}

// Obj returns the Deployment.
func (b *DeploymentBuilder) Obj() *appsv1.Deployment { return b.deployment.DeepCopy() }

func (b *DeploymentBuilder) container() *corev1.Container {
	return &b.deployment.Spec.Template.Spec.Containers[0]
}

// MakeReplicaSet returns the ReplicaSet of a Deployment's present template. The hash tells it from others.
func MakeReplicaSet(d *appsv1.Deployment, hash string) *appsv1.ReplicaSet {
	rs := &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       d.Namespace,
			Name:            d.Name + "-" + hash,
			UID:             types.UID(d.Name + "-" + hash + "-uid"),
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(d, appsv1.SchemeGroupVersion.WithKind("Deployment"))},
		},
		Spec: appsv1.ReplicaSetSpec{Replicas: d.Spec.Replicas, Template: *d.Spec.Template.DeepCopy()},
	}
	rs.Labels = maps.Clone(d.Spec.Template.Labels)
	rs.Labels[appsv1.DefaultDeploymentUniqueLabelKey] = hash
	rs.Spec.Template.Labels = maps.Clone(rs.Labels)
	rs.Spec.Selector = &metav1.LabelSelector{MatchLabels: maps.Clone(rs.Labels)}
	return rs
}

// MakeConfigMap returns a ConfigMap with the given keys and values, in turn.
func MakeConfigMap(name string, keysAndValues ...string) *corev1.ConfigMap {
	cm := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: name},
		Data:       map[string]string{},
	}
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		cm.Data[keysAndValues[i]] = keysAndValues[i+1]
	}
	return cm
}
