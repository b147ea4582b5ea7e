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
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

const (
	name      = "tekton-leases-controller"
	namespace = "tekton-pipelines"
)

// types are the only ones that may lie in this directory: nothing of the whole cluster is among them.
var types = map[string]func() metav1.Object{
	"v1 ConfigMap":      func() metav1.Object { return &corev1.ConfigMap{} },
	"v1 Service":        func() metav1.Object { return &corev1.Service{} },
	"v1 ServiceAccount": func() metav1.Object { return &corev1.ServiceAccount{} },
	"apps/v1 Deployment": func() metav1.Object {
		return &appsv1.Deployment{}
	},
	"networking.k8s.io/v1 NetworkPolicy": func() metav1.Object {
		return &networkingv1.NetworkPolicy{}
	},
	"rbac.authorization.k8s.io/v1 Role": func() metav1.Object {
		return &rbacv1.Role{}
	},
	"rbac.authorization.k8s.io/v1 RoleBinding": func() metav1.Object {
		return &rbacv1.RoleBinding{}
	},
}

// objects reads every object of every file, by "<kind> <name>", and refuses what the API server would refuse or drop.
func objects(t *testing.T) map[string]metav1.Object {
	t.Helper()
	files, err := filepath.Glob("*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]metav1.Object{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for document := range bytes.SplitSeq(content, []byte("\n---\n")) {
			kind, object, err := parse(document)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			key := kind + " " + object.GetName()
			if _, ok := all[key]; ok {
				t.Fatalf("%s: %s is there twice", file, key)
			}
			all[key] = object
		}
	}
	return all
}

func parse(document []byte) (string, metav1.Object, error) {
	var meta metav1.TypeMeta
	if err := yaml.Unmarshal(document, &meta); err != nil {
		return "", nil, fmt.Errorf("failed to read the type: %w", err)
	}
	create, ok := types[meta.APIVersion+" "+meta.Kind]
	if !ok {
		return "", nil, fmt.Errorf("%s %s is not among the types that may be shipped", meta.APIVersion, meta.Kind)
	}
	object := create()
	if err := yaml.UnmarshalStrict(document, object); err != nil {
		return "", nil, fmt.Errorf("failed to read the %s: %w", meta.Kind, err)
	}
	return meta.Kind, object, nil
}

// get returns the object of type T that has our usual name.
func get[T metav1.Object](t *testing.T, kind string) T {
	t.Helper()
	object, ok := objects(t)[kind+" "+name].(T)
	if !ok {
		t.Fatalf("there is no %s %s", kind, name)
	}
	return object
}

func container(t *testing.T) corev1.Container {
	t.Helper()
	containers := get[*appsv1.Deployment](t, "Deployment").Spec.Template.Spec.Containers
	if len(containers) != 1 {
		t.Fatalf("got %d containers, want 1", len(containers))
	}
	return containers[0]
}

// ours selects the pods of this controller and no others; it never changes, since a Deployment's selector cannot.
var ours = map[string]string{
	"app.kubernetes.io/name":      "leases-controller",
	"app.kubernetes.io/component": "leases-controller",
	"app.kubernetes.io/instance":  "default",
	"app.kubernetes.io/part-of":   "tekton-pipelines",
}

// released are the labels that a release puts its version into.
var released = map[string]string{
	"app.kubernetes.io/version":   "devel",
	"pipeline.tekton.dev/release": "devel",
	"version":                     "devel",
	"app":                         name,
}

func merged(sets ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, set := range sets {
		for k, v := range set {
			all[k] = v
		}
	}
	return all
}

