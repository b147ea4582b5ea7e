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

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/config"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// noLeases fails the test at each write to a lease, and has the server refuse it.
func (b *bench) noLeases() {
	b.fault = func(r leasestesting.Request) leasestesting.Fault {
		if r.Resource == "leases" && r.Verb != "get" {
			b.t.Errorf("%s of lease %s in a dry run", r.Verb, r.Name)
			return leasestesting.Fault{Err: errLister}
		}
		return leasestesting.Fault{}
	}
}

// TestDryRun: whatever there is to do is planned and told, once, and no lease is
// written.
func TestDryRun(t *testing.T) {
	cases := map[string]struct {
		bench  func(*testing.T) *bench
		change func(*bench)
		want   string
		from   int
	}{
		"moves": {
			bench: uneven, change: func(*bench) {}, from: 61,
			want: "Normal RebalanceDryRun Queue taskrun-of-04: dry run: would move 2 of 4 leases, now pod-a: 4",
		},
		"a replica that ended": {
			bench: three, from: 62,
			change: func(b *bench) {
				b.pod(b.crashed())
				b.deployment.Status.ReadyReplicas = 2
			},
			want: "Normal RebalanceDryRun Queue taskrun-of-04: dry run: would give 2 leases of pod-a, which nobody leads, to other replicas",
		},
		"a lease that somebody deleted": {
			bench: uneven, from: 61,
			change: func(b *bench) {
				b.deployment.Status.ReadyReplicas = 1
				b.remove(taskrun.Name(3))
			},
			want: "Normal RebalanceDryRun Queue taskrun-of-04: dry run: would restore a lease that somebody deleted or emptied, for its holder, which leads on",
		},
		"leftovers": {
			bench: func(t *testing.T) *bench {
				b := left(t)
				b.runs(0, 590)
				b.said()
				return b
			},
			change: func(b *bench) { b.runs(600, 600) }, from: 601,
			want: "Normal RebalanceDryRun Queue taskrun-of-04: dry run: would delete 4 leases of a bucket count that is no longer used",
		},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			b := tc.bench(t)
			b.configure(config.ConfigMapName, "dry-run", "true")
			b.noLeases()
			tc.change(b)
			for second := tc.from; second < tc.from+8; second++ {
				b.reconcileAt(float64(second))
			}
			said := b.said()
			if n := len(slices.DeleteFunc(slices.Clone(said), func(e string) bool { return e != tc.want })); n != 1 {
				t.Errorf("events %q, want one %q", said, tc.want)
			}
		})
	}
}

// TestDryRunIsTheSamePlan: what would move is what moves when it is no dry run.
func TestDryRunIsTheSamePlan(t *testing.T) {
	b := uneven(t)
	b.configure(config.ConfigMapName, "dry-run", "true")
	b.reconcileAt(61)
	stays := b.show().Queues[0].Stays
	if len(stays) != 1 || stays[0].Reason != balance.DryRun {
		t.Fatalf("stays %+v, want one with the reason %s", stays, balance.DryRun)
	}
	want := make([]string, 0, len(stays[0].Buckets))
	for _, bucket := range stays[0].Buckets {
		want = append(want, "update taskrun."+bucket+"-of-04 "+ownIdentity)
	}
	b.configure(config.ConfigMapName)
	b.reconcileAt(63)
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
}

// TestDryRunInTheMiddle: what is held when it is switched on is given back.
func TestDryRunInTheMiddle(t *testing.T) {
	b := uneven(t)
	b.reconcileAt(61)
	b.wrote()
	b.configure(config.ConfigMapName, "dry-run", "true")
	b.until(62, 65, "pod-a_1")
	if diff := cmp.Diff([]string{"update taskrun.00-of-04 pod-a_1", "update taskrun.01-of-04 pod-a_1"}, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
	b.writesNothing(66, 120)
	if cm := b.statusMap(); !strings.Contains(cm.Data["status"], "dryRun: true") {
		t.Errorf("the status does not tell that it is a dry run:\n%s", cm.Data["status"])
	}
}
