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

package observe

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	corev1listers "k8s.io/client-go/listers/core/v1"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// TestLeftovers: pod-a and pod-b lead four leases of a queue, and there are some
// of an old bucket count.
func TestLeftovers(t *testing.T) {
	const idle = 10 * time.Minute
	old := bucket.Group{Prefix: taskrun.Prefix, Buckets: 2}
	cases := map[string]struct {
		see  func(*world)
		now  float64 // 700 if not set
		want []string
	}{
		"expired": {
			see:  func(w *world) { w.saw(0, old.Name(0), "pod-y_1"); w.saw(0, old.Name(1), "pod-z_1") },
			want: old.Names(),
		},
		"released": {
			see:  func(w *world) { w.saw(0, old.Name(0), "pod-z_1"); w.releases(10, old.Name(0)) },
			want: old.Names()[:1],
		},
		"one of them was touched a short time ago": {
			see: func(w *world) { w.saw(0, old.Name(0), "pod-y_1"); w.saw(101, old.Name(1), "pod-z_1") },
		},
		"not long enough": {see: func(w *world) { w.saw(100.001, old.Name(0), "pod-y_1") }},
		"just long enough": {
			see: func(w *world) { w.saw(100, old.Name(0), "pod-y_1") }, want: old.Names()[:1],
		},
		"one was deleted a moment ago": {
			see: func(w *world) {
				w.saw(0, old.Name(0), "pod-y_1")
				w.saw(0, old.Name(1), "pod-z_1")
				w.LeaseGone(old.Name(0), at(699))
			},
			want: old.Names()[1:],
		},
		"its holder's pod is there": {
			see: func(w *world) { w.see(0, w.make("pod-z").Obj()); w.saw(0, old.Name(0), "pod-z_1") },
		},
		"its holder's pod is there, of whomever it is": {
			see: func(w *world) {
				pod := w.make("pod-z").Obj()
				pod.OwnerReferences = nil
				w.see(0, pod)
				w.saw(0, old.Name(0), "pod-z_1")
			},
		},
		"its holder's pod is said to have failed, its container runs": {
			see: func(w *world) {
				w.see(0, w.make("pod-z").Phase(corev1.PodFailed).Obj())
				w.saw(0, old.Name(0), "pod-z_1")
			},
		},
		"its holder's pod is over": {
			see: func(w *world) {
				w.see(0, w.make("pod-z").Phase(corev1.PodFailed).Finished(stampAt(1), 1).Obj())
				w.saw(0, old.Name(0), "pod-z_1")
			},
			want: old.Names()[:1],
		},
		"its holder was restarted in place": {
			see: func(w *world) {
				w.saw(0, old.Name(0), "pod-b_0")
				w.saw(1, old.Name(0), "pod-b_0")
				w.see(0, w.make("pod-b").Restarted(stampAt(2), 0).Started(stampAt(2)).Obj())
			},
			want: old.Names()[:1],
		},
		"another queue": {
			see: func(w *world) { w.saw(0, "tekton-pipelines-controller.customrun.00-of-02", "pod-z_1") },
		},
		"the queue's name goes on": {
			see: func(w *world) { w.saw(0, taskrun.Prefix+".x.00-of-02", "pod-z_1") },
		},
		"the same bucket count": {see: func(w *world) { w.saw(0, taskrun.Name(3), "pod-z_1") }},
		"a rollout": {
			see: func(w *world) { w.saw(0, old.Name(0), "pod-z_1"); w.deployment.Status.ReadyReplicas = 1 },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 2)
			w.ready("pod-a", "pod-b")
			tc.see(w)
			if tc.now == 0 {
				tc.now = 700
			}
			w.renews(tc.now, "pod-a_1", taskrun.Name(0), taskrun.Name(1))
			w.renews(tc.now, "pod-b_1", taskrun.Name(2), taskrun.Name(3))
			left, err := w.observer().Leftovers(w.view(tc.now, nil), w.deployment.Namespace, idle, at(tc.now))
			if err != nil {
				t.Fatalf("Leftovers: %v", err)
			}
			var got []string
			for _, l := range left {
				got = append(got, l.Lease.Name)
				if l.Group != old {
					t.Errorf("%s: group %v, want %v", l.Lease.Name, l.Group, old)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("leftovers (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestLeftoversOfNobody: as long as nobody leads the queue under another bucket
// count, nothing is left over.
func TestLeftoversOfNobody(t *testing.T) {
	w := newWorld(t, 2)
	w.ready("pod-a", "pod-b")
	w.saw(0, taskrun.Name(0), "pod-z_1")
	left, err := w.observer().Leftovers(w.view(10000, nil), w.deployment.Namespace, time.Minute, at(10000))
	if err != nil || len(left) != 0 {
		t.Errorf("Leftovers = %v, %v, want none", left, err)
	}
}

// brokenPods is a lister that fails.
type brokenPods struct{ corev1listers.PodLister }

func (b brokenPods) Pods(string) corev1listers.PodNamespaceLister { return brokenNamespace{} }

type brokenNamespace struct {
	corev1listers.PodNamespaceLister
}

var errBroken = errors.New("the cache is broken")

func (brokenNamespace) List(labels.Selector) ([]*corev1.Pod, error) { return nil, errBroken }

func TestLeftoversListerFails(t *testing.T) {
	o := &Observer{Tracker: NewTracker(), Pods: brokenPods{}}
	if _, err := o.Leftovers(View{}, "n", time.Minute, at(0)); !errors.Is(err, errBroken) || !strings.Contains(err.Error(), `"n"`) {
		t.Errorf("Leftovers: %v, want %v", err, errBroken)
	}
}
