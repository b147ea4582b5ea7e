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
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestHostNetwork: two pods on the network of one node have one hostname. Which
// of them leads cannot be known, whoever they belong to.
func TestHostNetwork(t *testing.T) {
	cases := map[string]func(*world) *corev1.Pod{
		"a replica of the same Deployment": func(w *world) *corev1.Pod { return w.make("pod-b").HostNetwork("node-1").Obj() },
		"a pod of another component":       func(*world) *corev1.Pod { return leasestesting.MakePod("other").HostNetwork("node-1").Obj() },
	}
	for name, second := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 2)
			w.see(0, w.make("pod-a").HostNetwork("node-1").Obj())
			w.see(0, w.make("pod-c").HostNetwork("node-2").Obj())
			w.see(0, second(w))
			w.renews(60, "node-1_1", taskrun.Name(0), taskrun.Name(1))
			w.renews(60, "node-2_1", taskrun.Name(2), taskrun.Name(3))
			w.renews(60, "node-1_2", eight.Names()...)
			want := []string{"taskrun-of-04 0 HolderUnknown", "taskrun-of-04 1 HolderUnknown", "taskrun-of-04 2 pod-c", "taskrun-of-04 3 pod-c"}
			v := w.view(60, nil)
			if diff := cmp.Diff(want, lines(v)); diff != "" {
				t.Errorf("leases (-want, +got):\n%s", diff)
			}
			if got := v.Groups[0].Blocked; got != balance.HolderUnknown {
				t.Errorf("blocked by %q, want %q", got, balance.HolderUnknown)
			}
			if got := v.Replica("pod-a").Standing; got != balance.HolderUnknown {
				t.Errorf("standing %q, want %q: it must get nothing either", got, balance.HolderUnknown)
			}
		})
	}
}

// TestHostNetworkAlone: one pod of a node is as good as any; one that is over,
// or not scheduled, is no other.
func TestHostNetworkAlone(t *testing.T) {
	w := newWorld(t, 2)
	w.see(0, w.make("pod-a").HostNetwork("node-1").Obj())
	w.see(0, leasestesting.MakePod("done").HostNetwork("node-1").Phase(corev1.PodSucceeded).Finished(stampAt(-60), 0).Obj())
	w.see(0, w.make("pod-b").HostNetwork("").Obj())
	w.renews(60, "node-1_1", taskrun.Names()...)
	want := []string{"taskrun-of-04 0 pod-a", "taskrun-of-04 1 pod-a", "taskrun-of-04 2 pod-a", "taskrun-of-04 3 pod-a"}
	if diff := cmp.Diff(want, lines(w.view(60, nil))); diff != "" {
		t.Errorf("leases (-want, +got):\n%s", diff)
	}
}
