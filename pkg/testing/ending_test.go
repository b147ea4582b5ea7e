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

package testing

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"
)

// life says what a watch tells about pods, as "TYPE generation, grace at version".
func life(w watch.Interface) []string {
	var events []string
	for {
		synctest.Wait()
		select {
		case e := <-w.ResultChan():
			pod := e.Object.(*corev1.Pod)
			grace := "none"
			if pod.DeletionTimestamp != nil {
				grace = fmt.Sprint(*pod.DeletionGracePeriodSeconds)
			}
			events = append(events, fmt.Sprintf("%s %d, %s at %s", e.Type, pod.Generation, grace, pod.ResourceVersion))
		default:
			return events
		}
	}
}

// TestPodsEnd: a pod is marked before it goes, also when that is at once, and what it was given can only get less.
func TestPodsEnd(t *testing.T) {
	type deletion struct {
		after time.Duration
		grace *int64
	}
	cases := map[string]struct {
		deletions []deletion
		want      []string
		// ends is when it is to be gone, counted from the first deletion.
		ends time.Duration
	}{
		"at once": {
			deletions: []deletion{{grace: ptr.To[int64](0)}},
			want:      []string{"MODIFIED 1, 0 at 2", "DELETED 1, 0 at 3"},
		},
		"in its own time": {
			deletions: []deletion{{}},
			want:      []string{"MODIFIED 1, 30 at 2"},
			ends:      30 * time.Second,
		},
		"twice": {
			deletions: []deletion{{}, {after: time.Second}},
			want:      []string{"MODIFIED 1, 30 at 2"},
			ends:      30 * time.Second,
		},
		"not later": {
			deletions: []deletion{{grace: ptr.To[int64](10)}, {grace: ptr.To[int64](20)}},
			want:      []string{"MODIFIED 1, 10 at 2"},
			ends:      10 * time.Second,
		},
		"sooner, counted from the beginning": {
			deletions: []deletion{{}, {after: 2 * time.Second, grace: ptr.To[int64](5)}},
			want:      []string{"MODIFIED 1, 30 at 2", "MODIFIED 1, 5 at 3"},
			ends:      5 * time.Second,
		},
		"sooner than now": {
			deletions: []deletion{{}, {after: 7 * time.Second, grace: ptr.To[int64](5)}},
			want:      []string{"MODIFIED 1, 30 at 2", "MODIFIED 1, 1 at 3"},
			ends:      7 * time.Second,
		},
		"marked, then by force": {
			deletions: []deletion{{}, {after: 7 * time.Second, grace: ptr.To[int64](0)}},
			want:      []string{"MODIFIED 1, 30 at 2", "MODIFIED 1, 0 at 3", "DELETED 1, 0 at 4"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				api := NewAPI(MakePod("p").Obj())
				c := api.NewClient("test", ClientOptions{}).Kube().CoreV1().Pods(Namespace)
				w, err := c.Watch(t.Context(), metav1.ListOptions{ResourceVersion: "1"})
				if err != nil {
					t.Fatal("failed to watch:", err)
				}
				defer w.Stop()
				begun := time.Now()
				for _, d := range tc.deletions {
					time.Sleep(d.after)
					if err := c.Delete(t.Context(), "p", metav1.DeleteOptions{GracePeriodSeconds: d.grace}); err != nil {
						t.Fatal("failed to delete:", err)
					}
				}
				if diff := cmp.Diff(tc.want, life(w)); diff != "" {
					t.Error("unexpected events (-want, +got):\n", diff)
				}
				for _, pod := range Objects(api, &corev1.Pod{}) {
					if ends := pod.DeletionTimestamp.Sub(begun); ends != tc.ends {
						t.Errorf("ends after %s, want %s", ends, tc.ends)
					}
				}
			})
		})
	}
}

// TestLeavingASelection: who watches a selection sees an object leave it as it was while it belonged to it.
func TestLeavingASelection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		labelled := MakeConfigMap("cm", "buckets", "1")
		labelled.Labels = map[string]string{"a": "b"}
		api := NewAPI(labelled)
		c := api.NewClient("test", ClientOptions{}).Kube().CoreV1().ConfigMaps(Namespace)
		w, err := c.Watch(t.Context(), metav1.ListOptions{ResourceVersion: "1", LabelSelector: "a=b"})
		if err != nil {
			t.Fatal("failed to watch:", err)
		}
		defer w.Stop()
		if err := second(c.Update(t.Context(), MakeConfigMap("cm", "buckets", "2"), metav1.UpdateOptions{})); err != nil {
			t.Fatal("failed to update:", err)
		}
		e := <-w.ResultChan()
		got := e.Object.(*corev1.ConfigMap)
		if e.Type != watch.Deleted || got.Labels["a"] != "b" || got.Data["buckets"] != "1" || got.ResourceVersion != "2" {
			t.Errorf("%s of %v, want it deleted as it was, at version 2", e.Type, got)
		}
	})
}

func TestStatusTakesMetadata(t *testing.T) {
	api := NewAPI(MakePod("p").Obj(), MakeDeployment("d").Obj())
	kc := api.NewClient("test", ClientOptions{}).Kube()
	pod, deployment := Objects(api, &corev1.Pod{})[0], MakeDeployment("d").Obj()
	pod.Labels, deployment.Labels = map[string]string{"a": "b"}, map[string]string{"a": "b"}
	pod.Spec.NodeName = "elsewhere"
	pod, err := kc.CoreV1().Pods(Namespace).UpdateStatus(t.Context(), pod, metav1.UpdateOptions{})
	if err != nil {
		t.Fatal("failed to update the pod's status:", err)
	}
	if pod.Labels["a"] != "b" || pod.Spec.NodeName != "node" {
		t.Errorf("labels %v, node %q; want the new label and the old node", pod.Labels, pod.Spec.NodeName)
	}
	deployment, err = kc.AppsV1().Deployments(Namespace).UpdateStatus(t.Context(), deployment, metav1.UpdateOptions{})
	if err != nil {
		t.Fatal("failed to update the Deployment's status:", err)
	}
	if len(deployment.Labels) > 0 {
		t.Errorf("labels %v of the Deployment, want none", deployment.Labels)
	}
}
