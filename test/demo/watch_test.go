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

package main

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/test/install"

	"github.com/tektoncd/leases-controller/test/witness"
)

// makePod returns a pod of one of the two controllers, on a node.
func makePod(name, container string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: install.Namespace, Name: name, UID: types.UID(name + "-uid"), CreationTimestamp: metav1.NewTime(at(0)),
		},
		Spec: corev1.PodSpec{NodeName: "node", Containers: []corev1.Container{{Name: container}}},
	}
}

func readySince(seconds float64) corev1.PodCondition {
	return corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(at(seconds))}
}

func makeLease(name, holder string) *coordinationv1.Lease {
	return &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Namespace: install.Namespace, Name: name},
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: ptr.To(holder)},
	}
}

func TestNewReplica(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*corev1.Pod)
		want   replica
	}{
		"no node yet": {
			change: func(p *corev1.Pod) { p.Spec.NodeName = "" },
			want:   replica{state: "pending"},
		},
		"not Ready yet": {
			change: func(p *corev1.Pod) {
				p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse}, {Type: corev1.PodScheduled, Status: corev1.ConditionTrue}}
			},
			want: replica{state: "starting"},
		},
		"Ready": {
			change: func(p *corev1.Pod) { p.Status.Conditions = []corev1.PodCondition{readySince(7)} },
			want:   replica{state: "Ready", ready: true, readyAt: at(7)},
		},
		"terminating while Ready": {
			change: func(p *corev1.Pod) {
				p.Status.Conditions = []corev1.PodCondition{readySince(7)}
				p.DeletionTimestamp = ptr.To(metav1.NewTime(at(9)))
			},
			want: replica{state: "terminating", readyAt: at(7)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			pod := makePod("p", witness.TektonController)
			tc.change(pod)
			tc.want.name, tc.want.uid, tc.want.created = "p", "p-uid", at(0)
			if diff := cmp.Diff(tc.want, newReplica(pod), cmp.AllowUnexported(replica{})); diff != "" {
				t.Errorf("newReplica() (-want, +got):\n%s", diff)
			}
		})
	}
}

func TestWatch(t *testing.T) {
	own := makePod("own", witness.LeasesController)
	own.Status.ContainerStatuses = []corev1.ContainerStatus{{State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(at(3))}}}}
	client := fake.NewClientset(
		makeLease(taskrun+"00-of-02", oldPod+"_1"), makeLease("tekton-leases-controller.lock.00-of-01", "own_1"),
		makePod(oldPod, witness.TektonController), makePod("other", "other"), own,
	)
	b := newBoard()
	var mu sync.Mutex
	followed := map[string]bool{}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := watch(ctx, client, b, func(p *corev1.Pod) {
		mu.Lock()
		defer mu.Unlock()
		followed[p.Name] = true
	})
	if err != nil {
		t.Fatal("watch() =", err)
	}
	eventually(t, "both pods and the lease are seen", func() bool {
		mu.Lock()
		defer mu.Unlock()
		s := b.snapshot()
		return followed["own"] && followed[oldPod] && len(s.replicas) == 1 && len(s.leases) == 1 && b.ownStartedAt().Equal(at(3))
	})
	if got := b.snapshot().leases[0].holder; got != oldPod {
		t.Errorf("holder = %q, want %q", got, oldPod)
	}
	if err := client.CoordinationV1().Leases(install.Namespace).Delete(ctx, taskrun+"00-of-02", metav1.DeleteOptions{}); err != nil {
		t.Fatal("failed to delete the lease:", err)
	}
	if err := client.CoreV1().Pods(install.Namespace).Delete(ctx, oldPod, metav1.DeleteOptions{}); err != nil {
		t.Fatal("failed to delete the pod:", err)
	}
	eventually(t, "both are gone", func() bool {
		s := b.snapshot()
		return len(s.replicas) == 0 && s.leases[0].inTransit()
	})
}

// eventually waits for what other goroutines do.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("timed out until", what)
		}
	}
}

func TestHandlerUnpacksTombstones(t *testing.T) {
	var deleted []string
	h := handler(func(*corev1.Pod) {}, func(p *corev1.Pod) { deleted = append(deleted, p.Name) })
	h.OnDelete(makePod("a", ""))
	h.OnDelete(cache.DeletedFinalStateUnknown{Obj: makePod("b", "")})
	h.OnDelete("something else")
	if diff := cmp.Diff([]string{"a", "b"}, deleted); diff != "" {
		t.Errorf("deleted (-want, +got):\n%s", diff)
	}
}

func TestContainerOfAPodWithout(t *testing.T) {
	if got := witness.Container(&corev1.Pod{}); got != "" {
		t.Errorf("container() = %q, want none", got)
	}
}
