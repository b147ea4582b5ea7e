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
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/config"
)

// TestRound: from 4/0 to 2/2, call by call. The second replica is not known to
// the queue, so the leases are opened, and assigned as soon as it is.
func TestRound(t *testing.T) {
	b := uneven(t)
	b.reconcileAt(61)
	want := []string{"update taskrun.00-of-04 " + ownIdentity, "update taskrun.01-of-04 " + ownIdentity}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("at 61s, writes (-want, +got):\n%s", diff)
	}
	b.until(62, 110, "pod-a_1")
	if diff := cmp.Diff([]string{"update taskrun.00-of-04 " + ownIdentity, "update taskrun.01-of-04 " + ownIdentity}, b.wrote()); diff != "" {
		t.Errorf("until 110s, writes (-want, +got):\n%s", diff) // extended
	}
	b.until(111, 119, "pod-a_1")
	b.wrote()
	// 60 + 50 + 2 has passed; the proof is a renewal later than 110, the one at 120.
	b.until(120, 121, "pod-a_1")
	if diff := cmp.Diff([]string{"delete taskrun.00-of-04", "delete taskrun.01-of-04"}, b.wrote()); diff != "" {
		t.Errorf("at 121s, writes (-want, +got):\n%s", diff)
	}
	b.until(122, 125, "pod-a_1")
	b.write("pod-b_1", taskrun.Name(0)) // it acquires one, and is known
	b.until(126, 127, "pod-a_1")
	if diff := cmp.Diff([]string{"create taskrun.01-of-04 pod-b_1"}, b.wrote()); diff != "" {
		t.Errorf("at 127s, writes (-want, +got):\n%s", diff)
	}
	b.until(128, 200, "pod-a_1", "pod-b_1")
	if diff := cmp.Diff([]string(nil), b.wrote()); diff != "" {
		t.Errorf("until 200s, writes (-want, +got):\n%s", diff)
	}
	if got, want := b.spreadNow(), "map[pod-a_1:2 pod-b_1:2]"; got != want {
		t.Errorf("spread %s, want %s", got, want)
	}
	if len(b.work[key].handovers) != 0 {
		t.Errorf("handovers left: %v", b.work[key].handovers)
	}
}

// TestWakesUp: it comes back when the next handover wants to, never within a
// second when nothing is in flight, and at the latest after maxInterval.
func TestWakesUp(t *testing.T) {
	last := func(b *bench) time.Duration { return b.woken[len(b.woken)-1] }
	b := uneven(t)
	b.reconcileAt(61)
	if got := last(b); got != stepInterval {
		t.Errorf("after a call it comes back after %s, want %s", got, stepInterval)
	}
	b.until(62, 92, "pod-a_1")
	if got, want := last(b), 15*time.Second; got != want { // held at 61 for 52 s, extended 6 s before the end
		t.Errorf("while it waits it comes back after %s, want %s", got, want)
	}
	calls := len(b.woken)
	b.reconcileAt(92.06)
	if got := last(b); len(b.woken) != calls+1 || got != 40*time.Millisecond {
		t.Errorf("60ms after the last one it is put off by %s, want 40ms", got)
	}

	even := uneven(t)
	even.time.now = at(61)
	even.write("pod-b_1", taskrun.Name(2), taskrun.Name(3))
	even.until(62, 130, "pod-a_1", "pod-b_1")
	if got := last(even); got != maxInterval {
		t.Errorf("when all is even it comes back after %s, want %s", got, maxInterval)
	}
	calls = len(even.woken)
	even.reconcileAt(130.4)
	if got := last(even); len(even.woken) != calls+1 || got != 600*time.Millisecond {
		t.Errorf("within a second of the last one it is put off by %s, want 600ms", got)
	}
}

// TestWakesUpForSurplus: a surplus lease that waits for something is looked at
// again soon, unless time alone changes nothing.
func TestWakesUpForSurplus(t *testing.T) {
	cases := map[string]struct {
		change func(*bench)
		want   time.Duration
	}{
		"a rollout":                    {func(b *bench) { b.deployment.Status.ReadyReplicas = 1 }, waitInterval},
		"our own ConfigMap is invalid": {func(b *bench) { b.configure(config.ConfigMapName, "strategy", "hope") }, maxInterval},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			b := uneven(t)
			tc.change(b)
			b.reconcileAt(61)
			if got := b.woken[len(b.woken)-1]; got != tc.want {
				t.Errorf("it comes back after %s, want %s", got, tc.want)
			}
		})
	}
}

// TestNothingMoves: what is in the way, and that not one write is made.
func TestNothingMoves(t *testing.T) {
	cases := map[string]func(*bench){
		"not managed":                  func(b *bench) { b.configure(config.ConfigMapName, "deployments", "another") },
		"our own ConfigMap is invalid": func(b *bench) { b.configure(config.ConfigMapName, "strategy", "hope") },
		"the window is long":           func(b *bench) { b.configure(config.ConfigMapName, "stabilization-window", "10m") },
		"a rollout":                    func(b *bench) { b.deployment.Status.UpdatedReplicas = 1 },
		"one replica":                  func(b *bench) { b.pod(b.replica("pod-b").NotReady(at(0)).Obj()) },
		"a holder of no pod":           func(b *bench) { b.write("pod-z_1", taskrun.Name(3)) },
		"two bucket counts":            func(b *bench) { b.write("pod-b_1", name+".taskrun.00-of-08") },
	}
	for what, change := range cases {
		t.Run(what, func(t *testing.T) {
			b := uneven(t)
			change(b)
			b.reconcileAt(61)
			b.reconcileAt(63)
			if diff := cmp.Diff([]string(nil), b.wrote()); diff != "" {
				t.Errorf("writes (-want, +got):\n%s", diff)
			}
		})
	}
}
