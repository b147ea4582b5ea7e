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
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/test/witness"
)

// connectToSome has some replicas in a namespace of their own.
func connectToSome(t *testing.T, namespace string, replicas int) *cluster {
	t.Helper()
	s := quick
	s.namespace, s.replicas = namespace, replicas
	c := connectTo(t, s)
	c.led(replicas)
	return c
}

// TestCase21KilledOverAndOver: a replica that is killed again and again gets no
// lease until it has been Ready for long, and the healthy ones are even.
func TestCase21KilledOverAndOver(t *testing.T) {
	t.Parallel()
	c := connectToSome(t, "killed-again", 3)
	processes, begun := c.processes(), time.Now()
	c.installOurs(map[string]string{"stabilization-window": "5s"})
	c.even()
	sick := c.oldestWellKnown()
	const kills = 3
	for range kills {
		c.kill(processes, sick)
		c.wait(startUp, "the end of its process", func() bool { return !slices.Contains(c.replicas(), sick) })
		c.wait(startUp, "its restart", func() bool { return slices.Contains(c.replicas(), sick) })
	}
	healthy := slices.DeleteFunc(c.replicas(), func(name string) bool { return name == sick })
	c.wait(startUp, "the healthy ones to be even", func() bool { _, ok := c.evenOver(healthy); return ok })
	// Its probation of 5 s has doubled three times.
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(time.Second) {
		if n := c.spread()[sick]; n > 0 {
			t.Fatalf("the replica on probation has %d leases", n)
		}
	}
	c.even()
	c.oneLeader(begun)
}

// TestCase22ReplicaNeverReady: a rolling update cannot be finished, because there is
// no such image. The replicas that are Ready are made even when we have waited for
// as long as we are told to.
func TestCase22ReplicaNeverReady(t *testing.T) {
	t.Parallel()
	c := connectToSome(t, "never-ready", 1)
	c.scale(2)
	c.must(c.patch(`{"spec":{"template":{"spec":{"containers":[{"name":"tekton-pipelines-controller","image":"ko://no.such/image"}]}}}}`))
	c.wait(startUp, "a pod that cannot start", func() bool { return len(c.pods(t.Context())) == 3 })
	begun := time.Now()
	c.installOurs(map[string]string{"stabilization-window": "5s", "max-rollout-wait": "1m"})
	c.even()
	c.oneLeader(begun)
	if first := c.takenSince(begun)[0].at; first.Sub(begun) < time.Minute {
		t.Errorf("a lease was taken after %s, want not within the minute that a rollout may take", first.Sub(begun))
	}
	if len(c.replicas()) != 2 {
		t.Errorf("replicas %q are Ready, want two: nothing to show", c.replicas())
	}
}

// TestDrain: the node that carries everything is drained. All replicas are evicted
// at once, ours among them in mid-round, and come back in any order.
func TestDrain(t *testing.T) {
	t.Parallel()
	c := connectToSome(t, "drained", 1)
	c.scale(2)
	begun := time.Now()
	c.installOurs(map[string]string{"stabilization-window": "5s"})
	c.wait(settling, "holds of ours", func() bool { return c.spread()[witness.LeasesController] > 0 })
	evicted := c.pods(t.Context())
	for _, pod := range evicted {
		eviction := &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: pod.Name}}
		c.must(c.client.PolicyV1().Evictions(c.namespace).Evict(t.Context(), eviction))
	}
	if len(evicted) != 3 {
		t.Errorf("evicted %d pods, want all three", len(evicted))
	}
	c.wait(startUp, "the end of all that was evicted", func() bool {
		return !slices.ContainsFunc(c.pods(t.Context()), func(now corev1.Pod) bool {
			return slices.ContainsFunc(evicted, func(then corev1.Pod) bool { return then.UID == now.UID })
		})
	})
	c.bothAvailable()
	c.even()
	c.oneLeader(begun)
}

// TestCase38VanishedPodIsNoProof: a node is cut off, and the pod on it is deleted by
// force. Its process leads on, as it cannot know, and nobody gets its leases from us:
// they expire first. (An elector that is cut off stops to lead when it has tried in
// vain to renew and then to release its lease, for a renew deadline each, which is
// longer than the lease lasts: so there may be two leaders, with or without us.)
func TestCase38VanishedPodIsNoProof(t *testing.T) {
	t.Parallel()
	c := connectToSome(t, "cut-off", 3)
	processes := c.processes()
	c.installOurs(atOnce)
	c.even()
	victim := c.oldestWellKnown()
	lost, pid := c.ledBy(victim), c.pid(processes, victim, witness.TektonController)
	partition := filepath.Join(processes, c.namespace+"_"+victim, "partition")
	c.must(os.WriteFile(partition, nil, 0o600))
	at := time.Now()
	c.deleteByForce(processes, victim)
	took := c.waitLedAgain(lost, at)
	t.Logf("%d buckets led again after the cut, seconds: %s", len(lost), took)
	if err := syscall.Kill(pid, 0); err != nil {
		t.Errorf("the process has ended, so there was nothing to show: %v", err)
	}
	if early := c.leaseDuration - 2*c.retryPeriod; took.least() < early {
		t.Errorf("a bucket was led again after %s, before its lease can have expired: want %s", took.least(), early)
	}
	c.must(os.Remove(partition))
	c.even()
}