// TestObjects holds what is shipped to one list, so that nothing of Tekton's own (config-logging, say) is shipped twice.
func TestObjects(t *testing.T) {
	want := map[string]map[string]string{
		"ConfigMap config-leader-election-leases": ours,
		"ConfigMap config-observability-leases":   ours,
		"Deployment " + name:                      merged(ours, released),
		"NetworkPolicy " + name:                   ours,
		"Role " + name:                            ours,
		"RoleBinding " + name:                     ours,
		"Service " + name:                         merged(ours, released),
		"ServiceAccount " + name:                  ours,
	}
	got := map[string]map[string]string{}
	for key, object := range objects(t) {
		got[key] = object.GetLabels()
		if object.GetNamespace() != namespace {
			t.Errorf("%s: got namespace %q, want %q", key, object.GetNamespace(), namespace)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("objects and their labels (-want, +got):\n%s", diff)
	}
}

func TestSelectors(t *testing.T) {
	deployment := get[*appsv1.Deployment](t, "Deployment")
	template := deployment.Spec.Template
	if diff := cmp.Diff(merged(ours, released), template.Labels); diff != "" {
		t.Errorf("labels of the pods (-want, +got):\n%s", diff)
	}
	apart := template.Spec.Affinity.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution
	if len(apart) != 1 || apart[0].PodAffinityTerm.TopologyKey != corev1.LabelHostname {
		t.Fatalf("got anti-affinity %v, want one term, over nodes", apart)
	}
	for what, selector := range map[string]map[string]string{
		"Deployment":    deployment.Spec.Selector.MatchLabels,
		"anti-affinity": apart[0].PodAffinityTerm.LabelSelector.MatchLabels,
		"NetworkPolicy": get[*networkingv1.NetworkPolicy](t, "NetworkPolicy").Spec.PodSelector.MatchLabels,
		"Service":       get[*corev1.Service](t, "Service").Spec.Selector,
	} {
		if diff := cmp.Diff(ours, selector); diff != "" {
			t.Errorf("selector of the %s (-want, +got):\n%s", what, diff)
		}
	}
}

// TestRole is the list of all that the controller may do.
func TestRole(t *testing.T) {
	follow := []string{"list", "watch"}
	want := []rbacv1.PolicyRule{
		{
			APIGroups: []string{"coordination.k8s.io"}, Resources: []string{"leases"},
			Verbs: []string{"get", "list", "watch", "create", "update", "delete"},
		},
		{APIGroups: []string{"apps"}, Resources: []string{"deployments", "replicasets", "statefulsets"}, Verbs: follow},
		{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: follow},
		{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"get", "list", "watch"}},
		{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"create"}},
		{
			APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"update"},
			ResourceNames: []string{"leases-controller-status"},
		},
		{APIGroups: []string{""}, Resources: []string{"events"}, Verbs: []string{"create", "patch"}},
	}
	if diff := cmp.Diff(want, get[*rbacv1.Role](t, "Role").Rules); diff != "" {
		t.Errorf("rules (-want, +got):\n%s", diff)
	}
}

func TestRoleBinding(t *testing.T) {
	binding := get[*rbacv1.RoleBinding](t, "RoleBinding")
	wantSubjects := []rbacv1.Subject{{Kind: "ServiceAccount", Name: name, Namespace: namespace}}
	if diff := cmp.Diff(wantSubjects, binding.Subjects); diff != "" {
		t.Errorf("subjects (-want, +got):\n%s", diff)
	}
	wantRef := rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: name}
	if diff := cmp.Diff(wantRef, binding.RoleRef); diff != "" {
		t.Errorf("role (-want, +got):\n%s", diff)
	}
	if got := get[*appsv1.Deployment](t, "Deployment").Spec.Template.Spec.ServiceAccountName; got != name {
		t.Errorf("the pods run as %q, want %q", got, name)
	}
}

func TestContainer(t *testing.T) {
	got := container(t)
	if got.Name != name {
		t.Errorf("got name %q, want %q: the Tekton Operator replaces images by it", got.Name, name)
	}
	main, ok := strings.CutPrefix(got.Image, "ko://github.com/tektoncd/leases-controller/")
	if !ok {
		t.Fatalf("got image %q, want one that ko builds from this module", got.Image)
	}
	if _, err := os.Stat(filepath.Join("..", main)); err != nil {
		t.Errorf("image %q is not a directory of this module: %v", got.Image, err)
	}
	if diff := cmp.Diff([]string{"-kube-api-qps=50", "-kube-api-burst=100"}, got.Args); diff != "" {
		t.Errorf("args (-want, +got):\n%s", diff)
	}
	if got.Resources.Requests.Memory().IsZero() || got.Resources.Limits.Memory().IsZero() {
		t.Errorf("got resources %v, want a request and a limit for memory", got.Resources)
	}
}

func TestEnv(t *testing.T) {
	field := func(path string) *corev1.EnvVarSource {
		return &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: path}}
	}
	want := []corev1.EnvVar{
		{Name: "SYSTEM_NAMESPACE", ValueFrom: field("metadata.namespace")},
		{Name: "POD_NAME", ValueFrom: field("metadata.name")},
		{Name: "KUBERNETES_MIN_VERSION", Value: "v1.28.0"},
		{Name: "CONFIG_LEADERELECTION_NAME", Value: "config-leader-election-leases"},
		{Name: "CONFIG_LOGGING_NAME", Value: "config-logging"},
		{Name: "CONFIG_OBSERVABILITY_NAME", Value: "config-observability-leases"},
	}
	if diff := cmp.Diff(want, container(t).Env); diff != "" {
		t.Errorf("environment (-want, +got):\n%s", diff)
	}
}
