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
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// optOut sets the annotation on a Deployment.
func optOut(d *appsv1.Deployment, value string) *appsv1.Deployment {
	d = d.DeepCopy()
	metav1.SetMetaDataAnnotation(&d.ObjectMeta, observe.BalanceAnnotation, value)
	return d
}

// optOutLease sets it on a lease.
func (b *bench) optOutLease(lease, value string) {
	l := b.lease(lease)
	metav1.SetMetaDataAnnotation(&l.ObjectMeta, observe.BalanceAnnotation, value)
	b.api.Seed(l)
	b.sync()
}

// TestOptedOut: a Deployment that asks for it is left alone, and gets back what is
// held. Any value but true does, and one that is not legal is said once.
func TestOptedOut(t *testing.T) {
	cases := map[string]struct {
		value, fault string
		moves        bool
	}{
		"false":     {value: "false"},
		"not legal": {value: "no", fault: `Warning LeaderElectionConfigInvalid annotation leases.tekton.dev/balance of Deployment tekton-pipelines-controller is "no", which is not legal: want true or false`},
		"true":      {value: "true", moves: true},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			b := uneven(t)
			b.reconcileAt(61)
			b.wrote()
			b.deployment = optOut(b.deployment, tc.value)
			b.until(62, 80, "pod-a_1")
			back := []string{"update taskrun.00-of-04 pod-a_1", "update taskrun.01-of-04 pod-a_1"}
			if tc.moves {
				back = nil
			}
			if diff := cmp.Diff(back, b.wrote()); diff != "" {
				t.Errorf("writes (-want, +got):\n%s", diff)
			}
			warned := 0
			for _, e := range b.said() {
				if strings.Contains(e, "leases.tekton.dev/balance") {
					warned++
					if tc.fault == "" || !strings.HasPrefix(e, tc.fault) {
						t.Errorf("event %q, want %q", e, tc.fault)
					}
				}
			}
			if (warned == 1) != (tc.fault != "") {
				t.Errorf("%d warnings, want one if it is not legal", warned)
			}
			if d := b.show(); !tc.moves && (d.Blocked != balance.OptedOut || len(d.Queues[0].Stays) == 0 || (len(d.Advice) > 0) != (tc.fault != "")) {
				t.Errorf("status %+v, want it to tell that it opted out", d)
			}
		})
	}
}

// TestLeaseOptedOut: the plan goes around a lease that asks for it, and it is
// given back in the middle of a handover.
func TestLeaseOptedOut(t *testing.T) {
	b := uneven(t)
	b.optOutLease(taskrun.Name(0), "false")
	b.reconcileAt(61)
	if diff := cmp.Diff([]string{"update taskrun.01-of-04 " + ownIdentity, "update taskrun.02-of-04 " + ownIdentity}, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
	b.optOutLease(taskrun.Name(1), "fals")
	b.until(63, 69, "pod-a_1") // the first try finds the lease edited
	if got := b.wrote(); len(got) == 0 || got[0] != "update taskrun.01-of-04 pod-a_1" {
		t.Errorf("writes %q, want the lease given back", got)
	}
	if fault := strings.Join(warnings(b.said()), "\n"); !strings.Contains(fault, `of Lease taskrun.01-of-04 is "fals"`) {
		t.Errorf("warnings %q, want one of the value", fault)
	}
}

// TestOptedOutOfFailover: a lease that asks for it is not given away either.
func TestOptedOutOfFailover(t *testing.T) {
	b := three(t)
	b.optOutLease(taskrun.Name(0), "false")
	b.pod(b.crashed())
	b.deployment.Status.ReadyReplicas = 2
	b.reconcileAt(62)
	for _, w := range b.wrote() {
		if strings.Contains(w, "00-of-04") {
			t.Errorf("write %q", w)
		}
	}
}

// TestSettingsChanged: what decides most is said with its old and its new value.
func TestSettingsChanged(t *testing.T) {
	b := uneven(t)
	b.configure(config.ConfigMapName, "stabilization-window", "10m")
	b.reconcileAt(61)
	b.configure(config.ConfigMapName, "stabilization-window", "9m", "strategy", "delete", "deployments", name+", another")
	b.reconcileAt(63)
	b.reconcileAt(65)
	want := []string{
		"Normal RebalanceConfigChanged strategy was handover and is now delete",
		`Normal RebalanceConfigChanged deployments was "tekton-pipelines-controller" and is now "tekton-pipelines-controller, another"`,
	}
	if diff := cmp.Diff(want, b.said()); diff != "" {
		t.Errorf("events (-want, +got):\n%s", diff)
	}
}

// TestPutBack: a lease that came back too often stays muted when its Deployment is
// taken out of the configuration and put back.
func TestPutBack(t *testing.T) {
	b := uneven(t)
	b.reconcileAt(61)
	b.work[key].history.leases[taskrun.Name(0)] = &past{last: at(61), from: "pod-a_1", returns: maxReturns, muted: true, until: at(61).Add(memory)}
	muted := b.show
	b.configure(config.ConfigMapName, "deployments", "another")
	b.until(67, 75, "pod-a_1")
	if len(b.work) != 0 {
		t.Fatal("it is still remembered")
	}
	b.wrote()
	b.configure(config.ConfigMapName)
	b.until(76, 79, "pod-a_1")
	if diff := cmp.Diff([]string{"update taskrun.01-of-04 " + ownIdentity, "update taskrun.02-of-04 " + ownIdentity}, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
	b.until(80, 85, "pod-a_1")
	if got := muted().Muted; len(got) != 1 || got[0].Lease != taskrun.Name(0) || got[0].Reason != balance.Muted || !got[0].Until.Time.Equal(at(61).Add(memory)) {
		t.Errorf("muted %+v, want the lease", got)
	}
	b.former[key] = newHistory()
	b.forget(key, b.work[key], at(61).Add(2*memory))
	if len(b.former) != 1 {
		t.Errorf("%d histories are kept, want the last one", len(b.former))
	}
}

// TestMarginOfAHandover: the wait is as much longer.
func TestMarginOfAHandover(t *testing.T) {
	b := uneven(t)
	b.configure(config.ConfigMapName, "margin", "30s")
	b.until(61, 139, "pod-a_1")
	for _, w := range b.wrote() {
		if strings.HasPrefix(w, "delete") {
			t.Fatalf("write %q before the margin is over", w)
		}
	}
	if got, want := b.work[key].handovers[taskrun.Name(0)].Until(), at(60+50+30); !got.Equal(want) {
		t.Errorf("the hold ends at %v, want %v", got, want)
	}
	b.until(140, 142, "pod-a_1")
	if got := b.wrote(); len(got) == 0 || !strings.HasPrefix(got[0], "delete") {
		t.Errorf("writes %q, want the leases released", got)
	}
}
