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
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"knative.dev/pkg/observability"
	"sigs.k8s.io/yaml"

	"github.com/tektoncd/leases-controller/pkg/config"
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

// TestReadme: the table of keys in the README says what the code says.
func TestReadme(t *testing.T) {
	content, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	const head = "| key | default | legal | meaning |\n|---|---|---|---|\n"
	_, rest, ok := strings.Cut(string(content), head)
	if !ok {
		t.Fatalf("the README has no table that begins with %q", head)
	}
	got, _, _ := strings.Cut(rest, "\n\n")

	rows := make([]string, 0, len(config.Keys()))
	for _, key := range config.Keys() {
		byDefault := ""
		if key.Default != "" {
			byDefault = "`" + key.Default + "`"
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s | %s |", key.Name, byDefault, key.Legal, key.Doc))
	}
	if diff := cmp.Diff(rows, strings.Split(got, "\n")); diff != "" {
		t.Errorf("table of keys (-want, +got):\n%s", diff)
	}
}
