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
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/status"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestPaused: nothing begins, what is held is given back, and it goes on
// afterwards.
func TestPaused(t *testing.T) {
	back := []string{"update taskrun.00-of-04 pod-a_1", "update taskrun.01-of-04 pod-a_1"}
	for _, value := range []string{status.Forever, "2027-01-01T00:00:00Z", "tomorrow"} {
		t.Run(value, func(t *testing.T) {
			b := uneven(t)
			b.reconcileAt(61)
			b.until(62, 70, "pod-a_1")
			b.wrote()
			b.said()
			b.annotate(status.PausedUntil, value)
			b.until(71, 75, "pod-a_1")
			if diff := cmp.Diff(back, b.wrote()); diff != "" {
				t.Errorf("writes when it is paused (-want, +got):\n%s", diff)
			}
			said := b.said()
			paused := "Normal RebalancePaused No lease is moved: annotation leases.tekton.dev/paused-until of ConfigMap leases-controller-status is " + value
			if value == "tomorrow" {
				paused = `Warning RebalancePaused No lease is moved: annotation leases.tekton.dev/paused-until of ConfigMap leases-controller-status is "tomorrow"`
			}
			if len(said) != 2 || !strings.HasPrefix(said[0], paused) || !strings.Contains(said[1], "given-back: 2") {
				t.Errorf("events %q, want one that begins with %q and one of the round", said, paused)
			}
			b.writesNothing(76, 200)
			d := b.show()
			if d.State != status.Paused || d.Queues[0].State != status.Paused || len(d.Queues[0].Stays) == 0 || d.Queues[0].Stays[0].Reason != balance.Paused {
				t.Errorf("%s, queue %s, stays %+v, want Paused in all of them", d.State, d.Queues[0].State, d.Queues[0].Stays)
			}
			if got := b.said(); len(got) != 0 {
				t.Errorf("said again: %q", got)
			}

			b.annotate(status.PausedUntil, "")
			b.until(201, 205, "pod-a_1")
			if got := len(b.wrote()); got != 2 {
				t.Errorf("%d writes after it, want 2 holds", got)
			}
			if said := b.said(); len(said) == 0 || !strings.HasPrefix(said[0], "Normal RebalanceResumed") {
				t.Errorf("events %q, want that it is over", said)
			}
		})
	}
}

// TestPauseEndsByItself: it comes back when the time has come.
func TestPauseEndsByItself(t *testing.T) {
	b := uneven(t)
	b.annotate(status.PausedUntil, at(100).Format(time.RFC3339))
	b.writesNothing(61, 90)
	if got, want := b.woken[len(b.woken)-1], 10*time.Second; got != want {
		t.Errorf("it comes back after %s, want %s", got, want)
	}
	b.reconcileAt(100)
	if got := len(b.wrote()); got != 2 {
		t.Errorf("%d writes at its end, want 2 holds", got)
	}
	if cm := b.statusMap(); cm.Annotations[status.PausedUntil] == "" {
		t.Error("the annotation is gone, want it left to whoever set it")
	}
}

// TestPausedWithoutLeader: while it is paused nobody gets the leases of a replica
// that ended either.
func TestPausedWithoutLeader(t *testing.T) {
	b := three(t)
	b.annotate(status.PausedUntil, status.Forever)
	b.pod(b.crashed())
	b.deployment.Status.ReadyReplicas = 2
	for second := 62; second <= 70; second++ {
		b.reconcileAt(float64(second))
	}
	if got := b.wrote(); len(got) != 0 {
		t.Errorf("writes %q, want none", got)
	}
	b.annotate(status.PausedUntil, "")
	b.reconcileAt(71)
	if got := len(b.wrote()); got != 2 {
		t.Errorf("%d writes after it, want both leases given away", got)
	}
}

// TestPauseOfNobody: an annotation of somebody else, or on another ConfigMap, is
// none of ours.
func TestPauseOfNobody(t *testing.T) {
	b := uneven(t)
	cm := leasestesting.MakeConfigMap("another")
	cm.Annotations = map[string]string{status.PausedUntil: status.Forever}
	b.add(b.configMapCache, cm)
	b.annotate("example.com/paused", status.Forever)
	b.reconcileAt(61)
	if got := len(b.wrote()); got != 2 {
		t.Errorf("%d writes, want 2 holds", got)
	}
}
