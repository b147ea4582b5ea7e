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

package node

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
)

const testNamespace = "ns"

// fakeAPI answers what a kubelet asks the API server for, through the real client.
type fakeAPI struct {
	mu        sync.Mutex
	objects   map[string]runtime.Object // by path
	requests  []string                  // writes, in their order
	statuses  chan corev1.PodStatus     // each that was published
	deletions chan metav1.DeleteOptions
}

// newTestKubelet returns a kubelet whose API server has the objects.
func newTestKubelet(t *testing.T, objects ...runtime.Object) (*kubelet, *fakeAPI) {
	t.Helper()
	api := &fakeAPI{
		objects:   map[string]runtime.Object{},
		statuses:  make(chan corev1.PodStatus, 1000),
		deletions: make(chan metav1.DeleteOptions, 10),
	}
	for _, o := range objects {
		api.add(o)
	}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	client, err := kubernetes.NewForConfig(&rest.Config{Host: server.URL, ContentConfig: rest.ContentConfig{ContentType: "application/json"}})
	if err != nil {
		t.Fatal(err)
	}
	k, err := newKubelet(config{
		dir:       t.TempDir(),
		apiServer: strings.TrimPrefix(server.URL, "http://"),
		serviceIP: netip.MustParseAddr("10.96.0.1"),
		images:    images{},
	}, client)
	if err != nil {
		t.Fatal(err)
	}
	k.recorder = record.NewFakeRecorder(1000)
	return k, api
}

func (f *fakeAPI) add(o runtime.Object) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.objects[pathOf(o)] = o
}

func (f *fakeAPI) remove(o runtime.Object) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.objects, pathOf(o))
}

func pathOf(o runtime.Object) string {
	accessor := o.(metav1.Object)
	kind := strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", o), "*v1.")) + "s"
	return fmt.Sprintf("/api/v1/namespaces/%s/%s/%s", accessor.GetNamespace(), kind, accessor.GetName())
}

// ServeHTTP implements http.Handler.
func (f *fakeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.Method != http.MethodGet {
		f.requests = append(f.requests, r.Method+" "+r.URL.Path)
	}
	answer, err := f.answer(r, body)
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		w.WriteHeader(int(err.ErrStatus.Code))
		_ = json.NewEncoder(w).Encode(err.ErrStatus)
		return
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (f *fakeAPI) answer(r *http.Request, body []byte) (any, *apierrors.StatusError) {
	path := r.URL.Path
	switch {
	case path == "/api/v1/services":
		list := corev1.ServiceList{}
		for _, o := range f.objects {
			if s, ok := o.(*corev1.Service); ok {
				list.Items = append(list.Items, *s)
			}
		}
		return list, nil
	case strings.HasSuffix(path, "/token"):
		var request authenticationv1.TokenRequest
		_ = json.Unmarshal(body, &request)
		bound := request.Spec.BoundObjectRef
		request.Status.Token = fmt.Sprint("token for ", request.Spec.Audiences, " of ", bound.Kind, " ", bound.Name, " ", bound.UID)
		return request, nil
	}
	object, found := f.objects[strings.TrimSuffix(path, "/status")]
	switch {
	case !found:
		return nil, apierrors.NewNotFound(schema.GroupResource{Resource: "things"}, filepath.Base(path))
	case r.Method == http.MethodPatch:
		before, _ := json.Marshal(object)
		after, _ := strategicpatch.StrategicMergePatch(before, body, object)
		pod := &corev1.Pod{}
		_ = json.Unmarshal(after, pod)
		object, f.objects[strings.TrimSuffix(path, "/status")] = pod, pod
		f.statuses <- pod.Status
	case r.Method == http.MethodDelete:
		var options metav1.DeleteOptions
		_ = json.Unmarshal(body, &options)
		delete(f.objects, path)
		f.deletions <- options
	}
	return object, nil
}

func testPod(change ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: testNamespace, Name: "pod-1", UID: "uid-1",
			Labels: map[string]string{"app": "x"}, Annotations: map[string]string{"note": "1"},
		},
		Spec: corev1.PodSpec{ServiceAccountName: "account", RestartPolicy: corev1.RestartPolicyAlways, Containers: []corev1.Container{{Name: "c"}}},
	}
	for _, f := range change {
		f(p)
	}
	return p
}

// newTestPod returns a pod that does not run.
func newTestPod(k *kubelet, object *corev1.Pod) *pod {
	return newPod(k, object, netip.MustParseAddr("10.244.0.7"))
}

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: testNamespace, Name: name}, Data: data}
}

func secret(name string, data map[string][]byte) *corev1.Secret {
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: testNamespace, Name: name}, Data: data}
}

func service(namespace, name, ip string) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec:       corev1.ServiceSpec{ClusterIP: ip, Ports: []corev1.ServicePort{{Port: 443, Protocol: corev1.ProtocolTCP}}},
	}
}

// readTree returns the files below a directory.
func readTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		relative, _ := filepath.Rel(dir, path)
		files[relative] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
