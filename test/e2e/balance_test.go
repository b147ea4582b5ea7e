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
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/test/witness"
)

// TestCase01ReturnedReplica: one replica has everything, the other one comes
// back and gets its half of each queue, and no bucket ever has two leaders. Then
// case 4: more replicas, and fewer again.
func TestCase01ReturnedReplica(t *testing.T) {
	c := connect(t)
	c.scale(1)
	c.scale(2)
	if spread := c.spread(); len(spread) != 1 {
		t.Fatalf("spread %v before our controller runs, want all on one replica: nothing to show", spread)
	}
	begun := time.Now()
	c.installOurs(nil)
	c.even()
	c.oneLeader(begun)
	if moves := c.timeline().Stats(begun).Moves; moves != c.leases()/2 {
		t.Errorf("%d buckets have another leader than before, want %d", moves, c.leases()/2)
	}
	c.event("RebalanceBegun", "moving")
	c.event("RebalanceDone", "")

	t.Log("case 4: 2 -> 4 -> 3 replicas")
	begun = time.Now()
	c.scale(4)
	c.even()
	c.oneLeader(begun)
	c.scale(3)
	c.even()
}

// event waits until the Deployment has an Event with this reason and these words.
func (c *cluster) event(reason, words string) {
	c.t.Helper()
	c.wait(startUp, "an Event "+reason+" with "+words, func() bool {
		list, err := c.client.CoreV1().Events(c.namespace).List(c.t.Context(), metav1.ListOptions{})
		if err != nil {
			return false
		}
		return slices.ContainsFunc(list.Items, func(e corev1.Event) bool {
			return e.InvolvedObject.Kind == "Deployment" && e.InvolvedObject.Name == witness.TektonController &&
				e.Reason == reason && strings.Contains(e.Message, words)
		})
	})
}

// TestMaxHandoversInFlight: never more leases are on their way at a time than the
// administrator allows, over all queues, and it becomes even all the same.
func TestMaxHandoversInFlight(t *testing.T) {
	t.Parallel()
	c := connectToSome(t, "few-at-a-time", 1)
	c.scale(2)
	begun := time.Now()
	const limit = 5
	c.installOurs(map[string]string{"stabilization-window": "0s", "max-handovers-in-flight": strconv.Itoa(limit)})
	most := 0
	c.wait(settling, "an even spread", func() bool {
		most = max(most, c.spread()[witness.LeasesController])
		return c.evenAsDeployed()
	})
	if most == 0 || most > limit {
		t.Errorf("%d leases were held at a time, want some and %d at the most", most, limit)
	}
	c.oneLeader(begun)
}

// TestStrategyDelete: the same end by deleting at once, at the price of two
// leaders.
func TestStrategyDelete(t *testing.T) {
	c := connect(t)
	c.scale(1)
	c.scale(2)
	begun := time.Now()
	c.installOurs(map[string]string{"strategy": "delete"})
	c.even()
	if stats := c.timeline().Stats(begun); stats.TwoLeaders == 0 {
		t.Error("no bucket had two leaders: that is not what deleting at once does, so the measurement is wrong")
	}
}

// TestCase40InvalidConfiguration: with a configuration that is invalid from the
// start we run and are Ready, move nothing, and go on when it is mended.
func TestCase40InvalidConfiguration(t *testing.T) {
	c := connect(t)
	c.scale(1)
	c.scale(2)
	begun := time.Now()
	c.installOurs(map[string]string{"strategy": "hope", "buckets": "11"})
	c.wait(startUp, "our controller to be Ready", func() bool {
		d, err := c.client.AppsV1().Deployments(c.namespace).Get(t.Context(), witness.LeasesController, metav1.GetOptions{})
		return err == nil && d.Status.ReadyReplicas == 1
	})
	time.Sleep(30*time.Second + 10*c.retryPeriod) // longer than the window and the start
	if moves := c.timeline().Stats(begun).Moves; moves != 0 {
		t.Errorf("%d buckets moved with an invalid configuration", moves)
	}
	cm, err := c.client.CoreV1().ConfigMaps(c.namespace).Get(t.Context(), "config-leader-election-leases", metav1.GetOptions{})
	c.must(err)
	delete(cm.Data, "strategy")
	delete(cm.Data, "buckets")
	_, err = c.client.CoreV1().ConfigMaps(c.namespace).Update(t.Context(), cm, metav1.UpdateOptions{})
	c.must(err)
	c.even()
	c.oneLeader(begun)
}
