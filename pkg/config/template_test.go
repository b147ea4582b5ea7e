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

package config_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/tektoncd/leases-controller/pkg/config"
)

const nameEnv = "CONFIG_LEADERELECTION_NAME"

// template returns the template of pods with the given containers.
func template(containers ...corev1.Container) *corev1.PodTemplateSpec {
	return &corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: containers}}
}

// controller returns a container of Tekton with the given environment.
func controller(env ...corev1.EnvVar) corev1.Container {
	return corev1.Container{Name: "controller", Env: env}
}

// byReference returns a variable whose value a template does not show.
func byReference(name string) corev1.EnvVar {
	return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.name"}}}
}

func TestElectionConfigMapName(t *testing.T) {
	for name, tc := range map[string]struct {
		template      *corev1.PodTemplateSpec
		want          string
		wantContainer string
	}{
		"set": {
			template:      template(controller(corev1.EnvVar{Name: nameEnv, Value: tektons})),
			want:          tektons,
			wantContainer: "controller",
		},
		"not set": {
			template:      template(controller(corev1.EnvVar{Name: "SYSTEM_NAMESPACE", Value: "a"})),
			want:          "config-leader-election",
			wantContainer: "controller",
		},
		"empty": {
			template:      template(controller(corev1.EnvVar{Name: nameEnv})),
			want:          "config-leader-election",
			wantContainer: "controller",
		},
		"the last one counts": {
			template:      template(controller(corev1.EnvVar{Name: nameEnv, Value: "first"}, corev1.EnvVar{Name: nameEnv, Value: "last"})),
			want:          "last",
			wantContainer: "controller",
		},
		"not shown by the template": {
			template:      template(controller(byReference(nameEnv))),
			wantContainer: "controller",
		},
		"behind a proxy": {
			template:      template(corev1.Container{Name: "proxy"}, controller(corev1.EnvVar{Name: nameEnv, Value: tektons})),
			want:          tektons,
			wantContainer: "controller",
		},
		"several containers, none has it": {
			template:      template(controller(), corev1.Container{Name: "proxy"}),
			want:          "config-leader-election",
			wantContainer: "controller",
		},
		"no containers": {template: template(), want: "config-leader-election"},
	} {
		t.Run(name, func(t *testing.T) {
			got, container := config.ElectionConfigMapName(tc.template)
			if got != tc.want || container != tc.wantContainer {
				t.Errorf("ElectionConfigMapName() = %q, %q, want %q, %q", got, container, tc.want, tc.wantContainer)
			}
		})
	}
}

func TestCase17DisableHA(t *testing.T) {
	const off = `container "controller" runs with -disable-ha: it uses no leases`
	for name, tc := range map[string]struct {
		container corev1.Container
		want      string
	}{
		"no arguments": {container: corev1.Container{Name: "controller"}},
		"in args": {
			container: corev1.Container{Name: "controller", Args: []string{"-entrypoint-image", "an/image", "-disable-ha=true"}},
			want:      off,
		},
		"in the command": {
			container: corev1.Container{Name: "controller", Command: []string{"/ko-app/controller", "--disable-ha"}, Args: []string{"-v=2"}},
			want:      off,
		},
		"args win over the command": {
			container: corev1.Container{Name: "controller", Command: []string{"/ko-app/controller", "-disable-ha"}, Args: []string{"-disable-ha=false"}},
		},
		"the command's name is no argument": {
			container: corev1.Container{Name: "controller", Command: []string{"-disable-ha"}},
		},
		"neither true nor false": {
			container: corev1.Container{Name: "controller", Args: []string{"-disable-ha=$(DISABLE_HA)"}},
			want:      `container "controller" has -disable-ha=$(DISABLE_HA), which cannot be read as true or false`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			requireElects(t, template(tc.container), tc.want)
		})
	}
}

func TestCase17DisableHAOfAnotherContainer(t *testing.T) {
	proxy := corev1.Container{Name: "proxy", Args: []string{"-disable-ha"}}
	requireElects(t, template(proxy, controller(corev1.EnvVar{Name: nameEnv, Value: tektons})), "")
}

func TestCase18StatefulSetOrdinals(t *testing.T) {
	for name, tc := range map[string]struct {
		template *corev1.PodTemplateSpec
		want     string
	}{
		"ordinal and service": {
			template: template(controller(byReference("STATEFUL_CONTROLLER_ORDINAL"), corev1.EnvVar{Name: "STATEFUL_SERVICE_NAME", Value: "a"})),
			want:     `container "controller" has STATEFUL_CONTROLLER_ORDINAL: it takes its buckets by ordinal and uses no leases`,
		},
		"knative needs both": {
			template: template(controller(byReference("STATEFUL_CONTROLLER_ORDINAL"))),
		},
		"no containers": {template: template()},
	} {
		t.Run(name, func(t *testing.T) {
			requireElects(t, tc.template, tc.want)
		})
	}
}

// requireElects wants an election if there is no reason against it.
func requireElects(t *testing.T, template *corev1.PodTemplateSpec, wantReason string) {
	t.Helper()
	got, reason := config.Elects(template)
	if got != (wantReason == "") || reason != wantReason {
		t.Errorf("Elects() = %t, %q, want %t, %q", got, reason, wantReason == "", wantReason)
	}
}
