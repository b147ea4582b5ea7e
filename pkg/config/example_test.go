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
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"knative.dev/pkg/configmap"
	configmaptesting "knative.dev/pkg/configmap/testing"

	"github.com/tektoncd/leases-controller/pkg/config"
)

// TestShipped holds together what is shipped, what is documented, and what a
// missing key means.
func TestShipped(t *testing.T) {
	shipped, example := configmaptesting.ConfigMapsFromTestFile(t, config.ConfigMapName)
	want := &corev1.ConfigMap{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{
			Name:      config.ConfigMapName,
			Namespace: "tekton-pipelines",
			Labels: map[string]string{
				"app.kubernetes.io/name":      "leases-controller",
				"app.kubernetes.io/component": "leases-controller",
				"app.kubernetes.io/instance":  "default",
				"app.kubernetes.io/part-of":   "tekton-pipelines",
			},
		},
		Data: map[string]string{configmap.ExampleKey: config.Example()},
	}
	if diff := cmp.Diff(want, shipped); diff != "" {
		t.Error("shipped ConfigMap (-want, +got):", diff)
	}
	cfg, err := config.NewFromConfigMap(example)
	if err != nil {
		t.Fatal("NewFromConfigMap() =", err)
	}
	if diff := cmp.Diff(config.Default(), cfg); diff != "" {
		t.Error("example (-want, +got):", diff)
	}
	election, err := config.OwnElection(example)
	if err != nil {
		t.Fatal("OwnElection() =", err)
	}
	if diff := cmp.Diff(defaultElection, election); diff != "" {
		t.Error("election of the example (-want, +got):", diff)
	}
}

func TestKeys(t *testing.T) {
	legal := map[string]string{"map-lease-prefix.<component>.<queue>": "leases"}
	for _, key := range config.Keys() {
		t.Run(key.Name, func(t *testing.T) {
			if key.Legal == "" || !strings.HasSuffix(key.Doc, ".") {
				t.Errorf("%#v is not documented", key)
			}
			if _, open := legal[key.Name]; !open && key.Default == "" {
				t.Errorf("%#v has no default", key)
			}
			for _, name := range []string{key.Name, key.Legacy} {
				data := map[string]string{name: key.Default + legal[name]}
				if _, err := config.NewFromMap(data); name != "" && err != nil {
					t.Errorf("NewFromMap(%v) = %v", data, err)
				}
			}
		})
	}
}

// TestExampleLines: who reads it with kubectl has 80 columns.
func TestExampleLines(t *testing.T) {
	for line := range strings.Lines(config.Example()) {
		if length := len(strings.TrimSuffix(line, "\n")); length > 78 {
			t.Errorf("%d characters: %s", length, line)
		}
	}
	for _, key := range config.Keys() {
		if !strings.Contains(config.Example(), key.Name+": ") {
			t.Errorf("%s is missing", key.Name)
		}
	}
}
