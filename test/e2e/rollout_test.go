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
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/leadership"
	"github.com/tektoncd/leases-controller/test/witness"
)

// evenWithin is how long after a rolling update it may take until all is even.
const evenWithin = 5 * time.Minute

// TestCase28RollingUpdate: all of 5 replicas, which lead 10 buckets of 3 queues,
// are replaced. As long as that takes no lease is taken from anybody; what the old
// replicas release is given away all the same. Afterwards it becomes even, with no
// more moves than it takes and, where a new replica has not led in a queue yet, so
// that nobody knows its identity there, what chance adds.
func TestCase28RollingUpdate(t *testing.T) {
	t.Parallel()
	s, _ := measurement(t)
	s.namespace, s.buckets, s.replicas = "rollout", 10, 5
	c := connectTo(t, s)
	c.led(5)
	c.installOurs(nil)
	c.even()

	begun := time.Now()
	c.must(c.rollOut())
	c.wait(startUp, "the end of the rollout", c.rolledOut)
	rolled := time.Now()
	if early := c.takenSince(begun); len(early) > 0 {
		t.Errorf("%d leases were taken during the rollout, first %s", len(early), early[0].lease)
	}
	leaders := c.allLed()
	optimum, strangers, led := witness.Optimum(c.replicas(), leaders), c.strangers(), time.Now()

	c.wait(evenWithin, "an even spread", c.isEven)
	at, _ := c.evenSince()
	taken, moves := len(c.takenSince(begun)), c.timeline().Stats(led).Moves
	c.oneLeader(begun)
	t.Logf("RESULT rollout replicas=5 leases=%d timings=%s took_s=%.0f optimum=%d strangers=%d moved=%d taken=%d even_after_s=%.0f gap_s_max=%.1f two_leaders=%d",
		c.leases(), c.timings(), rolled.Sub(begun).Seconds(), optimum, strangers, moves, taken, at.Sub(rolled).Seconds(),
		c.timeline().Stats(begun).LongestGap.Seconds(), len(c.overlaps(begun)))
	if moves < optimum || moves > taken || strangers == 0 && taken != optimum {
		t.Errorf("%d leases were taken and %d buckets have another leader than after the rollout, want %d", taken, moves, optimum)
	}
}

// strangers counts the replicas, for each queue, that have never led in it.
func (c *cluster) strangers() int {
	led := map[[2]string]bool{}
	for _, b := range c.timeline().Buckets {
		queue, _ := leadership.Queue(b.Lease)
		for _, s := range b.Spans {
			led[[2]string{queue, leadership.Replica(s.Identity)}] = true
		}
	}
	replicas := c.replicas()
	known := 0
	for pair := range led {
		if slices.Contains(replicas, pair[1]) {
			known++
		}
	}
	return queues*len(replicas) - known
}

// rolledOut tells whether Tekton's Deployment is as it should be, and its old
// pods are gone.
func (c *cluster) rolledOut() bool {
	d, err := c.client.AppsV1().Deployments(c.namespace).Get(c.t.Context(), witness.TektonController, metav1.GetOptions{})
	if err != nil || d.Status.ObservedGeneration < d.Generation {
		return false
	}
	pods := 0
	for _, pod := range c.pods(c.t.Context()) {
		if witness.Container(&pod) == witness.TektonController {
			pods++
		}
	}
	want := *d.Spec.Replicas
	return d.Status.UpdatedReplicas == want && d.Status.AvailableReplicas == want && d.Status.Replicas == want && pods == int(want)
}
