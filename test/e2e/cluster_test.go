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
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/leadership"
	"github.com/tektoncd/leases-controller/test/install"
	"github.com/tektoncd/leases-controller/test/witness"
)

const (
	namespace = install.Namespace
	// buckets is the bucket count of Tekton's three queues.
	buckets = 8
	leases  = 3 * buckets
	// Short timings, so that the tests take minutes: those of Kubernetes' own
	// controllers.
	leaseDuration, renewDeadline, retryPeriod = 15 * time.Second, 10 * time.Second, 2 * time.Second
	// startUp is how long pods may take to become Ready and to lead.
	startUp = 3 * time.Minute
	// settling is how long it may take until everything is even: each round
	// takes the window of a new replica (30 s) and 20 s, and chance decides how
	// many rounds there are.
	settling = 9 * time.Minute
)

// cluster is the one that the tests run on.
type cluster struct {
	t       *testing.T
	cfg     *rest.Config
	client  kubernetes.Interface
	journal *witness.Journal
	// asked is when a replica was asked to stop.
	asked map[string]time.Time
}

// connect returns the cluster, with Tekton installed on it and its logs
// followed until the test ends.
func connect(t *testing.T) *cluster {
	t.Helper()
	cfg := kubeconfig(t)
	c := &cluster{t: t, cfg: cfg, client: kubernetes.NewForConfigOrDie(cfg), journal: witness.NewJournal(), asked: map[string]time.Time{}}
	c.must(install.Tekton(t.Context(), cfg, tektonConfig(t), install.TektonOptions{
		Replicas: 1, Buckets: buckets, LeaseDuration: leaseDuration, RenewDeadline: renewDeadline, RetryPeriod: retryPeriod,
	}))
	go c.follow(t.Context())
	return c
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

// follow reads the logs of all controllers from their beginning.
func (c *cluster) follow(ctx context.Context) {
	follower := witness.NewFollower(c.client, c.journal)
	for ctx.Err() == nil {
		for _, pod := range c.pods(ctx) {
			follower.Pod(ctx, &pod)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// installOurs applies config/ with the keys given, or changes them.
func (c *cluster) installOurs(data map[string]string) {
	c.t.Helper()
	c.must(install.Leases(c.t.Context(), c.cfg, filepath.Join("..", "..", "config"), install.LeasesOptions{Data: data}))
	c.t.Cleanup(func() {
		if err := install.DeleteLeases(context.Background(), c.cfg, filepath.Join("..", "..", "config")); err != nil {
			c.t.Errorf("failed to uninstall: %v", err)
		}
	})
}

func (c *cluster) pods(ctx context.Context) []corev1.Pod {
	list, err := c.client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil
	}
	return list.Items
}

// replicas are the names of Tekton's Ready replicas.
func (c *cluster) replicas() []string {
	var names []string
	for _, pod := range c.pods(c.t.Context()) {
		ready := slices.ContainsFunc(pod.Status.Conditions, func(condition corev1.PodCondition) bool {
			return condition.Type == corev1.PodReady && condition.Status == corev1.ConditionTrue
		})
		if ready && pod.DeletionTimestamp == nil && witness.Container(&pod) == witness.TektonController {
			names = append(names, pod.Name)
		}
	}
	return names
}

// scale changes the number of Tekton's replicas and waits until they are Ready
// and each bucket is led.
func (c *cluster) scale(n int) {
	c.t.Helper()
	patch := fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, n)
	_, err := c.client.AppsV1().Deployments(namespace).Patch(c.t.Context(), witness.TektonController, types.MergePatchType, patch, metav1.PatchOptions{})
	c.must(err)
	c.wait(startUp, fmt.Sprintf("%d replicas to lead all buckets", n), func() bool {
		replicas := c.replicas()
		held := 0
		for holder, count := range c.spread() {
			if slices.Contains(replicas, holder) {
				held += count
			}
		}
		return len(replicas) == n && held == leases && len(c.spread()) <= n
	})
}

// replace has a replica go, and waits until its successor is Ready and the
// others have taken everything.
func (c *cluster) replace() {
	c.t.Helper()
	replicas := c.replicas()
	gone := c.stopBusiest()
	c.wait(startUp, "another replica in its place", func() bool {
		now := c.replicas()
		return len(now) == len(replicas) && !slices.Contains(now, gone) && c.spread()[gone] == 0
	})
}

// stopBusiest deletes the pod of the replica that holds most, and returns its
// name.
func (c *cluster) stopBusiest() string {
	c.t.Helper()
	spread := c.spread()
	busiest := slices.MaxFunc(c.replicas(), func(a, b string) int { return spread[a] - spread[b] })
	c.t.Logf("%s goes", busiest)
	c.asked[busiest] = time.Now()
	c.must(c.client.CoreV1().Pods(namespace).Delete(c.t.Context(), busiest, metav1.DeleteOptions{}))
	return busiest
}

// spread counts the leases of Tekton's queues per replica that holds them.
func (c *cluster) spread() map[string]int {
	list, err := c.client.CoordinationV1().Leases(namespace).List(c.t.Context(), metav1.ListOptions{})
	if err != nil {
		return nil
	}
	spread := map[string]int{}
	for _, l := range list.Items {
		if strings.HasPrefix(l.Name, witness.TektonController+".") {
			spread[bucket.HostnameOf(ptr.Deref(l.Spec.HolderIdentity, ""))]++
		}
	}
	return spread
}

// timeline is who led what, by the electors' own words.
func (c *cluster) timeline() leadership.Timeline { return c.journal.Timeline(time.Now()) }

// even waits until it is even.
func (c *cluster) even() {
	c.t.Helper()
	c.wait(settling, "every queue to be even, with one leader of each bucket", c.isEven)
}

// isEven tells whether each queue is even and each bucket has exactly one
// leader, by the log lines, and that has been so for a while.
func (c *cluster) isEven() bool {
	at, ok := c.timeline().BalancedSince(c.replicas())
	return ok && len(c.timeline().Buckets) == leases && time.Since(at) > 3*retryPeriod
}

// oneLeader fails the test if a bucket had two leaders since then.
func (c *cluster) oneLeader(since time.Time) {
	c.t.Helper()
	stats := c.timeline().Stats(since)
	c.t.Logf("moves %d, longest time without a leader %s", stats.Moves, stats.LongestGap.Round(time.Millisecond))
	now := time.Now()
	for _, bucket := range c.timeline().Buckets {
		for i := range bucket.Spans {
			c.cutLastWords(&bucket.Spans[i])
		}
		for _, s := range bucket.Segments(now) {
			if len(s.Leaders) > 1 && s.To.After(since) {
				c.t.Errorf("%s was led by %s for %s from %s on", bucket.Lease, strings.Join(s.Leaders, " and "), s.Duration(), s.From)
			}
		}
	}
}

// lastWords is how long a replica that was asked to stop may take to say that it
// does not lead a bucket any more: its electors release a lease just before they
// say so, and another replica may be as fast, whoever looks after the leases.
const lastWords = time.Second

// cutLastWords ends a span by that much earlier.
func (c *cluster) cutLastWords(span *leadership.Span) {
	asked, ok := c.asked[leadership.Replica(span.Identity)]
	if ok && span.To.After(asked) {
		span.To = slices.MaxFunc([]time.Time{span.From, asked, span.To.Add(-lastWords)}, time.Time.Compare)
	}
}

// shortGaps fails the test if nobody led a bucket for longer since then.
func (c *cluster) shortGaps(since time.Time, limit time.Duration) {
	c.t.Helper()
	if gap := c.timeline().Stats(since).LongestGap; gap > limit {
		c.t.Errorf("nobody led a bucket for %s, want %s at the most", gap, limit)
	}
}

// wait polls until done, and shows the spread when it takes too long.
func (c *cluster) wait(timeout time.Duration, what string, done func() bool) {
	c.t.Helper()
	for deadline := time.Now().Add(timeout); !done(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(deadline) {
			spread := c.spread()
			for _, holder := range slices.Sorted(maps.Keys(spread)) {
				c.t.Logf("%q holds %d", holder, spread[holder])
			}
			c.t.Fatalf("timed out after %s waiting for %s", timeout, what)
		}
	}
}

func (c *cluster) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}
