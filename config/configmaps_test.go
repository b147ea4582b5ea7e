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

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"knative.dev/pkg/observability"
	"sigs.k8s.io/yaml"
)

// configMap returns what a ConfigMap sets, and what its example block would set.
func configMap(t *testing.T, name string) (data, example map[string]string) {
	t.Helper()
	object, ok := objects(t)["ConfigMap "+name].(*corev1.ConfigMap)
	if !ok {
		t.Fatalf("there is no ConfigMap %s", name)
	}
	if err := yaml.UnmarshalStrict([]byte(object.Data["_example"]), &example); err != nil {
		t.Fatalf("failed to read the example of %s: %v", name, err)
	}
	delete(object.Data, "_example")
	return object.Data, example
}

// TestObservability: metrics are served without anybody setting a key, and the example shows the true defaults.
func TestObservability(t *testing.T) {
	data, example := configMap(t, "config-observability-leases")

	got, err := observability.NewFromMap(data)
	if err != nil {
		t.Fatal(err)
	}
	want := observability.DefaultConfig()
	want.Metrics.Protocol = "prometheus"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("as shipped (-want, +got):\n%s", diff)
	}

	got, err = observability.NewFromMap(example)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(observability.DefaultConfig(), got); diff != "" {
		t.Errorf("example (-want, +got):\n%s", diff)
	}
}

// TestElection: an install over an old one changes no key that a user has set.
func TestElection(t *testing.T) {
	data, _ := configMap(t, "config-leader-election-leases")
	if len(data) > 0 {
		t.Errorf("got keys %v as shipped, want none but the example", data)
	}
}
