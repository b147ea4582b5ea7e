//go:build e2e

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

package e2e

import (
	"context"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestAnswers makes the same calls on a real API server and on the one in
// memory, which all other tests rely on, and compares the answers one by one.
func TestAnswers(t *testing.T) {
	cfg := rest.CopyConfig(kubeconfig(t))
	cfg.ContentType = "application/json"
	cfg.QPS = -1
	kube := kubernetes.NewForConfigOrDie(cfg)
	namespace := makeNamespace(t, kube)
	for about, talks := range map[string]map[string]func(*caller){
		"leases":    leaseTalks,
		"patches":   patchTalks,
		"deletions": deleteTalks,
		"lists":     listTalks,
		"watches":   watchTalks,
		"pods":      podTalks,
		"others":    otherTalks,
	} {
		for name, talk := range talks {
			t.Run(about+"/"+name, func(t *testing.T) {
				truth := newCaller(t, kube, namespace)
				talk(truth)
				empty(t, kube, namespace)
				memory := newCaller(t, leasestesting.NewAPI().NewClient("test", leasestesting.ClientOptions{}).Kube(), namespace)
				talk(memory)
				for i := range max(len(truth.notes), len(memory.notes)) {
					if want, got := truth.note(i), memory.note(i); got != want {
						t.Errorf("answer %d differs\n   API server: %s\nAPI in memory: %s", i+1, want, got)
					}
				}
				if len(truth.notes) == 0 {
					t.Error("no call was made")
				}
			})
		}
	}
}

// makeNamespace makes one for this test alone, in which pods can be created.
func makeNamespace(t *testing.T, kube kubernetes.Interface) string {
	t.Helper()
	ns, err := kube.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "leases-controller-test-"},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal("failed to make a namespace:", err)
	}
	t.Cleanup(func() {
		if err := kube.CoreV1().Namespaces().Delete(context.WithoutCancel(t.Context()), ns.Name, metav1.DeleteOptions{}); err != nil {
			t.Errorf("failed to delete namespace %s: %v", ns.Name, err)
		}
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		_, err := kube.CoreV1().ServiceAccounts(ns.Name).Get(t.Context(), "default", metav1.GetOptions{})
		if err == nil {
			return ns.Name
		}
		if !apierrors.IsNotFound(err) || time.Now().After(deadline) {
			t.Fatalf("no ServiceAccount in namespace %s: %v", ns.Name, err)
		}
	}
}

// empty deletes what a conversation has left behind.
func empty(t *testing.T, kube kubernetes.Interface, namespace string) {
	t.Helper()
	at := metav1.DeleteOptions{GracePeriodSeconds: ptr.To[int64](0), PropagationPolicy: ptr.To(metav1.DeletePropagationBackground)}
	all := metav1.ListOptions{}
	for what, deleteAll := range map[string]func(context.Context, metav1.DeleteOptions, metav1.ListOptions) error{
		"leases":      kube.CoordinationV1().Leases(namespace).DeleteCollection,
		"pods":        kube.CoreV1().Pods(namespace).DeleteCollection,
		"configmaps":  kube.CoreV1().ConfigMaps(namespace).DeleteCollection,
		"events":      kube.CoreV1().Events(namespace).DeleteCollection,
		"deployments": kube.AppsV1().Deployments(namespace).DeleteCollection,
		"replicasets": kube.AppsV1().ReplicaSets(namespace).DeleteCollection,
	} {
		if err := deleteAll(t.Context(), at, all); err != nil {
			t.Fatalf("failed to delete all %s: %v", what, err)
		}
	}
}

// lease begins one as an elector makes it.
func lease(name string) *leasestesting.LeaseBuilder {
	return leasestesting.MakeLease(name).Namespace("").Holder("one_1").Duration(60).
		Acquired(morning).Renewed(morning).Transitions(0)
}

var morning = time.Date(2026, time.March, 1, 6, 0, 0, 123456000, time.UTC)

// with returns a changed copy.
func with[T leasestesting.Object](obj leasestesting.Object, change func(T)) T {
	changed := obj.DeepCopyObject().(T)
	change(changed)
	return changed
}

// heldBy returns a copy of a lease with another holder.
func heldBy(identity string, obj leasestesting.Object) *coordinationv1.Lease {
	return with(obj, func(l *coordinationv1.Lease) { l.Spec.HolderIdentity = &identity })
}

// versioned returns a copy with another resourceVersion.
func versioned(version string, obj leasestesting.Object) leasestesting.Object {
	return with(obj, func(o leasestesting.Object) { o.SetResourceVersion(version) })
}

// identified returns a copy with another UID.
func identified(uid string, obj leasestesting.Object) leasestesting.Object {
	return with(obj, func(o leasestesting.Object) { o.SetUID(types.UID(uid)) })
}
