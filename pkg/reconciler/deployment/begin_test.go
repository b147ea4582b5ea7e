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
	coordinationv1 "k8s.io/api/coordination/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/handover"
)

// TestStrategyDelete: a surplus lease is deleted right after a renewal, when the
// others have the best chance, and not later.
func TestStrategyDelete(t *testing.T) {
	b := uneven(t)
	b.configure(config.ConfigMapName, "strategy", "delete")
	b.reconcileAt(65)
	if diff := cmp.Diff([]string(nil), b.wrote()); diff != "" {
		t.Errorf("5 s after the renewal, writes (-want, +got):\n%s", diff)
	}
	if got, want := b.woken[len(b.woken)-1], 5300*time.Millisecond; got != want {
		t.Errorf("it comes back after %s, want %s, right after the next renewal", got, want)
	}
	b.time.now = at(70)
	b.write("pod-a_1", taskrun.Names()...)
	b.reconcileAt(71.6)
	if diff := cmp.Diff([]string(nil), b.wrote()); diff != "" {
		t.Errorf("1.6 s after it, writes (-want, +got):\n%s", diff)
	}
	b.time.now = at(80)
	b.write("pod-a_1", taskrun.Names()...)
	b.reconcileAt(81.5)
	want := []string{"delete taskrun.00-of-04", "delete taskrun.01-of-04"}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("1.5 s after one, writes (-want, +got):\n%s", diff)
	}
}

// TestMarginOfALateHolder: a holder that was late before is waited for longer.
func TestMarginOfALateHolder(t *testing.T) {
	b := uneven(t)
	b.time.now = at(74)
	b.write("pod-a_1", taskrun.Names()...) // 4 s late
	b.reconcileAt(75)
	// 10 + 40 + 3 x 4 s.
	if got, want := *b.lease(taskrun.Name(0)).Spec.LeaseDurationSeconds, int32(62); got != want {
		t.Errorf("the hold lasts %ds, want %ds", got, want)
	}
}

// TestForeignHolds: holds of another process, and those that cannot be read, are
// left alone.
func TestForeignHolds(t *testing.T) {
	cases := map[string]func(*coordinationv1.Lease){
		"another process of ours": func(l *coordinationv1.Lease) {
			*l.Spec.HolderIdentity = "tekton-leases-controller_77b1"
		},
		"another version": func(l *coordinationv1.Lease) { l.Annotations[handover.Annotation] = `{"version":2}` },
		"no annotation":   func(l *coordinationv1.Lease) { l.Annotations = nil },
	}
	for what, change := range cases {
		t.Run(what, func(t *testing.T) {
			b := uneven(t)
			b.reconcileAt(61)
			b.work[key].handovers = map[string]*task{}
			for _, lease := range []string{taskrun.Name(0), taskrun.Name(1)} {
				l := b.lease(lease)
				change(l)
				b.api.Seed(l)
			}
			b.wrote()
			b.until(62, 100, "pod-a_1")
			if diff := cmp.Diff([]string(nil), b.wrote()); diff != "" {
				t.Errorf("writes (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestCancels: only what makes the plan wrong stops a handover under way.
func TestCancels(t *testing.T) {
	for reason, want := range map[balance.Reason]bool{
		"": false, balance.RolloutInProgress: true, balance.TwoBucketCounts: true, balance.ConfigInvalid: true,
		balance.NotManaged: true, balance.NotApplicable: true, balance.Paused: true, balance.OptedOut: true,
		balance.HolderUnknown: false, balance.LeasesMissing: false, balance.LeaseUnowned: false, balance.HandoverInFlight: false,
		balance.APITrouble: false,
	} {
		if got := cancels(reason); got != want {
			t.Errorf("cancels(%q) = %v, want %v", reason, got, want)
		}
	}
}
