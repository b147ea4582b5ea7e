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
	corev1 "k8s.io/api/core/v1"

	"github.com/tektoncd/leases-controller/pkg/config"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// three is a Deployment of three eligible replicas, which lead two, one and one
// lease since a minute, at 60 s.
func three(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	b.deploy(leasestesting.MakeDeployment(name).Replicas(3).Env("CONFIG_LEADERELECTION_NAME", electionMap).Obj())
	for _, pod := range []string{"pod-a", "pod-b", "pod-c"} {
		b.pod(b.replica(pod).Obj())
	}
	for seconds := 0; seconds <= 60; seconds += 10 {
		b.time.now = at(float64(seconds))
		b.write("pod-a_1", taskrun.Names()[:2]...)
		b.write("pod-b_1", taskrun.Name(2))
		b.write("pod-c_1", taskrun.Name(3))
	}
	b.reconcileAt(60)
	b.said()
	b.wrote()
	return b
}

// crashed is pod-a after its container was killed at 61 s and started again.
func (b *bench) crashed() *corev1.Pod {
	return b.replica("pod-a").Restarted(at(61).Add(-skew), 137).Started(at(61).Add(-skew)).NotReady(at(61)).Obj()
}

// release has an elector empty leases, as it does when it is asked to stop.
func (b *bench) release(leases ...string) {
	b.t.Helper()
	for _, lease := range leases {
		l := b.lease(lease)
		*l.Spec.HolderIdentity, *l.Spec.LeaseDurationSeconds = "", 1
		l.Spec.RenewTime.Time = b.time.now.Add(-skew)
		b.api.Seed(l)
	}
	b.sync()
}

// TestFailover: the leases of a replica that crashed are given to the others at
// once, by name.
func TestFailover(t *testing.T) {
	b := three(t)
	b.pod(b.crashed())
	b.deployment.Status.ReadyReplicas = 2
	b.reconcileAt(62)
	if diff := cmp.Diff([]string{"update taskrun.00-of-04 pod-b_1", "update taskrun.01-of-04 pod-c_1"}, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
	b.wantSeries("given away", map[string]map[string]int64{"unowned": {name + " taskrun-of-04": 2}})
	if diff := cmp.Diff([]string(nil), b.said()); diff != "" {
		t.Errorf("Events before it ended (-want, +got):\n%s", diff)
	}
	b.time.now = at(75)
	b.write("pod-b_1", taskrun.Name(0))
	b.write("pod-c_1", taskrun.Name(1))
	b.reconcileAt(75)
	want := []string{"Normal LeaderElectionFailover Queue taskrun-of-04: leases of pod-a, which has ended, got leaders again after 15s at the most " +
		"since it renewed them last (done: 2)"}
	if diff := cmp.Diff(want, b.said()); diff != "" {
		t.Errorf("Events (-want, +got):\n%s", diff)
	}
	b.reconcileAt(76)
	b.wantSeries("afterwards", map[string]map[string]int64{"takeovers": {"crashed " + name + " done": 2}, "handovers": nil, "unowned": {name + " taskrun-of-04": 0}})
}

// TestFailoverToUnknown: nobody knows the identity of the only survivor. It can
// acquire what is deleted, and gets the rest by name once it has one.
func TestFailoverToUnknown(t *testing.T) {
	b := uneven(t)
	b.pod(b.crashed())
	b.deployment.Status.ReadyReplicas = 1
	b.reconcileAt(62)
	want := []string{"delete taskrun.00-of-04", "delete taskrun.01-of-04", "delete taskrun.02-of-04", "delete taskrun.03-of-04"}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
	b.time.now = at(66)
	b.write("pod-b_1", taskrun.Name(2))
	b.reconcileAt(66)
	b.reconcileAt(66.2)
	want = []string{"create taskrun.00-of-04 pod-b_1", "create taskrun.01-of-04 pod-b_1", "create taskrun.03-of-04 pod-b_1"}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("once it is known, writes (-want, +got):\n%s", diff)
	}
	if n := len(b.work[key].history.leases); n != 0 {
		t.Errorf("%d leases are remembered as if they had been moved", n)
	}
}

