//go:build e2e

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

package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/tektoncd/leases-controller/test/install"
	"github.com/tektoncd/leases-controller/test/witness"
)

// setting is how Tekton is installed for a test.
type setting struct {
	namespace string
	// buckets is the bucket count of each of Tekton's three queues.
	buckets, replicas                         int
	leaseDuration, renewDeadline, retryPeriod time.Duration
	// args are further arguments of Tekton's controller.
	args []string
	// release is another one than that of test/tekton, if it is set.
	release release
}

// quick has short timings, so that the tests take minutes: those of Kubernetes'
// own controllers.
var quick = setting{
	namespace: install.Namespace, buckets: 8, replicas: 1,
	leaseDuration: 15 * time.Second, renewDeadline: 10 * time.Second, retryPeriod: 2 * time.Second,
}

// usual has the timings that Tekton ships, in a namespace of its own.
var usual = setting{
	buckets: 10, replicas: 2,
	leaseDuration: 60 * time.Second, renewDeadline: 40 * time.Second, retryPeriod: 10 * time.Second,
}

// leases is how many there are.
func (s setting) leases() int { return queues * s.buckets }

// queues is how many Tekton's controller has.
const queues = 3

// cluster is the one that the tests run on, and the Tekton that a test is about.
type cluster struct {
	setting

	t       *testing.T
	cfg     *rest.Config
	client  kubernetes.Interface
	journal *witness.Journal
	seen    seen
}

// connect returns the cluster, with Tekton installed on it as the quick setting
// has it, and followed until the test ends.
func connect(t *testing.T) *cluster {
	t.Helper()
	return connectTo(t, quick)
}

// connectTo does so with another setting. In a namespace other than the usual one
// Tekton is removed when the test ends: PipelineRuns would be reconciled by each
// Tekton that runs.
func connectTo(t *testing.T, s setting) *cluster {
	t.Helper()
	cfg := kubeconfig(t)
	c := &cluster{setting: s, t: t, cfg: cfg, client: kubernetes.NewForConfigOrDie(cfg), journal: witness.NewJournal()}
	if s.namespace != install.Namespace {
		t.Cleanup(c.removeTekton)
	}
	c.must(install.Tekton(t.Context(), cfg, s.config(t), s.tektonOptions()))
	c.watch(t.Context())
	return c
}

// tektonOptions are those that Tekton is installed with.
func (s setting) tektonOptions() install.TektonOptions {
	return install.TektonOptions{
		Namespace: s.namespace, Replicas: s.replicas, Buckets: s.buckets,
		LeaseDuration: s.leaseDuration, RenewDeadline: s.renewDeadline, RetryPeriod: s.retryPeriod,
		Args: s.args, Version: s.release.version, Events: s.release.has("events"), Resolvers: s.release.has("resolvers"),
	}
}

// config is the directory of its manifests.
func (s setting) config(t *testing.T) string {
	t.Helper()
	if s.release.config != "" {
		return s.release.config
	}
	return tektonConfig(t)
}

// removeTekton deletes the namespace, and waits for the end of its pods.
func (c *cluster) removeTekton() {
	ctx := context.WithoutCancel(c.t.Context())
	if err := c.client.CoreV1().Namespaces().Delete(ctx, c.namespace, metav1.DeleteOptions{}); err != nil {
		c.t.Errorf("failed to delete namespace %s: %v", c.namespace, err)
	}
	for deadline := time.Now().Add(startUp); len(c.pods(ctx)) > 0; time.Sleep(time.Second) {
		if time.Now().After(deadline) {
			c.t.Errorf("namespace %s still has pods", c.namespace)
			return
		}
	}
}

// kubeconfig is where KUBECONFIG leads.
func kubeconfig(t *testing.T) *rest.Config {
	t.Helper()
	path := os.Getenv("KUBECONFIG")
	if path == "" {
		t.Fatal("KUBECONFIG names no cluster: run hack/e2e.sh, or set it to the kubeconfig of a cluster for tests")
	}
	cfg, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		t.Fatalf("failed to read KUBECONFIG %q: %v", path, err)
	}
	cfg.QPS = -1 // the tests poll
	return cfg
}

// tektonConfig is the directory of Tekton's manifests, as hack/cluster.sh noted
// it.
func tektonConfig(t *testing.T) string {
	t.Helper()
	cache := os.Getenv("CACHE")
	if cache == "" {
		cache = filepath.Join("..", "..", ".cache")
	}
	path, err := os.ReadFile(filepath.Join(cache, "tekton-config")) //nolint:gosec // the path is the tester's own
	if err != nil {
		t.Fatalf("failed to find Tekton's manifests, run hack/cluster.sh build: %v", err)
	}
	return strings.TrimSpace(string(path))
}

// configDir is where our manifests are.
var configDir = filepath.Join("..", "..", "config")

// installOurs applies config/ with the keys given, or changes them, until the
// test ends.
func (c *cluster) installOurs(data map[string]string) {
	c.t.Helper()
	options := install.LeasesOptions{Namespace: c.namespace, Data: data}
	c.must(install.Leases(c.t.Context(), c.cfg, configDir, options))
	c.t.Cleanup(func() {
		if err := install.DeleteLeases(context.WithoutCancel(c.t.Context()), c.cfg, configDir, options); err != nil {
			c.t.Errorf("failed to uninstall: %v", err)
		}
	})
}
