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
	appsv1 "k8s.io/api/apps/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/config"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// writesNothing reconciles for a while and wants no write.
func (b *bench) writesNothing(from, to int) {
	b.t.Helper()
	b.until(from, to, "pod-a_1")
	if diff := cmp.Diff([]string(nil), b.wrote()); diff != "" {
		b.t.Errorf("from %ds to %ds, writes (-want, +got):\n%s", from, to, diff)
	}
}

// TestCase17NotElecting: a Deployment without leader election has nothing that
// could be moved, whatever lies around. It is said once why.
func TestCase17NotElecting(t *testing.T) {
	cases := map[string]struct {
		deployment *leasestesting.DeploymentBuilder
		want       string
	}{
		"-disable-ha=true": {
			deployment: leasestesting.MakeDeployment(name).Args("-kube-api-qps=50", "-disable-ha=true"),
			want:       "runs with -disable-ha: it uses no leases.",
		},
		"-disable-ha that nobody can read": {
			deployment: leasestesting.MakeDeployment(name).Args("-disable-ha=perhaps"),
			want:       "cannot be read as true or false.",
		},
		"the ordinals of a StatefulSet (case 18)": {
			deployment: leasestesting.MakeDeployment(name).Env("STATEFUL_CONTROLLER_ORDINAL", "0").Env("STATEFUL_SERVICE_NAME", "x"),
			want:       "it takes its buckets by ordinal and uses no leases.",
		},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			b := uneven(t)
			b.deploy(tc.deployment.Replicas(2).Obj())
			b.writesNothing(61, 90)
			said := b.said()
			if len(said) != 1 || !strings.HasPrefix(said[0], "Normal LeaderElectionAdvice") || !strings.HasSuffix(said[0], tc.want) {
				t.Errorf("events %q, want one advice that ends in %q", said, tc.want)
			}
		})
	}
}

// TestNotManaged: a Deployment that we are not told to manage is not even
// remembered; one that we are no longer told to manage gets back what we hold.
func TestNotManaged(t *testing.T) {
	b := uneven(t)
	b.configure(config.ConfigMapName, "deployments", "another")
	b.writesNothing(61, 65)
	if len(b.work) != 0 || len(b.woken) != 0 || len(b.said()) != 0 {
		t.Errorf("remembered %v, comes back after %v", b.work, b.woken)
	}

	b.configure(config.ConfigMapName, "deployments", "another, "+name)
	b.until(66, 70, "pod-a_1")
	if got := len(b.wrote()); got != 2 {
		t.Fatalf("%d writes, want 2 holds", got)
	}
	b.configure(config.ConfigMapName, "deployments", "another")
	b.reconcileAt(71)
	want := []string{"update taskrun.00-of-04 pod-a_1", "update taskrun.01-of-04 pod-a_1"}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
	b.writesNothing(72, 80)
	if len(b.work) != 0 {
		t.Errorf("still remembered: %v", b.work)
	}
}

// TestCase16InvalidOwnConfiguration: the last good one stays in force.
func TestCase16InvalidOwnConfiguration(t *testing.T) {
	b := uneven(t)
	b.configure(config.ConfigMapName, "stabilization-window", "5m")
	b.writesNothing(61, 62)
	b.configure(config.ConfigMapName, "stabilization-window", "soon", "deployments", "another")
	b.writesNothing(63, 90)
	if got := b.settings().StabilizationWindow; got != 5*time.Minute {
		t.Errorf("window %s, want the last good one, 5m", got)
	}
	if got := b.blocked(b.deployment); got != "" {
		t.Errorf("blocked by %q, want nothing: the last good one is in force", got)
	}
}

// TestCase40InvalidAtStart: nothing moves until our configuration is valid.
func TestCase40InvalidAtStart(t *testing.T) {
	b := uneven(t)
	b.configure(config.ConfigMapName, "buckets", "10") // meant for Tekton's
	b.writesNothing(61, 90)
	if got := b.blocked(b.deployment); got != balance.ConfigInvalid {
		t.Errorf("blocked by %q, want %q", got, balance.ConfigInvalid)
	}
	if !strings.Contains(b.log.String(), balance.ConfigInvalid.Sentence()) {
		t.Errorf("nothing says why:\n%s", b.log.String())
	}
	b.configure(config.ConfigMapName)
	b.reconcileAt(91)
	if got := len(b.wrote()); got != 2 {
		t.Errorf("valid again: %d writes, want 2 holds", got)
	}
}

// TestSettingsUnreadable: the error is the lister's, so that it is tried again.
func TestSettingsUnreadable(t *testing.T) {
	b := uneven(t)
	b.configMaps = failingConfigMaps{}
	if err := b.ReconcileKind(b.context(), b.deployment); err == nil || !strings.Contains(err.Error(), "ConfigMap") {
		t.Errorf("ReconcileKind = %v, want an error about the ConfigMap", err)
	}
}

func TestBlocked(t *testing.T) {
	managed := leasestesting.MakeDeployment(name)
	cases := map[string]struct {
		deployment *appsv1.Deployment
		data       []string
		want       balance.Reason
	}{
		"managed":         {deployment: managed.Obj()},
		"another":         {deployment: leasestesting.MakeDeployment("another").Obj(), want: balance.NotManaged},
		"no election":     {deployment: leasestesting.MakeDeployment(name).Args("--disable-ha").Obj(), want: balance.NotApplicable},
		"invalid":         {deployment: managed.Obj(), data: []string{"strategy", "x"}, want: balance.ConfigInvalid},
		"another invalid": {deployment: leasestesting.MakeDeployment("another").Obj(), data: []string{"strategy", "x"}, want: balance.NotManaged},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			b := newBench(t)
			b.configure(config.ConfigMapName, tc.data...)
			if err := b.readSettings(leasestesting.Namespace); err != nil {
				t.Fatal(err)
			}
			if got := b.blocked(tc.deployment); got != tc.want {
				t.Errorf("blocked by %q, want %q", got, tc.want)
			}
			if got, want := b.isManaged(tc.deployment), tc.want != balance.NotManaged; got != want {
				t.Errorf("isManaged = %v, want %v", got, want)
			}
		})
	}
	if newBench(t).isManaged("a key") {
		t.Error("what is no Deployment is managed")
	}
}
