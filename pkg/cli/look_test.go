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

package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/status"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// seen is what "status -o json" prints.
func (s *scene) seen(args ...string) status.Status {
	s.t.Helper()
	s.out.Reset()
	s.run(s.t.Context(), ExitOK, append([]string{"status", "-o", "json"}, args...)...)
	var out status.Status
	if err := json.Unmarshal(s.out.Bytes(), &out); err != nil {
		s.t.Fatalf("%v in\n%s", err, s.out.String())
	}
	return out
}

// another is a Deployment with one queue of two leases, both with its one pod.
func (s *scene) another(name string, replicas int32) {
	d := leasestesting.MakeDeployment(name).Replicas(replicas).Obj()
	rs := leasestesting.MakeReplicaSet(d, "1")
	s.api.Seed(d, rs)
	for i := range replicas {
		s.api.Seed(leasestesting.MakePod(fmt.Sprintf("%s-1-%d", name, i)).OwnedBy(rs).Ready(there.Add(-time.Hour)).Obj())
	}
	for i := range 2 {
		lease := fmt.Sprintf("%s.reconciler.%02d-of-02", name, i)
		s.api.Seed(leasestesting.MakeLease(lease).Holder(name + "-1-0_1").Duration(60).Renewed(there).Obj())
	}
}

