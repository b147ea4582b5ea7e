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
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic/fake"
	clienttesting "k8s.io/client-go/testing"
)

var manifests = map[string]string{
	"1.yaml": `{apiVersion: v1, kind: Namespace, metadata: {name: ns}}`,
	"2.yaml": `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: tasks}}`,
	"3.yaml": `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: ns}, data: {a: b}}`,
}

// newFake returns a cluster that writes down what is asked of it. Its CRDs
// are established at the second look.
func newFake() (*cluster, *fake.FakeDynamicClient) {
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, meta.RESTScopeRoot)
	mapper.Add(schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, meta.RESTScopeNamespace)
	mapper.Add(schema.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"}, meta.RESTScopeRoot)
	client := fake.NewSimpleDynamicClient(runtime.NewScheme())
	client.PrependReactor("patch", "*", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, &unstructured.Unstructured{Object: map[string]any{}}, nil
	})
	looks := 0
	client.PrependReactor("get", "customresourcedefinitions", func(clienttesting.Action) (bool, runtime.Object, error) {
		looks++
		status := map[int]string{1: "False"}[looks]
		if status == "" {
			status = "True"
		}
		return true, &unstructured.Unstructured{Object: map[string]any{"status": map[string]any{
			"conditions": []any{map[string]any{"type": "Established", "status": status}},
		}}}, nil
	})
	return &cluster{client: client, mapper: mapper}, client
}

// calls tells what was asked of the API server, in order.
func calls(client *fake.FakeDynamicClient) []string {
	var calls []string
	for _, action := range client.Actions() {
		call := strings.Join([]string{action.GetVerb(), action.GetResource().Resource, action.GetNamespace()}, " ")
		if patch, ok := action.(clienttesting.PatchAction); ok {
			call += " " + string(patch.GetPatchType()) + " " + string(patch.GetPatch())
		}
		calls = append(calls, strings.TrimSpace(call))
	}
	return calls
}

func TestInstall(t *testing.T) {
	cluster, client := newFake()
	options := func(object *unstructured.Unstructured) error {
		if object.GetKind() == "ConfigMap" {
			return setData(object, map[string]string{"c": "d"})
		}
		return nil
	}
	if err := cluster.install(t.Context(), write(t, manifests), leasesFiles, options); err != nil {
		t.Fatal("install() =", err)
	}
	want := []string{
		`patch namespaces  ` + string(types.ApplyPatchType) + ` {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"ns"}}`,
		`patch customresourcedefinitions  ` + string(types.ApplyPatchType) +
			` {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"tasks"}}`,
		"get customresourcedefinitions",
		"get customresourcedefinitions",
		`patch configmaps ns ` + string(types.ApplyPatchType) +
			` {"apiVersion":"v1","data":{"a":"b","c":"d"},"kind":"ConfigMap","metadata":{"name":"c","namespace":"ns"}}`,
	}
	if diff := cmp.Diff(want, calls(client)); diff != "" {
		t.Errorf("install() asked for (-want, +got):\n%s", diff)
	}
}

func TestInstallErrors(t *testing.T) {
	fault := errors.New("a fault")
	for name, tc := range map[string]struct {
		files  map[string]string
		change error
		verb   string
		want   string
	}{
		"an object that cannot be changed": {files: manifests, change: fault, want: "failed to change Namespace ns: a fault"},
		"the API server refuses it":        {files: manifests, verb: "patch", want: "failed to apply Namespace ns: a fault"},
		"a CRD cannot be read":             {files: manifests, verb: "get", want: "failed to apply CustomResourceDefinition tasks: a fault"},
		"a kind that is not there":         {files: map[string]string{"a.yaml": `{kind: Task, apiVersion: v1, metadata: {name: t}}`}, want: "failed to find the resource of Task t"},
		"no manifests":                     {want: "failed to find manifests"},
	} {
		t.Run(name, func(t *testing.T) {
			cluster, client := newFake()
			client.PrependReactor(tc.verb, "*", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, fault })
			change := func(*unstructured.Unstructured) error { return tc.change }
			err := cluster.install(t.Context(), write(t, tc.files), leasesFiles, change)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("install() = %v, want %q", err, tc.want)
			}
		})
	}
}

func TestInstallStopsWaitingForACRD(t *testing.T) {
	cluster, client := newFake()
	ctx, cancel := context.WithCancel(t.Context())
	client.PrependReactor("get", "*", func(clienttesting.Action) (bool, runtime.Object, error) {
		cancel()
		return true, &unstructured.Unstructured{}, nil
	})
	err := cluster.install(ctx, write(t, manifests), leasesFiles, LeasesOptions{}.change)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("install() = %v, want %v", err, context.Canceled)
	}
}

func TestRemove(t *testing.T) {
	cluster, client := newFake()
	client.PrependReactor("delete", "namespaces", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, nil })
	// The fake has neither of the others: what is gone already is no error.
	if err := cluster.remove(t.Context(), write(t, manifests), leasesFiles, unchanged); err != nil {
		t.Fatal("remove() =", err)
	}
	want := []string{"delete configmaps ns", "delete customresourcedefinitions", "delete namespaces"}
	if diff := cmp.Diff(want, calls(client)); diff != "" {
		t.Errorf("remove() asked for (-want, +got):\n%s", diff)
	}
}

func TestRemoveErrors(t *testing.T) {
	cluster, client := newFake()
	client.PrependReactor("delete", "*", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, errors.New("a fault") })
	err := cluster.remove(t.Context(), write(t, manifests), leasesFiles, unchanged)
	if err == nil || !strings.Contains(err.Error(), "failed to delete ConfigMap c: a fault") {
		t.Errorf("remove() = %v, want the fault", err)
	}
}

func unchanged(*unstructured.Unstructured) error { return nil }
