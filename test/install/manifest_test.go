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

package install

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// write puts files into a new directory.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), fs.ModePerm); err != nil {
			t.Fatal("failed to make a directory:", err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal("failed to write a file:", err)
		}
	}
	return dir
}

// shipped looks like Tekton's config directory, in small.
var shipped = map[string]string{
	"100-namespace/100-namespace.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: tekton-pipelines}\n",
	"200-role.yaml":                    "# a comment\n---\n---\nkind: Role\nmetadata: {name: b}\n---\nkind: Role\nmetadata: {name: a}\n---\n",
	"201-rolebinding.yaml":             "kind: RoleBinding\nmetadata: {name: a}\n",
	"300-crds/300-task.yaml":           "kind: CustomResourceDefinition\nmetadata: {name: task}\n",
	"500-webhooks.yaml":                "kind: Secret\nmetadata: {name: webhook-certs}\n",
	"config-logging.yaml":              "kind: ConfigMap\nmetadata: {name: config-logging}\n",
	"controller.yaml":                  "kind: Deployment\nmetadata: {name: controller}\n---\nkind: Service\nmetadata: {name: controller}\n",
	"webhook.yaml":                     "kind: Deployment\nmetadata: {name: webhook}\n",
	"dummy.go":                         "package config",
}

func TestRead(t *testing.T) {
	got, err := read(write(t, shipped), tektonFiles)
	if err != nil {
		t.Fatal("read() =", err)
	}
	var names []string
	for _, object := range got {
		names = append(names, describe(object))
	}
	want := []string{
		"Namespace tekton-pipelines", "Role b", "Role a", "RoleBinding a", "CustomResourceDefinition task",
		"ConfigMap config-logging", "Deployment controller", "Service controller",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("read() (-want, +got):\n%s", diff)
	}
}

func TestReadErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		files map[string]string
		want  string
	}{
		"the wrong directory": {files: map[string]string{"go.mod": ""}, want: "no *.yaml in"},
		"not YAML":            {files: map[string]string{"a.yaml": "kind: [\n"}, want: "failed to read"},
		"not an object":       {files: map[string]string{"a.yaml": "text\n"}, want: "failed to read"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := read(write(t, tc.files), leasesFiles); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("read() = %v, want %q", err, tc.want)
			}
		})
	}
}

// What we ship can be read, and holds what the options change.
func TestReadShipped(t *testing.T) {
	objects, err := read("../../config", leasesFiles)
	if err != nil {
		t.Fatal("read() =", err)
	}
	found := map[string]bool{}
	for _, object := range objects {
		found[describe(object)] = true
	}
	for _, want := range []string{"Deployment tekton-leases-controller", "ConfigMap " + ownElection} {
		if !found[want] {
			t.Errorf("config has no %s", want)
		}
	}
}
