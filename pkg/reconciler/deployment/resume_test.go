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

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/handover"
)

// TestResume: a hold of this process that it has no memory of, because the
// answer to its write came too late, is taken up.
func TestResume(t *testing.T) {
	b := uneven(t)
	b.reconcileAt(61)
	b.work[key].handovers = map[string]*task{}
	b.wrote()
	b.until(62, 125, "pod-a_1")
	b.write("pod-b_1", taskrun.Name(0))
	b.until(126, 140, "pod-a_1", "pod-b_1")
	if got, want := b.spreadNow(), "map[pod-a_1:2 pod-b_1:2]"; got != want {
		t.Errorf("spread %s, want %s", got, want)
	}
	for _, e := range b.said() {
		if strings.HasPrefix(e, "Warning") {
			t.Errorf("event %q", e)
		}
	}
}

// TestResumedParty: the replica is a pod's name, which can differ from the
// hostname in its identity.
func TestResumedParty(t *testing.T) {
	b := newBench(t)
	b.pod(b.replica("pod-a").Hostname("web").Obj())
	b.pod(b.replica("pod-b").Obj())
	for seconds := 0; seconds <= 60; seconds += 10 {
		b.time.now = at(float64(seconds))
		b.write("web_1", taskrun.Names()...)
	}
	b.reconcileAt(61)
	b.work[key].handovers = map[string]*task{}
	b.reconcileAt(63)
	h := b.work[key].handovers[taskrun.Name(0)]
	if h == nil {
		t.Fatal("the hold was not resumed")
	}
	if diff := cmp.Diff(handover.Party{Replica: "pod-a", Identity: "web_1"}, h.From); diff != "" {
		t.Errorf("from (-want, +got):\n%s", diff)
	}
	b.deployment.Status.ReadyReplicas = 1
	b.reconcileAt(65)
	if got := b.spreadNow(); got != "map[web_1:4]" {
		t.Errorf("spread %s, want all given back", got)
	}
}
