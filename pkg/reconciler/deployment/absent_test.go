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
	"k8s.io/apimachinery/pkg/types"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/status"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestAbsent: a name that no Deployment has is said once, and shown as long as it
// is configured.
func TestAbsent(t *testing.T) {
	b := uneven(t)
	slip := types.NamespacedName{Namespace: leasestesting.Namespace, Name: "tekton-pipeline-controller"}
	look := func(seconds float64) {
		b.time.now = at(seconds)
		if err := b.ObserveDeletion(b.context(), slip); err != nil {
			t.Fatal(err)
		}
		b.status.calls.Wait()
		b.sync()
	}
	b.configure(config.ConfigMapName, "deployments", slip.Name)
	look(61)
	look(62)
	want := []string{"Warning LeaderElectionConfigInvalid key deployments names tekton-pipeline-controller, " +
		"but there is no Deployment of that name in namespace tekton-pipelines"}
	if diff := cmp.Diff(want, b.said()); diff != "" {
		t.Errorf("events (-want, +got):\n%s", diff)
	}
	s, err := status.FromConfigMap(b.statusMap())
	if err != nil || len(s.Deployments) != 1 || s.Deployments[0].Name != slip.Name || s.Deployments[0].Blocked != balance.NotFound {
		t.Fatalf("status %+v, %v, want that it is not there", s, err)
	}
	b.configure(config.ConfigMapName)
	look(70)
	if text := b.statusMap().Data[status.Key]; strings.Contains(text, slip.Name) {
		t.Errorf("it is still shown:\n%s", text)
	}
}

// TestWebhookByName: what has no leases to balance says so.
func TestWebhookByName(t *testing.T) {
	b := newBench(t)
	b.pod(b.replica("pod-a").Obj())
	b.pod(b.replica("pod-b").Obj())
	for seconds := 0; seconds <= 60; seconds += 10 {
		b.time.now = at(float64(seconds))
		b.write("pod-a_1", bucket.Group{Prefix: name + ".configmapwebhook", Buckets: 4}.Names()...)
	}
	b.reconcileAt(61)
	if d := b.show(); d.State != status.NotApplicable || d.Detail != "It is a webhook, all of whose replicas serve." {
		t.Errorf("status %+v, want that it is a webhook", d)
	}
	want := []string{"Normal LeaderElectionAdvice It has no leases to balance. It is a webhook, all of whose replicas serve."}
	if diff := cmp.Diff(want, b.said()); diff != "" {
		t.Errorf("events (-want, +got):\n%s", diff)
	}
}

// TestIgnoresBuckets: a release that uses one bucket whatever is configured.
func TestIgnoresBuckets(t *testing.T) {
	b := newBench(t)
	one := bucket.Group{Prefix: name + ".one", Buckets: 1}
	for _, pod := range []string{"pod-a", "pod-b"} {
		p := b.replica(pod).Obj()
		p.Spec.Containers = b.deployment.Spec.Template.Spec.Containers
		b.pod(p)
	}
	for seconds := 0; seconds <= 60; seconds += 10 {
		b.time.now = at(float64(seconds))
		b.write("pod-a_1", one.Names()...)
	}
	b.reconcileAt(61)
	said := strings.Join(b.said(), "\n")
	if !strings.Contains(said, "does not honour buckets") || strings.Contains(said, "have not read ConfigMap") {
		t.Errorf("events %q, want that buckets are not honoured", said)
	}
}