// TestChoice: which Deployments are looked at.
func TestChoice(t *testing.T) {
	cases := map[string]struct {
		deployments string
		args        []string
		want        map[string]status.State
	}{
		"the default":    {want: map[string]status.State{deployment: status.Balanced}},
		"two":            {deployments: "a-controller " + deployment, want: map[string]status.State{"a-controller": status.Waiting, deployment: status.Balanced}},
		"one by name":    {args: []string{"a-controller"}, want: map[string]status.State{"a-controller": status.Blocked}},
		"all that elect": {deployments: "*", want: map[string]status.State{"a-controller": status.Waiting, deployment: status.Balanced}},
		"all and one by its name": {
			deployments: "* tekton-events-controller",
			want:        map[string]status.State{"a-controller": status.Waiting, deployment: status.Balanced, "tekton-events-controller": status.Waiting},
		},
		"one of all": {deployments: "*", args: []string{deployment}, want: map[string]status.State{deployment: status.Balanced}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, narrow, two...)
			s.spreadAll("x7k2p", 5, "9zq4c", 5)
			s.another("a-controller", 2)
			s.another("tekton-events-controller", 2)
			s.api.Seed(leasestesting.MakeDeployment("no-elections").Obj())
			if tc.deployments != "" {
				s.api.Seed(leasestesting.MakeConfigMap(config.ConfigMapName, "deployments", tc.deployments))
			}
			got := map[string]status.State{}
			for _, d := range s.seen(tc.args...).Deployments {
				got[d.Name] = d.State
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("Deployments (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestController: what is known of the leases controller.
func TestController(t *testing.T) {
	cases := map[string]struct {
		deployment *appsv1.Deployment
		data       []string
		want       status.Controller
	}{
		"not installed": {want: status.Controller{Strategy: "handover"}},
		"not Ready": {
			deployment: leasestesting.MakeDeployment(controllerName).ReadyReplicas(0).Obj(),
			want:       status.Controller{Installed: true, Strategy: "handover"},
		},
		"Ready": {
			deployment: leasestesting.MakeDeployment(controllerName).Obj(), data: []string{"strategy", "delete"},
			want: status.Controller{Installed: true, Ready: true, Strategy: "delete"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, narrow, two...)
			if tc.deployment != nil {
				s.api.Seed(tc.deployment)
			}
			if len(tc.data) > 0 {
				s.api.Seed(leasestesting.MakeConfigMap(config.ConfigMapName, tc.data...))
			}
			if diff := cmp.Diff(tc.want, s.seen().Controller); diff != "" {
				t.Errorf("controller (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestPolicy: what the ConfigMaps say is followed as the controller follows it.
func TestPolicy(t *testing.T) {
	cases := map[string]struct {
		ours, election []string
		ready          time.Duration // of the younger replica
		want           balance.Reason
		state          status.State
	}{
		"longer than the window":   {ready: 31 * time.Second, state: status.Waiting},
		"shorter than the window":  {ready: 29 * time.Second, want: balance.ReplicaOnProbation, state: status.Waiting},
		"shorter than another one": {ours: []string{"stabilization-window", "2m"}, ready: time.Minute, want: balance.ReplicaOnProbation, state: status.Waiting},
		"ours is invalid":          {ours: []string{"strategie", "delete"}, ready: time.Hour, want: balance.ConfigInvalid, state: status.Blocked},
		"theirs is invalid":        {election: []string{"buckets", "ten"}, ready: time.Hour, want: balance.ConfigInvalid, state: status.Blocked},
		"theirs is valid":          {election: []string{"buckets", "10", "retry-period", "5s"}, ready: time.Hour, state: status.Waiting},
		"not managed":              {ours: []string{"deployments", "another"}, ready: time.Hour, want: balance.NotManaged, state: status.Blocked},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, narrow, two...)
			s.pod(s.make("9zq4c").Ready(there.Add(-tc.ready)).Obj())
			s.spreadAll("x7k2p", 10)
			if len(tc.ours) > 0 {
				s.api.Seed(leasestesting.MakeConfigMap(config.ConfigMapName, tc.ours...))
			}
			if len(tc.election) > 0 {
				s.api.Seed(leasestesting.MakeConfigMap(electionMap, tc.election...))
			}
			d := s.seen(deployment).Deployments[0]
			if d.State != tc.state {
				t.Errorf("state %s, want %s", d.State, tc.state)
			}
			moving := d.Count(status.Lease.Moves) + d.Count(status.Lease.Stays)
			for _, stay := range d.Stays() {
				if stay.Reason != tc.want {
					t.Errorf("%v stay for %s, want %q", stay.Buckets, stay.Reason, tc.want)
				}
			}
			if stays := d.Count(status.Lease.Stays) > 0; moving != 15 || stays != (tc.want != "") {
				t.Errorf("%d leases should move, some stay: %v", moving, stays)
			}
		})
	}
}

// TestOurClockDoesNotMatter: the same cluster looks the same whatever the clock
// shows on the machine that the tool runs on.
func TestOurClockDoesNotMatter(t *testing.T) {
	for name, tc := range situations {
		t.Run(name, func(t *testing.T) {
			var texts []string
			for _, ours := range []time.Time{start, there, there.Add(-48 * time.Hour), there.Add(48 * time.Hour)} {
				s := newScene(t, narrow, tc.replicas...)
				if tc.set != nil {
					tc.set(s)
				}
				s.clock = fixed{ours}
				want := ExitOK
				if tc.failed {
					want = ExitError
				}
				for _, args := range []string{"status", "plan", "explain taskrun"} {
					if strings.HasPrefix(args, "explain") && (tc.failed || !strings.Contains(s.out.String(), "TASKRUN ")) {
						continue
					}
					s.run(t.Context(), want, strings.Fields(args)...)
				}
				texts = append(texts, s.out.String())
			}
			for _, text := range texts[1:] {
				if diff := cmp.Diff(texts[0], text); diff != "" {
					t.Errorf("by another clock (-want, +got):\n%s", diff)
				}
			}
		})
	}
}

// TestForeignHolds: a lease of somebody else that the controller holds does not
// become the Deployment's.
func TestForeignHolds(t *testing.T) {
	s := newScene(t, narrow, two...)
	s.spreadAll("x7k2p", 5, "9zq4c", 5)
	s.another("a-controller", 2)
	s.hold("customrun", 0, 3, "gone1")
	s.api.Seed(leasestesting.MakeLease("no.bucket").Holder(own).Duration(60).Renewed(there).Obj())
	d := s.seen().Deployments[0]
	if len(d.Queues) != 3 || !d.Even {
		t.Errorf("%d queues, even %v, want the 3 of its own, even", len(d.Queues), d.Even)
	}
}
