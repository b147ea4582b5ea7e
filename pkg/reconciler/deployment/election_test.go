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
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"knative.dev/pkg/leaderelection"

	"github.com/tektoncd/leases-controller/pkg/config"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestWithOwnElection: knative ends a process whose election it cannot parse. We
// run with its defaults instead.
func TestWithOwnElection(t *testing.T) {
	defaults := &leaderelection.Config{
		Buckets: 1, LeaseDuration: time.Minute, RenewDeadline: 40 * time.Second, RetryPeriod: 10 * time.Second,
	}
	fast := &leaderelection.Config{
		Buckets: 1, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
	}
	cases := map[string]struct {
		configMap *corev1.ConfigMap
		want      *leaderelection.Config
	}{
		"no ConfigMap": {want: defaults},
		"an empty one": {configMap: leasestesting.MakeConfigMap(config.ConfigMapName), want: defaults},
		"a valid one": {
			configMap: leasestesting.MakeConfigMap(config.ConfigMapName,
				"lease-duration", "15s", "renew-deadline", "10s", "retry-period", "2s", "strategy", "delete"),
			want: fast,
		},
		"buckets as Tekton's": {configMap: leasestesting.MakeConfigMap(config.ConfigMapName, "buckets", "10"), want: defaults},
		"no duration":         {configMap: leasestesting.MakeConfigMap(config.ConfigMapName, "lease-duration", "60"), want: defaults},
		"client-go would panic": {
			configMap: leasestesting.MakeConfigMap(config.ConfigMapName, "lease-duration", "15s", "renew-deadline", "20s"), want: defaults,
		},
		"another ConfigMap is invalid": {configMap: leasestesting.MakeConfigMap("config-leader-election", "buckets", "x"), want: defaults},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			b := newBench(t)
			if tc.configMap != nil {
				b.api.Seed(tc.configMap)
			}
			ctx, err := WithOwnElection(t.Context(), b.api.NewClient("ours", leasestesting.ClientOptions{}).Config())
			if err != nil {
				t.Fatalf("WithOwnElection: %v", err)
			}
			if diff := cmp.Diff(tc.want, leaderelection.GetConfig(ctx)); diff != "" {
				t.Errorf("election (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestWithOwnElectionFails: what keeps us from reading it is an error; starting
// with other timings than those configured could make two of us lead.
func TestWithOwnElectionFails(t *testing.T) {
	b := newBench(t)
	broken := b.api.NewClient("ours", leasestesting.ClientOptions{
		Fault: func(leasestesting.Request) leasestesting.Fault { return leasestesting.Fault{Err: errLister} },
	})
	for what, cfg := range map[string]*rest.Config{
		"failed to read ConfigMap": broken.Config(),
		"failed to make a client":  {Host: "://"},
	} {
		ctx, err := WithOwnElection(t.Context(), cfg)
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("WithOwnElection = %v, want an error with %q", err, what)
		}
		if leaderelection.GetConfig(ctx) != nil {
			t.Errorf("%s: there is an election all the same", what)
		}
	}
}
