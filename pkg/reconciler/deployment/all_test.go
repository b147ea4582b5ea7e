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

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/config"
)

// TestAll: with "*", a Deployment is balanced if its pods hold leases of queues.
// Whatever they hold besides, and those of webhooks, stays.
func TestAll(t *testing.T) {
	hold := []string{"update taskrun.00-of-04 " + ownIdentity, "update taskrun.01-of-04 " + ownIdentity}
	cases := map[string]struct {
		deployments string
		leases      []string
		want        []string
	}{
		"found by its leases":  {"*", taskrun.Names(), hold},
		"named":                {name, taskrun.Names(), hold},
		"another one is named": {"another", taskrun.Names(), nil},
		"it holds none":        {"*", nil, nil},
		"it holds no buckets":  {"*", []string{name + ".lock", "some-lock"}, nil},
		"a webhook":            {"*", bucket.Group{Prefix: name + ".configmapwebhook", Buckets: 4}.Names(), nil},
		"a webhook by name":    {name, bucket.Group{Prefix: name + ".configmapwebhook", Buckets: 4}.Names(), nil},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			b := newBench(t)
			b.configure(config.ConfigMapName, "deployments", tc.deployments)
			b.pod(b.replica("pod-a").Obj())
			b.pod(b.replica("pod-b").Obj())
			for seconds := 0; seconds <= 60; seconds += 10 {
				b.time.now = at(float64(seconds))
				b.write("pod-a_1", tc.leases...)
			}
			b.reconcileAt(61)
			if diff := cmp.Diff(tc.want, b.wrote()); diff != "" {
				t.Errorf("writes (-want, +got):\n%s", diff)
			}
			if diff := cmp.Diff([]string(nil), warnings(b.said())); diff != "" {
				t.Errorf("warnings (-want, +got):\n%s", diff)
			}
		})
	}
}

// warnings are the Warning Events among some.
func warnings(events []string) []string {
	var all []string
	for _, event := range events {
		if event[0] == 'W' {
			all = append(all, event)
		}
	}
	return all
}
