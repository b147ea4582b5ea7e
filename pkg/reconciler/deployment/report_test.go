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
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/status"
)

// moved plays the round of uneven to its end, at 145 s: the second replica has
// led nothing of the queue before.
func moved(b *bench) {
	b.until(61, 125, "pod-a_1")
	b.write("pod-b_1", taskrun.Name(0))
	b.until(126, 145, "pod-a_1", "pod-b_1")
}

// TestEventsOfARound: two of them, and none names a lease.
func TestEventsOfARound(t *testing.T) {
	b := uneven(t)
	moved(b)
	want := []string{
		"Normal RebalanceBegun Queue taskrun-of-04: moving 2 of 4 leases, now pod-a: 4",
		"Normal RebalanceDone Queue taskrun-of-04: even after 1m10s (done: 2), now pod-a: 2, pod-b: 2",
	}
	if diff := cmp.Diff(want, b.said()); diff != "" {
		t.Errorf("events (-want, +got):\n%s", diff)
	}
	b.until(146, 400, "pod-a_1", "pod-b_1")
	if diff := cmp.Diff([]string(nil), b.said()); diff != "" {
		t.Errorf("events of an even queue (-want, +got):\n%s", diff)
	}
}

// TestEventsOfAFailedRound: it says why.
func TestEventsOfAFailedRound(t *testing.T) {
	b := uneven(t)
	b.until(61, 70, "pod-a_1")
	b.deployment.Status.ReadyReplicas = 1
	b.until(71, 75, "pod-a_1")
	want := []string{
		"Normal RebalanceBegun Queue taskrun-of-04: moving 2 of 4 leases, now pod-a: 4",
		"Warning RebalanceFailed Queue taskrun-of-04: not even after 11s (given-back: 2), now pod-a: 4; " +
			"surplus leases stay: RolloutInProgress (2 leases): A rollout is in progress.",
	}
	if diff := cmp.Diff(want, b.said()); diff != "" {
		t.Errorf("events (-want, +got):\n%s", diff)
	}
	b.until(76, 200, "pod-a_1")
	if diff := cmp.Diff([]string(nil), b.said()); diff != "" {
		t.Errorf("events while the rollout goes on (-want, +got):\n%s", diff)
	}
}

// TestEventsOfAStoppedRound: what somebody has asked for is no failure, and says
// what it was.
func TestEventsOfAStoppedRound(t *testing.T) {
	cases := map[string]struct {
		stop func(*bench)
		want string
	}{
		"paused": {
			stop: func(b *bench) { b.annotate(status.PausedUntil, status.Forever) },
			want: "Paused (2 leases): Balancing is paused.",
		},
		"a dry run": {
			stop: func(b *bench) { b.configure(config.ConfigMapName, "dry-run", "true") },
			want: "DryRun (2 leases): " + balance.DryRun.Sentence(),
		},
		"opted out": {
			stop: func(b *bench) {
				metav1.SetMetaDataAnnotation(&b.deployment.ObjectMeta, "leases.tekton.dev/balance", "false")
			},
			want: "OptedOut (2 leases): An annotation of the lease or its Deployment, balance, asks to leave it alone.",
		},
		"not managed any more": {
			stop: func(b *bench) { b.configure(config.ConfigMapName, "deployments", "another") },
			want: "NotManaged: The Deployment is not among those to balance.",
		},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			b := uneven(t)
			b.until(61, 70, "pod-a_1")
			b.said()
			tc.stop(b)
			b.until(71, 80, "pod-a_1")
			said := b.said()
			if got := warnings(said); len(got) != 0 {
				t.Errorf("warnings %q, want none", got)
			}
			ends := slices.DeleteFunc(said, func(e string) bool {
				return !strings.HasPrefix(e, "Normal RebalanceStopped Queue taskrun-of-04: stopped after ")
			})
			if len(ends) != 1 || !strings.HasSuffix(ends[0], tc.want) || !strings.Contains(ends[0], "given-back: 2") {
				t.Errorf("ends %q, want one with %q", ends, tc.want)
			}
		})
	}
}

// TestEventsOfAnotherStrategy: it counts for what begins from then on, so it ends no
// round.
func TestEventsOfAnotherStrategy(t *testing.T) {
	b := uneven(t)
	b.until(61, 70, "pod-a_1")
	b.configure(config.ConfigMapName, "strategy", "delete")
	b.until(71, 125, "pod-a_1")
	b.write("pod-b_1", taskrun.Name(0))
	b.until(126, 145, "pod-a_1", "pod-b_1")
	said := b.said()
	if last := len(said) - 1; len(warnings(said)) != 0 || !strings.HasPrefix(said[last], "Normal RebalanceDone") {
		t.Errorf("events %q, want that it is even, and no warning", said)
	}
}

