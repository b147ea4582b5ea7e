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

package config

import (
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

const (
	nameEnv = "CONFIG_LEADERELECTION_NAME"
	// defaultElectionConfigMap is what knative reads where nameEnv is not set.
	defaultElectionConfigMap = "config-leader-election"
	// A process that has both of these takes its buckets from its ordinal in a
	// StatefulSet (knative.dev/pkg, leaderelection/config.go).
	ordinalEnv = "STATEFUL_CONTROLLER_ORDINAL"
	serviceEnv = "STATEFUL_SERVICE_NAME"
)

// ElectionConfigMapName returns the name of the ConfigMap from which the pods of
// a template read their election, and the container that does so. The name is
// empty if the template takes it from elsewhere, so that it cannot be known.
func ElectionConfigMapName(template *corev1.PodTemplateSpec) (name, container string) {
	elector := electorOf(template)
	env, set := lookup(elector.Env, nameEnv)
	switch {
	case env.ValueFrom != nil:
		return "", elector.Name
	case !set || env.Value == "":
		return defaultElectionConfigMap, elector.Name
	}
	return env.Value, elector.Name
}

// Elects reports whether the pods of a template share their work by leases, and
// why they do not.
func Elects(template *corev1.PodTemplateSpec) (bool, string) {
	elector := electorOf(template)
	value, set := disableHA(arguments(elector))
	disabled, err := strconv.ParseBool(value)
	switch {
	case set && err != nil:
		return false, fmt.Sprintf("container %q has -disable-ha=%s, which cannot be read as true or false", elector.Name, value)
	case disabled:
		return false, fmt.Sprintf("container %q runs with -disable-ha: it uses no leases", elector.Name)
	}
	_, ordinal := lookup(elector.Env, ordinalEnv)
	_, service := lookup(elector.Env, serviceEnv)
	if ordinal && service {
		return false, fmt.Sprintf("container %q has %s: it takes its buckets by ordinal and uses no leases", elector.Name, ordinalEnv)
	}
	return true, ""
}

// electorOf returns the container that takes part in the election: the one with
// a ConfigMap for it, else the first.
func electorOf(template *corev1.PodTemplateSpec) *corev1.Container {
	containers := template.Spec.Containers
	for i := range containers {
		if _, set := lookup(containers[i].Env, nameEnv); set {
			return &containers[i]
		}
	}
	if len(containers) == 0 {
		return &corev1.Container{}
	}
	return &containers[0]
}

// lookup returns the variable as a process sees it: of several with one name the
// last one counts.
func lookup(env []corev1.EnvVar, name string) (found corev1.EnvVar, set bool) {
	for _, v := range env {
		if v.Name == name {
			found, set = v, true
		}
	}
	return found, set
}