// TestFailoverOfTheOnlyReplica: its next process need not wait for its own lease
// to expire.
func TestFailoverOfTheOnlyReplica(t *testing.T) {
	b := newBench(t)
	b.deploy(leasestesting.MakeDeployment(name).Replicas(1).Env("CONFIG_LEADERELECTION_NAME", electionMap).Obj())
	b.pod(b.replica("pod-a").Obj())
	for seconds := 0; seconds <= 60; seconds += 10 {
		b.time.now = at(float64(seconds))
		b.write("pod-a_1", taskrun.Names()...)
	}
	b.pod(b.crashed())
	b.reconcileAt(62)
	if diff := cmp.Diff(4, len(b.wrote())); diff != "" {
		t.Errorf("deletions (-want, +got):\n%s", diff)
	}
	b.time.now = at(66)
	b.write("pod-a_2", taskrun.Name(2))
	b.reconcileAt(66)
	b.reconcileAt(66.2)
	want := []string{"create taskrun.00-of-04 pod-a_2", "create taskrun.01-of-04 pod-a_2", "create taskrun.03-of-04 pod-a_2"}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
}

// TestSteering: what a stopped replica released is given to those that should
// have it, and is no news to an administrator.
func TestSteering(t *testing.T) {
	b := three(t)
	b.time.now = at(61)
	b.pod(b.replica("pod-a").Terminating(at(91).Add(-skew)).Obj())
	b.release(taskrun.Name(0), taskrun.Name(1))
	b.reconcileAt(61)
	want := []string{"update taskrun.00-of-04 pod-b_1", "update taskrun.01-of-04 pod-c_1"}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
	b.time.now = at(70)
	b.write("pod-b_1", taskrun.Name(0))
	b.write("pod-c_1", taskrun.Name(1))
	b.reconcileAt(70)
	if diff := cmp.Diff([]string(nil), b.said()); diff != "" {
		t.Errorf("Events (-want, +got):\n%s", diff)
	}
	b.wantSeries("afterwards", map[string]map[string]int64{"takeovers": {"released " + name + " done": 2}})
}

// TestSteeringOfReplaced: what a replica released is left for the one that comes in
// its place. When that has not come within a retry period, the others get it by
// name.
func TestSteeringOfReplaced(t *testing.T) {
	b := three(t)
	b.time.now = at(61)
	b.pod(b.replica("pod-a").Terminating(at(91).Add(-skew)).Obj())
	b.pod(b.replica("pod-d").Created(at(61).Add(-skew)).NotReady(at(61)).Obj())
	b.release(taskrun.Name(0), taskrun.Name(1))
	b.woken = nil
	b.until(61, 70, "pod-b_1", "pod-c_1")
	for i, again := range b.woken {
		if left := time.Duration(10-i) * time.Second; again > left {
			t.Errorf("at %d s, looks again after %s, want %s at the most, when the retry period ends", 61+i, again, left)
		}
	}
	if diff := cmp.Diff([]string(nil), b.wrote()); diff != "" {
		t.Errorf("writes within a retry period (-want, +got):\n%s", diff)
	}
	b.time.now = at(70)
	b.write("pod-d_1", taskrun.Name(0))
	b.reconcileAt(70)
	b.reconcileAt(71)
	if diff := cmp.Diff([]string{"update taskrun.01-of-04 pod-b_1"}, b.wrote()); diff != "" {
		t.Errorf("writes afterwards (-want, +got):\n%s", diff)
	}
}

// TestSteeringToUnknown: an empty lease is free already.
func TestSteeringToUnknown(t *testing.T) {
	b := uneven(t)
	b.deployment.Status.ReadyReplicas = 1 // no handover
	b.reconcileAt(61)
	b.pod(b.replica("pod-a").Terminating(at(91).Add(-skew)).Obj())
	b.release(taskrun.Names()...)
	b.reconcileAt(62)
	if diff := cmp.Diff([]string(nil), b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
	b.time.now = at(65)
	b.write("pod-b_1", taskrun.Name(2))
	b.reconcileAt(65)
	want := []string{"update taskrun.00-of-04 pod-b_1", "update taskrun.01-of-04 pod-b_1", "update taskrun.03-of-04 pod-b_1"}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("once it is known, writes (-want, +got):\n%s", diff)
	}
	if n := len(b.work[key].history.leases); n != 0 {
		t.Errorf("%d leases are remembered as if they had been moved", n)
	}
}

