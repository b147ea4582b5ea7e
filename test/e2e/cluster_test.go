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
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrs "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/test/witness"
)

const (
	// startUp is how long pods may take to become Ready and to lead.
	startUp = 3 * time.Minute
	// settling is how long it may take until everything is even: each round
	// takes the window of a new replica (30 s) and 20 s, and chance decides how
	// many rounds there are.
	settling = 9 * time.Minute
)

func (c *cluster) pods(ctx context.Context) []corev1.Pod {
	list, err := c.client.CoreV1().Pods(c.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil
	}
	return list.Items
}

// replicas are the names of Tekton's Ready replicas.
func (c *cluster) replicas() []string {
	var names []string
	for _, pod := range c.pods(c.t.Context()) {
		if ready(&pod) && witness.Container(&pod) == witness.TektonController {
			names = append(names, pod.Name)
		}
	}
	return names
}

// ready tells whether a pod is Ready, and not asked to stop.
func ready(pod *corev1.Pod) bool {
	return pod.DeletionTimestamp == nil && slices.ContainsFunc(pod.Status.Conditions, func(condition corev1.PodCondition) bool {
		return condition.Type == corev1.PodReady && condition.Status == corev1.ConditionTrue
	})
}

// scale changes the number of Tekton's replicas and waits until they are Ready
// and each bucket is led.
func (c *cluster) scale(n int) {
	c.t.Helper()
	c.must(c.patch(fmt.Sprintf(`{"spec":{"replicas":%d}}`, n)))
	c.led(n)
}

// patch changes Tekton's Deployment.
func (c *cluster) patch(patch string) error {
	_, err := c.client.AppsV1().Deployments(c.namespace).
		Patch(c.t.Context(), witness.TektonController, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
	return err
}

// rollOut replaces all of Tekton's replicas, as kubectl rollout restart does.
func (c *cluster) rollOut() error {
	return c.patch(fmt.Sprintf(`{"spec":{"template":{"metadata":{"annotations":{"restartedAt":"%d"}}}}}`, time.Now().UnixNano()))
}

// led waits until there are so many replicas, all Ready, and nobody else holds a
// lease.
func (c *cluster) led(n int) {
	c.t.Helper()
	c.wait(startUp, fmt.Sprintf("%d replicas to lead all buckets", n), func() bool {
		replicas := c.replicas()
		held := 0
		spread := c.spread()
		for holder, count := range spread {
			if slices.Contains(replicas, holder) {
				held += count
			}
		}
		return len(replicas) == n && held == c.leases() && len(spread) <= n
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
	busiest := c.busiest()
	c.t.Logf("%s goes", busiest)
	c.must(c.client.CoreV1().Pods(c.namespace).Delete(c.t.Context(), busiest, metav1.DeleteOptions{}))
	return busiest
}

// busiest is the replica that holds most.
func (c *cluster) busiest() string {
	c.t.Helper()
	spread, replicas := c.spread(), c.replicas()
	if len(replicas) == 0 {
		c.t.Fatal("no replica is Ready")
	}
	return slices.MaxFunc(replicas, func(a, b string) int { return spread[a] - spread[b] })
}

// spread counts the leases of Tekton's queues per replica that holds them.
func (c *cluster) spread() map[string]int {
	spread := map[string]int{}
	for _, replica := range c.holders() {
		spread[replica]++
	}
	return spread
}

// holders are the replicas that hold the leases of Tekton's queues, by lease.
func (c *cluster) holders() map[string]string {
	list, err := c.client.CoordinationV1().Leases(c.namespace).List(c.t.Context(), metav1.ListOptions{})
	if err != nil {
		return nil
	}
	holders := map[string]string{}
	for _, l := range list.Items {
		if c.isBucket(l.Name) {
			holders[l.Name] = bucket.HostnameOf(ptr.Deref(l.Spec.HolderIdentity, ""))
		}
	}
	return holders
}

// isBucket tells whether a lease is one of Tekton's queues, with the setting's
// bucket count.
func (c *cluster) isBucket(lease string) bool {
	return strings.HasPrefix(lease, witness.TektonController+".") && strings.HasSuffix(lease, fmt.Sprintf("-of-%02d", c.buckets))
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

// outage is how long the API server may be away.
const outage = 30 * time.Second

// again makes a call until the API server answers it, with success or a refusal.
func (c *cluster) again(call func() error) error {
	var status apierrs.APIStatus
	for deadline := time.Now().Add(outage); ; time.Sleep(200 * time.Millisecond) {
		err := call()
		refused := errors.As(err, &status) && !apierrs.IsServiceUnavailable(err) && !apierrs.IsTooManyRequests(err)
		if err == nil || refused || time.Now().After(deadline) {
			return err
		}
	}
}

func (c *cluster) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}