// TestEventsWithStrategyDelete: leases that come back to their old holder are
// taken again, in one round.
func TestEventsWithStrategyDelete(t *testing.T) {
	b := uneven(t)
	b.configure(config.ConfigMapName, "strategy", "delete")
	b.until(61, 62, "pod-a_1")
	b.write("pod-a_1", taskrun.Name(0)) // it wins one back
	for second := 63; second <= 140; second++ {
		b.until(second, second, "pod-a_1", "pod-b_1")
		b.write("pod-b_1", missing(b)...)
	}
	want := []string{
		"Normal RebalanceBegun Queue taskrun-of-04: moving 2 of 4 leases, now pod-a: 4",
		"Normal RebalanceDone Queue taskrun-of-04: even after 11s (done: 2, returned: 1), now pod-a: 2, pod-b: 2",
	}
	if diff := cmp.Diff(want, b.said()); diff != "" {
		t.Errorf("events (-want, +got):\n%s", diff)
	}
}

// missing are the leases that do not exist.
func missing(b *bench) []string {
	var all []string
	for _, lease := range taskrun.Names() {
		if b.lease(lease) == nil {
			all = append(all, lease)
		}
	}
	return all
}

// TestLogOfARound: each step of each lease is in the log, once.
func TestLogOfARound(t *testing.T) {
	b := uneven(t)
	moved(b)
	log := b.log.String()
	for text, want := range map[string]int{
		`"action": "hold"`: 2, `"action": "extend"`: 2 * 3, `"action": "release"`: 2, `"action": "create"`: 1,
		`"result": "done"`: 2, "round begun": 1, "round done": 1, "WARN": 0, "ERROR": 0,
	} {
		if got := strings.Count(log, text); got != want {
			t.Errorf("%d lines with %s, want %d; the log:\n%s", got, text, want, log)
		}
	}
}

// TestStaysAreLoggedOnce: and again when the reason changes.
func TestStaysAreLoggedOnce(t *testing.T) {
	b := uneven(t)
	b.deployment.Status.ReadyReplicas = 1
	b.until(61, 80, "pod-a_1")
	count := func(reason balance.Reason) int {
		return strings.Count(b.log.String(), `"reason": "`+string(reason)+`"`)
	}
	if got := count(balance.RolloutInProgress); got != 2 {
		t.Errorf("%d lines for 2 leases that stay, want 2", got)
	}
	b.write("pod-z_1", taskrun.Name(3))
	b.deployment.Status.ReadyReplicas = 2
	b.until(81, 90, "pod-a_1", "pod-z_1")
	if got := count(balance.HolderUnknown); got == 0 || got > 2 {
		t.Errorf("%d lines for the new reason, want one per lease", got)
	}
	if !strings.Contains(b.log.String(), balance.RolloutInProgress.Sentence()) {
		t.Errorf("no line says what the reason means:\n%s", b.log.String())
	}
}

// TestAsked: one reason that nobody has chosen makes it a failure.
func TestAsked(t *testing.T) {
	cases := map[string]struct {
		why  map[balance.Reason]int
		want bool
	}{
		"chosen":     {why: map[balance.Reason]int{balance.Paused: 2}, want: true},
		"not chosen": {why: map[balance.Reason]int{balance.HolderLate: 2}},
		"mixed":      {why: map[balance.Reason]int{balance.OptedOut: 1, balance.HolderLate: 1}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := asked(tc.why); got != tc.want {
				t.Errorf("asked = %t, want %t", got, tc.want)
			}
		})
	}
}

func TestCount(t *testing.T) {
	cases := map[string]struct {
		m    map[string]int
		want string
	}{
		"nothing": {},
		"one":     {m: map[string]int{"done": 5}, want: "done: 5"},
		"in order": {
			m: map[string]int{"taken": 1, "done": 5, "returned": 2}, want: "done: 5, returned: 2, taken: 1",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := count(tc.m); got != tc.want {
				t.Errorf("count = %q, want %q", got, tc.want)
			}
		})
	}
}

// TestEventsOfARoundWithoutEnd: the queue is gone in the middle of it. That is a
// failure, unless nobody is to lead in it.
func TestEventsOfARoundWithoutEnd(t *testing.T) {
	cases := map[string]struct {
		replicas int32
		want     string
	}{
		"the replicas are gone": {replicas: 2, want: "Warning RebalanceFailed Queue taskrun-of-04: given up after "},
		"scaled to 0":           {replicas: 0, want: "Normal RebalanceStopped Queue taskrun-of-04: stopped after "},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			b := uneven(t)
			b.until(61, 70, "pod-a_1")
			b.said()
			b.deployment.Spec.Replicas = &tc.replicas
			for _, pod := range []string{"pod-a", "pod-b"} {
				gone := b.replica(pod).Obj()
				if err := b.podCache.Delete(gone); err != nil {
					t.Fatal(err)
				}
				b.observer.Tracker.PodGone(gone, b.time.now)
			}
			for second := 71.0; second < 400; second += 5 {
				b.reconcileAt(second)
			}
			said := b.said()
			if last := len(said) - 1; last < 0 || !strings.HasPrefix(said[last], tc.want) {
				t.Errorf("said %q, want %q at last", said, tc.want)
			}
		})
	}
}