// TestNoFailover: when nothing is given away.
func TestNoFailover(t *testing.T) {
	cases := map[string]func(*bench){
		"switched off":               func(b *bench) { b.configure(config.ConfigMapName, "fast-failover", "false") },
		"the Deployment is not ours": func(b *bench) { b.configure(config.ConfigMapName, "deployments", "another") },
		"our configuration was never valid": func(b *bench) {
			b.store = config.NewStore()
			b.configure(config.ConfigMapName, "strategy", "x")
		},
		"no election": func(b *bench) {
			b.deploy(leasestesting.MakeDeployment(name).Replicas(3).Args("-disable-ha").Obj())
		},
	}
	for what, change := range cases {
		t.Run(what, func(t *testing.T) {
			b := three(t)
			change(b)
			b.pod(b.crashed())
			b.until(62, 65, "pod-b_1", "pod-c_1")
			if diff := cmp.Diff([]string(nil), b.wrote()); diff != "" {
				t.Errorf("writes (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestCase38VanishedPodIsNoProof: a pod that was deleted by force may run on, on
// a node that nobody reaches.
func TestCase38VanishedPodIsNoProof(t *testing.T) {
	b := three(t)
	pod := b.replica("pod-a").Obj()
	if err := b.podCache.Delete(pod); err != nil {
		t.Fatal(err)
	}
	b.observer.Tracker.PodGone(pod, b.time.now)
	b.until(61, 120, "pod-b_1", "pod-c_1")
	if diff := cmp.Diff([]string(nil), b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
}

// TestVanishedPodMustHaveGivenUp: with a lease that lasts longer than twice the
// renew deadline, a process gives up before its lease expires.
func TestVanishedPodMustHaveGivenUp(t *testing.T) {
	b := newBench(t)
	b.configure(electionMap, "buckets", "4", "lease-duration", "60s", "renew-deadline", "10s", "retry-period", "5s")
	b.pod(b.replica("pod-a").Obj())
	b.pod(b.replica("pod-b").Obj())
	for seconds := 0; seconds <= 60; seconds += 5 {
		b.time.now = at(float64(seconds))
		b.write("pod-a_1", taskrun.Names()[:2]...)
		b.write("pod-b_1", taskrun.Names()[2:]...)
	}
	pod := b.replica("pod-b").Obj()
	if err := b.podCache.Delete(pod); err != nil {
		t.Fatal(err)
	}
	b.observer.Tracker.PodGone(pod, b.time.now)
	// Retry period, twice the renew deadline and margin: 27 s.
	b.until(61, 86, "pod-a_1")
	if diff := cmp.Diff([]string(nil), b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
	b.until(87, 87, "pod-a_1")
	want := []string{"update taskrun.02-of-04 pod-a_1", "update taskrun.03-of-04 pod-a_1"}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
}

// TestFailoverFails: it is tried again until it succeeds.
func TestFailoverFails(t *testing.T) {
	b := three(t)
	b.pod(b.replica("pod-c").NotReady(at(61)).Obj())
	b.pod(b.crashed())
	b.fault = func(leasestesting.Request) leasestesting.Fault { return leasestesting.Fault{Err: errLister} }
	b.until(62, 63)
	if diff := cmp.Diff([]string(nil), b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
	b.fault = nil
	b.until(64, 70)
	want := []string{"update taskrun.00-of-04 pod-b_1", "update taskrun.01-of-04 pod-b_1"}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("afterwards, writes (-want, +got):\n%s", diff)
	}
}

// TestCase43ClockSetBack: the stamps of a living holder are before the start of its
// container, since the clock of its node was set back by an hour in between.
func TestCase43ClockSetBack(t *testing.T) {
	b := newBench(t)
	ahead := start.Add(-skew + time.Hour)
	b.pod(b.replica("pod-a").Started(ahead).Ready(ahead).Obj())
	b.pod(b.replica("pod-b").Obj())
	for seconds := 0; seconds <= 60; seconds += 10 {
		b.time.now = at(float64(seconds))
		b.write("pod-a_1", taskrun.Names()...)
	}
	b.until(61, 64, "pod-a_1")
	for _, write := range b.wrote() {
		if !strings.HasSuffix(write, " "+ownIdentity) { // a hold is what any surplus gets
			t.Errorf("wrote %q: pod-a leads all of them", write)
		}
	}
	for _, h := range b.work[key].handovers {
		if h.Vacant() {
			t.Errorf("%s is given away as a lease that nobody leads", h.Lease)
		}
	}
}
