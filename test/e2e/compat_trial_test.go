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
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/leadership"
	"github.com/tektoncd/leases-controller/test/compat"
)

// trial is that of one component.
type trial struct {
	*cluster
	compat.Tried
}

// onOneReplica starts a component with one replica, and another one when that
// leads everything.
func (c *cluster) onOneReplica(deployment string) *trial {
	c.t.Helper()
	tr := &trial{cluster: c, Tried: compat.Tried{Component: deployment, Version: c.release.version}}
	c.wait(startUp, deployment+" to lead", func() bool {
		before := tr.holders()
		time.Sleep(2 * c.retryPeriod) // for all of its queues
		return len(before) == 1 && maps.Equal(before, tr.holders()) && tr.learn()
	})
	tr.scale(2)
	if holders := tr.holders(); len(holders) != 1 {
		c.t.Fatalf("leases of %s per replica %v, want all on one: nothing to show", deployment, holders)
	}
	return tr
}

// learn notes the queues, by what the electors say, and tells whether each has
// its buckets.
func (tr *trial) learn() bool {
	perQueue := map[string]int{}
	for _, b := range tr.timeline().Buckets {
		queue, _ := leadership.Queue(b.Lease)
		perQueue[leadership.ShortQueue(queue)]++
	}
	tr.Queues, tr.Buckets = slices.Sorted(maps.Keys(perQueue)), tr.cluster.buckets
	return len(perQueue) > 0 && !slices.ContainsFunc(tr.Queues, func(q string) bool { return perQueue[q] != tr.Buckets })
}

// scale changes the number of replicas and waits until they are Ready.
func (tr *trial) scale(n int32) {
	tr.t.Helper()
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"replicas": n}})
	tr.must(err)
	_, err = tr.client.AppsV1().Deployments(tr.namespace).Patch(tr.t.Context(), tr.Component, types.MergePatchType, patch, metav1.PatchOptions{})
	tr.must(err)
	tr.wait(startUp, "the replicas of "+tr.Component, func() bool { return len(tr.replicas()) == int(n) })
}

// replicas are the names of the component's Ready replicas.
func (tr *trial) replicas() []string {
	var names []string
	for _, pod := range tr.pods(tr.t.Context()) {
		if tr.owns(pod.Name) && ready(&pod) {
			names = append(names, pod.Name)
		}
	}
	return names
}

// owns tells whether a pod is one of the component.
func (tr *trial) owns(pod string) bool { return strings.HasPrefix(pod, tr.Component+"-") }

// holders counts the leases per replica.
func (tr *trial) holders() map[string]int {
	tr.t.Helper()
	list, err := tr.client.CoordinationV1().Leases(tr.namespace).List(tr.t.Context(), metav1.ListOptions{})
	tr.must(err)
	holders := map[string]int{}
	for _, l := range list.Items {
		if holder := bucket.HostnameOf(ptr.Deref(l.Spec.HolderIdentity, "")); tr.owns(holder) {
			holders[holder]++
		}
	}
	return holders
}

// timeline is who led what, of the buckets that its replicas have led.
func (tr *trial) timeline() leadership.Timeline {
	timeline := tr.journal.Timeline(time.Now())
	timeline.Buckets = slices.DeleteFunc(timeline.Buckets, func(b leadership.Bucket) bool {
		return !slices.ContainsFunc(b.Spans, func(s leadership.Span) bool { return tr.owns(leadership.Replica(s.Identity)) })
	})
	for _, b := range timeline.Buckets {
		for i := range b.Spans {
			tr.cutLastWords(&b.Spans[i])
		}
	}
	return timeline
}

// evenAfter waits until it is even over two replicas, and has been so for a while,
// and returns after how many seconds it was.
func (tr *trial) evenAfter(since time.Time) float64 {
	tr.t.Helper()
	var at time.Time
	tr.wait(settling, tr.Component+" to be even", func() bool {
		replicas, timeline := tr.replicas(), tr.timeline()
		if len(replicas) != 2 || len(timeline.Buckets) != len(tr.Queues)*tr.Buckets {
			return false
		}
		var even bool
		at, even = timeline.BalancedSince(replicas)
		return even && time.Since(at) > 3*tr.retryPeriod
	})
	return at.Sub(since).Seconds()
}

// replaceOne deletes the pod of a replica, and waits until it is even again.
func (tr *trial) replaceOne() {
	tr.t.Helper()
	gone := tr.replicas()[0]
	tr.must(tr.client.CoreV1().Pods(tr.namespace).Delete(tr.t.Context(), gone, metav1.DeleteOptions{}))
	tr.wait(startUp, "another replica of "+tr.Component, func() bool {
		replicas := tr.replicas()
		return len(replicas) == 2 && !slices.Contains(replicas, gone)
	})
	tr.Again = tr.evenAfter(time.Now())
}

// judge fails the test if a bucket had two leaders, and writes down what came of
// it.
func (tr *trial) judge(since time.Time) {
	tr.t.Helper()
	stats := tr.timeline().Stats(since)
	tr.TwoLeaders = stats.TwoLeaders.Seconds()
	if tr.TwoLeaders > 0 {
		tr.t.Errorf("%s: buckets had two leaders for %s", tr.Component, stats.TwoLeaders)
	}
	line, err := json.Marshal(tr.Tried)
	tr.must(err)
	tr.t.Logf("RESULT compat moves=%d gap_s_max=%.1f %s", stats.Moves, stats.LongestGap.Seconds(), line)
	file, err := os.OpenFile(os.Getenv("COMPAT_RESULT"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600) //nolint:gosec // the path is the tester's own
	tr.must(err)
	defer file.Close()
	_, err = file.Write(append(line, '\n'))
	tr.must(err)
}
