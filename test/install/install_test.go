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
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// apiServer knows namespaces, ConfigMaps and CRDs, and writes down what is
// written to it.
type apiServer struct {
	mu     sync.Mutex
	writes []string
}

func (a *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	groups := metav1.APIGroupList{Groups: []metav1.APIGroup{{
		Name:             "apiextensions.k8s.io",
		Versions:         []metav1.GroupVersionForDiscovery{{GroupVersion: "apiextensions.k8s.io/v1", Version: "v1"}},
		PreferredVersion: metav1.GroupVersionForDiscovery{GroupVersion: "apiextensions.k8s.io/v1", Version: "v1"},
	}}}
	answers := map[string]any{
		"/api":  metav1.APIVersions{Versions: []string{"v1"}},
		"/apis": groups,
		"/api/v1": metav1.APIResourceList{GroupVersion: "v1", APIResources: []metav1.APIResource{
			{Name: "namespaces", Kind: "Namespace"}, {Name: "configmaps", Kind: "ConfigMap", Namespaced: true},
		}},
		"/apis/apiextensions.k8s.io/v1": metav1.APIResourceList{GroupVersion: "apiextensions.k8s.io/v1", APIResources: []metav1.APIResource{
			{Name: "customresourcedefinitions", Kind: "CustomResourceDefinition"},
		}},
	}
	if answer, ok := answers[r.URL.Path]; ok {
		_ = json.NewEncoder(w).Encode(answer)
		return
	}
	body, _ := io.ReadAll(r.Body)
	if r.Method != http.MethodGet {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.writes = append(a.writes, strings.TrimSpace(strings.Join([]string{r.Method, r.URL.Path, r.URL.RawQuery, string(body)}, " ")))
	}
	_, _ = io.WriteString(w, `{"apiVersion": "v1", "kind": "Any", "metadata": {"name": "any"},
		"status": {"conditions": [{"type": "Established", "status": "True"}]}}`)
}

// serve starts an API server, and returns how to reach it and what was
// written to it.
func serve(t *testing.T) (*rest.Config, func() []string) {
	t.Helper()
	a := &apiServer{}
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	return &rest.Config{Host: server.URL}, func() []string {
		a.mu.Lock()
		defer a.mu.Unlock()
		return a.writes
	}
}

// patch is a server-side apply to which others give way.
func patch(path, object string) string {
	return "PATCH " + path + " fieldManager=leases-controller-tests&force=true " + object
}

func TestTekton(t *testing.T) {
	dir := write(t, map[string]string{
		"100-namespace/a.yaml": `{apiVersion: v1, kind: Namespace, metadata: {name: ns}}`,
		"200-a.yaml":           ``, "201-a.yaml": ``, "controller.yaml": ``,
		"300-crds/a.yaml": `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: tasks}, spec: {conversion: {strategy: Webhook}}}`,
		"config-a.yaml":   `{apiVersion: v1, kind: ConfigMap, metadata: {name: config-leader-election-controller, namespace: ns}}`,
	})
	cfg, writes := serve(t)
	if err := Tekton(t.Context(), cfg, dir, TektonOptions{Buckets: 10}); err != nil {
		t.Fatal("Tekton() =", err)
	}
	want := []string{
		patch("/api/v1/namespaces/ns", `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"ns"}}`),
		patch("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/tasks",
			`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"tasks"},"spec":{}}`),
		patch("/api/v1/namespaces/ns/configmaps/config-leader-election-controller",
			`{"apiVersion":"v1","data":{"buckets":"10"},"kind":"ConfigMap","metadata":{"name":"config-leader-election-controller","namespace":"ns"}}`),
	}
	if diff := cmp.Diff(want, writes()); diff != "" {
		t.Errorf("Tekton() wrote (-want, +got):\n%s", diff)
	}
}

func TestLeases(t *testing.T) {
	dir := write(t, map[string]string{
		"config-leader-election-leases.yaml": `{apiVersion: v1, kind: ConfigMap, metadata: {name: config-leader-election-leases, namespace: ns}}`,
		// Optional parts are not applied.
		"monitoring/a.yaml": `{apiVersion: v1, kind: ConfigMap, metadata: {name: optional, namespace: ns}}`,
	})
	cfg, writes := serve(t)
	if err := Leases(t.Context(), cfg, dir, LeasesOptions{Data: map[string]string{"strategy": "delete"}}); err != nil {
		t.Fatal("Leases() =", err)
	}
	if err := DeleteLeases(t.Context(), cfg, dir, LeasesOptions{}); err != nil {
		t.Fatal("DeleteLeases() =", err)
	}
	path := "/api/v1/namespaces/ns/configmaps/config-leader-election-leases"
	want := []string{
		patch(path, `{"apiVersion":"v1","data":{"strategy":"delete"},"kind":"ConfigMap","metadata":{"name":"config-leader-election-leases","namespace":"ns"}}`),
		"DELETE " + path + `  {"kind":"DeleteOptions","apiVersion":"v1"}`,
	}
	if diff := cmp.Diff(want, writes()); diff != "" {
		t.Errorf("Leases() and DeleteLeases() wrote (-want, +got):\n%s", diff)
	}
}

func TestWrongConfig(t *testing.T) {
	cfg := &rest.Config{Host: "http://[::"}
	for name, install := range map[string]func() error{
		"Tekton":       func() error { return Tekton(t.Context(), cfg, "", TektonOptions{}) },
		"Leases":       func() error { return Leases(t.Context(), cfg, "", LeasesOptions{}) },
		"DeleteLeases": func() error { return DeleteLeases(t.Context(), cfg, "", LeasesOptions{}) },
	} {
		if err := install(); err == nil || !strings.Contains(err.Error(), "failed to make a client") {
			t.Errorf("%s() = %v, want that it has no client", name, err)
		}
	}
}
