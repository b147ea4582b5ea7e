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
	coordinationv1 "k8s.io/api/coordination/v1"

	"github.com/tektoncd/leases-controller/pkg/config"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestCase35DeletedByHand: somebody deletes or empties a lease whose holder's
// pod runs. It stays the holder's, even while nothing may move.
func TestCase35DeletedByHand(t *testing.T) {
	lease := taskrun.Name(3)
	changes := map[string]struct {
		change func(*bench)
		want   string
	}{
		"deleted": {func(b *bench) { b.remove(lease) }, "create taskrun.03-of-04 pod-a_1"},
		"emptied": {func(b *bench) {
			l := b.lease(lease)
			l.Spec = coordinationv1.LeaseSpec{}
			b.api.Seed(l)
		}, "update taskrun.03-of-04 pod-a_1"},
	}
	for what, tc := range changes {
		t.Run(what, func(t *testing.T) {
			b := uneven(t)
			b.deployment.Status.ReadyReplicas = 1 // a rollout
			b.reconcileAt(61)
			before := b.lease(lease).Spec
			tc.change(b)
			b.reconcileAt(62)
			if diff := cmp.Diff([]string{tc.want}, b.wrote()); diff != "" {
				t.Errorf("writes (-want, +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, b.lease(lease).Spec); diff != "" {
				t.Errorf("record (-want, +got):\n%s", diff)
			}
			b.until(63, 90, "pod-a_1")
			if diff := cmp.Diff([]string(nil), b.wrote()); diff != "" {
				t.Errorf("afterwards, writes (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestNotRestored: what is nobody's business of ours, or was done by ourselves.
func TestNotRestored(t *testing.T) {
	lease := taskrun.Name(3)
	cases := map[string]func(*bench){
		"the Deployment is not managed": func(b *bench) {
			b.configure(config.ConfigMapName, "deployments", "another")
			b.remove(lease)
		},
		"our configuration was never valid": func(b *bench) {
			b.configure(config.ConfigMapName, "strategy", "x")
			b.remove(lease)
		},
		"the strategy is delete: another process of ours may have done it": func(b *bench) {
			b.configure(config.ConfigMapName, "strategy", "delete")
			b.deployment.Status.ReadyReplicas = 1
			b.remove(lease)
		},
		"the holder's pod is terminating": func(b *bench) {
			b.pod(b.replica("pod-a").Terminating(at(90)).Obj())
			b.remove(lease)
		},
		"another replica was faster": func(b *bench) {
			b.deployment.Status.ReadyReplicas = 1
			b.remove(lease)
			b.write("pod-b_1", lease)
		},
	}
	for what, change := range cases {
		t.Run(what, func(t *testing.T) {
			b := uneven(t)
			change(b)
			b.until(61, 65, "pod-a_1")
			if diff := cmp.Diff([]string(nil), b.wrote()); diff != "" {
				t.Errorf("writes (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestNotRestoredAfterStrategyDelete: what we deleted to be acquired by others
// stays deleted, also when the strategy changes meanwhile.
func TestNotRestoredAfterStrategyDelete(t *testing.T) {
	for _, then := range []string{"delete", "handover"} {
		b := uneven(t)
		b.configure(config.ConfigMapName, "strategy", "delete")
		b.until(61, 62, "pod-a_1")
		b.configure(config.ConfigMapName, "strategy", then)
		b.until(63, 75, "pod-a_1")
		want := []string{"delete taskrun.00-of-04", "delete taskrun.01-of-04"}
		if diff := cmp.Diff(want, b.wrote()); diff != "" {
			t.Errorf("then %s: writes (-want, +got):\n%s", then, diff)
		}
	}
}

// TestRestoredSideBySide: an API server that hangs costs one timeout, not one for
// each lease.
func TestRestoredSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := uneven(t)
		b.deployment.Status.ReadyReplicas = 1
		b.reconcileAt(61)
		for _, lease := range taskrun.Names() {
			b.remove(lease)
		}
		b.fault = func(leasestesting.Request) leasestesting.Fault {
			return leasestesting.Fault{Lost: true, Err: errLister}
		}
		began := time.Now()
		b.reconcileAt(62)
		if took := time.Since(began); took != callTimeout {
			t.Errorf("it took %s, want %s", took, callTimeout)
		}
	})
}

// TestRestoreFails: it is tried again.
func TestRestoreFails(t *testing.T) {
	b := uneven(t)
	b.deployment.Status.ReadyReplicas = 1
	b.reconcileAt(61)
	b.remove(taskrun.Name(3))
	b.fault = func(leasestesting.Request) leasestesting.Fault { return leasestesting.Fault{Err: errLister} }
	b.reconcileAt(62)
	if !strings.Contains(b.log.String(), "Lease cannot be restored") {
		t.Errorf("nothing says that it failed:\n%s", b.log.String())
	}
	b.fault = nil
	b.reconcileAt(64)
	if diff := cmp.Diff([]string{"create taskrun.03-of-04 pod-a_1"}, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
}

// TestNotRestoredForOneThatGaveUp: the holder was not seen to renew for longer than
// it may lead without, and an administrator deletes the lease so that another one
// gets it.
func TestNotRestoredForOneThatGaveUp(t *testing.T) {
	b := uneven(t)
	b.deployment.Status.ReadyReplicas = 1
	b.time.now = at(115) // the last renewal was at 60
	b.remove(taskrun.Name(3))
	b.reconcileAt(116)
	if diff := cmp.Diff([]string(nil), b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
}
