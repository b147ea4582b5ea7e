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

package deployment

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	corev1listers "k8s.io/client-go/listers/core/v1"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// failingPods is a lister that fails.
type failingPods struct{ corev1listers.PodLister }

func (failingPods) Pods(string) corev1listers.PodNamespaceLister { return failingPodsOf{} }

type failingPodsOf struct {
	corev1listers.PodNamespaceLister
}

func (failingPodsOf) List(labels.Selector) ([]*corev1.Pod, error) { return nil, errLister }

// TestStop: what is in flight when we stop, or are demoted, comes to a safe end
// in one call.
func TestStop(t *testing.T) {
	given := []string{"update taskrun.00-of-04 pod-a_1", "update taskrun.01-of-04 pod-a_1"}
	cases := map[string]struct {
		before func(*bench)
		want   []string
	}{
		"nothing is in flight": {before: func(b *bench) { b.deployment.Status.ReadyReplicas = 1; b.reconcileAt(61) }},
		"held, the old holder may still lead": {
			before: func(b *bench) { b.until(61, 70, "pod-a_1") }, want: given,
		},
		"held, the old holder's pod is gone: they expire": {
			before: func(b *bench) {
				b.until(61, 70, "pod-a_1")
				if err := b.podCache.Delete(b.replica("pod-a").Obj()); err != nil {
					b.t.Fatal(err)
				}
			},
		},
		"held, the old holder's pod is terminating: they expire": {
			before: func(b *bench) {
				b.until(61, 70, "pod-a_1")
				b.pod(b.replica("pod-a").Terminating(at(100)).Obj())
			},
		},
		"held, the old holder is dead": {
			before: func(b *bench) {
				b.until(61, 70, "pod-a_1")
				b.pod(b.replica("pod-a").Finished(at(71).Add(-skew), 137).Obj())
			},
			want: []string{"delete taskrun.00-of-04", "delete taskrun.01-of-04"},
		},
		"held, the old holder has given up": {
			before: func(b *bench) {
				b.until(61, 119, "pod-a_1")
				b.time.now = at(120)
				b.write("pod-a_1", taskrun.Name(2), taskrun.Name(3))
				b.time.now = at(121)
			},
			want: []string{"delete taskrun.00-of-04", "delete taskrun.01-of-04"},
		},
		"open: whoever comes first has it": {
			before: func(b *bench) { b.until(61, 121, "pod-a_1") },
		},
		"assigned: the target comes for it": {
			before: func(b *bench) {
				b.until(61, 125, "pod-a_1")
				b.write("pod-b_1", taskrun.Name(0))
				b.until(126, 128, "pod-a_1")
			},
		},
		"an answer is missing": {
			before: func(b *bench) {
				b.reconcileAt(61)
				lost := true
				b.fault = func(r leasestesting.Request) leasestesting.Fault {
					if lost && r.Verb == "update" {
						return leasestesting.Fault{Err: errLister}
					}
					return leasestesting.Fault{}
				}
				b.until(62, 107, "pod-a_1") // the extension at 107 fails
				lost = false
			},
			want: given,
		},
		"nothing can be observed: they expire": {
			before: func(b *bench) {
				b.until(61, 70, "pod-a_1")
				b.observer.Pods = failingPods{}
			},
		},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			b := uneven(t)
			tc.before(b)
			b.wrote()
			b.stop(b.context())
			if diff := cmp.Diff(tc.want, b.wrote()); diff != "" {
				t.Errorf("writes (-want, +got):\n%s", diff)
			}
			if len(b.work) != 0 || len(b.metrics.shown) != 0 {
				t.Errorf("remembered: %v, shown: %v", b.work, b.metrics.shown)
			}
		})
	}
}

// TestStopGivesTheWholeRecord: the old holder finds its own record, unchanged.
func TestStopGivesTheWholeRecord(t *testing.T) {
	b := uneven(t)
	want := b.lease(taskrun.Name(0))
	b.until(61, 65, "pod-a_1")
	b.stop(b.context())
	got := b.lease(taskrun.Name(0))
	if diff := cmp.Diff(want.Spec, got.Spec); diff != "" || len(got.Annotations) != 0 {
		t.Errorf("annotations %v, record (-want, +got):\n%s", got.Annotations, diff)
	}
}

// TestStopWithoutAPI: a call that fails is logged and left to expire.
func TestStopWithoutAPI(t *testing.T) {
	b := uneven(t)
	b.reconcileAt(61)
	b.fault = func(leasestesting.Request) leasestesting.Fault { return leasestesting.Fault{Err: errLister} }
	b.log.Reset()
	b.stop(b.context())
	if got := strings.Count(b.log.String(), "Handover step failed"); got != 2 {
		t.Errorf("%d failures in the log, want 2:\n%s", got, b.log.String())
	}
}

// TestDemotedAndPromoted: what was left behind is not written again by a process
// that leads anew; the leases are moved as any others.
func TestDemotedAndPromoted(t *testing.T) {
	b := uneven(t)
	b.until(61, 70, "pod-a_1")
	b.stop(b.context())
	b.wrote()
	b.reconcileAt(70.5) // one that waited for the end of the other
	if got := b.wrote(); len(got) != 0 || len(b.work) != 0 || len(b.metrics.shown) != 0 {
		t.Errorf("a process that leads no more wrote %v, remembers %v and shows %v", got, b.work, b.metrics.shown)
	}
	b.lead()
	b.until(71, 90, "pod-a_1")
	if got, want := b.spreadNow(), "map[pod-a_1:2 "+ownIdentity+":2]"; got != want {
		t.Errorf("spread %s, want %s", got, want)
	}
	for _, write := range b.wrote() {
		if !strings.HasSuffix(write, ownIdentity) {
			t.Errorf("write %q, want new holds only", write)
		}
	}
}

// TestStopSideBySide: an API server that hangs costs one timeout, not one for
// each lease: the pod has only its grace period.
func TestStopSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := uneven(t)
		b.reconcileAt(61)
		b.fault = func(leasestesting.Request) leasestesting.Fault {
			return leasestesting.Fault{Lost: true, Err: errLister}
		}
		began := time.Now()
		b.stop(b.context())
		if took := time.Since(began); took > callTimeout {
			t.Errorf("2 leases took %s, want %s", took, callTimeout)
		}
	})
}
