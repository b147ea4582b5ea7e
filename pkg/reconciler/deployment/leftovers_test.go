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

	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/config"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// left is a Deployment of two replicas that share six buckets evenly, beside
// leases of four buckets that nobody has touched since 0 s.
func left(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	b.configure(electionMap, "buckets", "6")
	b.pod(b.replica("pod-a").Obj())
	b.pod(b.replica("pod-b").Obj())
	b.write("pod-z_1", taskrun.Names()...)
	return b
}

// runs has both replicas renew what they hold until then.
func (b *bench) runs(from, to int) {
	b.t.Helper()
	six := bucket.Group{Prefix: taskrun.Prefix, Buckets: 6}
	for second := from; second <= to; second += 10 {
		b.time.now = at(float64(second))
		b.write("pod-a_1", six.Names()[:3]...)
		b.write("pod-b_1", six.Names()[3:]...)
		b.reconcileAt(float64(second))
	}
}

func TestCleanUp(t *testing.T) {
	all := []string{"delete taskrun.00-of-04", "delete taskrun.01-of-04", "delete taskrun.02-of-04", "delete taskrun.03-of-04"}
	cases := map[string]struct {
		change       func(*bench)
		want, events []string
	}{
		"by default": {
			want:   all,
			events: []string{"Normal LeftoverLeasesDeleted Queue taskrun-of-04: 4 leases of a bucket count that is no longer used were deleted"},
		},
		"switched off": {
			change: func(b *bench) { b.configure(config.ConfigMapName, "clean-up-leftovers", "false") },
			events: []string{"Normal LeaderElectionAdvice 4 leases of a bucket count that is no longer used are left over, such as " +
				"taskrun.00-of-04; they are deleted with: kubectl -n tekton-pipelines patch configmap config-leader-election-leases " +
				"--type merge -p '{\"data\":{\"clean-up-leftovers\":\"true\"}}'"},
		},
		"not managed": {
			change: func(b *bench) { b.configure(config.ConfigMapName, "deployments", "another") },
		},
		"our configuration was never valid": {
			change: func(b *bench) { b.configure(config.ConfigMapName, "strategy", "x") },
		},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			b := left(t)
			if tc.change != nil {
				tc.change(b)
			}
			b.runs(0, 590)
			if diff := cmp.Diff([]string(nil), b.wrote()); diff != "" {
				t.Errorf("writes too early (-want, +got):\n%s", diff)
			}
			b.said()
			b.runs(600, 900)
			if diff := cmp.Diff(tc.want, b.wrote()); diff != "" {
				t.Errorf("writes (-want, +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.events, b.said()); diff != "" {
				t.Errorf("events (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestCleanUpFails: what could not be deleted is tried again.
func TestCleanUpFails(t *testing.T) {
	b := left(t)
	b.runs(0, 590)
	b.fault = func(r leasestesting.Request) leasestesting.Fault {
		if strings.HasPrefix(r.Name, taskrun.Name(2)) {
			return leasestesting.Fault{Err: errLister}
		}
		return leasestesting.Fault{}
	}
	b.runs(600, 620)
	if got := len(b.wrote()); got != 3 {
		t.Errorf("%d leases were deleted, want 3", got)
	}
	b.fault = nil
	b.runs(630, 640)
	if diff := cmp.Diff([]string{"delete taskrun.02-of-04"}, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
}
