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
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// few is a Deployment of three eligible replicas that share so many buckets.
func few(t *testing.T, buckets uint32) *bench {
	t.Helper()
	b := newBench(t)
	b.configure(electionMap, "buckets", fmt.Sprint(buckets))
	b.deploy(leasestesting.MakeDeployment(name).Replicas(3).Env("CONFIG_LEADERELECTION_NAME", electionMap).Obj())
	group := bucket.Group{Prefix: taskrun.Prefix, Buckets: buckets}
	for _, pod := range []string{"pod-a", "pod-b", "pod-c"} {
		b.pod(b.replica(pod).Obj())
	}
	for seconds := 0; seconds <= 60; seconds += 10 {
		b.time.now = at(float64(seconds))
		for i, lease := range group.Names() {
			b.write([]string{"pod-a_1", "pod-b_1", "pod-c_1"}[i%3], lease)
		}
	}
	return b
}

// TestAdvice: what only the administrator can mend is said once, with how to.
func TestAdvice(t *testing.T) {
	mend := "raise buckets in ConfigMap config-leader-election-controller (1 to 10) and restart: " +
		"kubectl -n tekton-pipelines rollout restart deployment tekton-pipelines-controller"
	cases := map[string]struct {
		buckets uint32
		want    []string
	}{
		"one bucket (case 8)": {buckets: 1, want: []string{
			"Normal LeaderElectionAdvice Queue taskrun: 3 replicas share 1 bucket(s), " +
				"so pod-b, pod-c are idle in it; " + mend,
		}},
		"fewer buckets than replicas (case 9)": {buckets: 2, want: []string{
			"Normal LeaderElectionAdvice Queue taskrun: 3 replicas share 2 bucket(s), " +
				"so pod-c is idle in it; " + mend,
		}},
		"as many as replicas": {buckets: 3},
		"more than replicas, not evenly": {buckets: 4, want: []string{
			"Normal LeaderElectionAdvice 4 buckets do not divide evenly by 3 replicas, so in each queue some have 2 leases and others 1; " +
				"with 9 they would: set buckets in ConfigMap config-leader-election-controller and restart: " +
				"kubectl -n tekton-pipelines rollout restart deployment tekton-pipelines-controller",
		}},
		"twice as many": {buckets: 6},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			b := few(t, tc.buckets)
			b.until(61, 120, "pod-a_1", "pod-b_1", "pod-c_1")
			if diff := cmp.Diff(tc.want, b.said()); diff != "" {
				t.Errorf("events (-want, +got):\n%s", diff)
			}
			if diff := cmp.Diff([]string(nil), b.wrote()); diff != "" {
				t.Errorf("writes (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestAdviceWaits: as long as replicas come and go, nothing is said, and nothing
// withdrawn. What was said is said again only after it did not hold.
func TestAdviceWaits(t *testing.T) {
	b := few(t, 2)
	ids := []string{"pod-a_1", "pod-b_1"}
	notReady := func(ready bool) {
		pod := b.replica("pod-c")
		if !ready {
			pod = pod.NotReady(at(0))
		}
		b.pod(pod.Obj())
	}
	scale := func(n int32) {
		b.deployment.Spec.Replicas = &n
		b.deployment.Status.Replicas, b.deployment.Status.UpdatedReplicas, b.deployment.Status.ReadyReplicas = n, n, n
		pod := b.replica("pod-c").Obj()
		if n == 3 {
			b.pod(pod)
			return
		}
		if err := b.podCache.Delete(pod); err != nil {
			b.t.Fatal(err)
		}
		b.observer.Tracker.PodGone(pod, b.time.now)
	}
	steps := []struct {
		change   func()
		from, to int
		want     int
	}{
		{func() { notReady(false) }, 61, 70, 0},
		{func() { notReady(true) }, 71, 99, 0},    // on probation
		{func() {}, 100, 140, 1},                  // eligible
		{func() { notReady(false) }, 141, 150, 0}, // not certain
		{func() { notReady(true) }, 151, 220, 0},
		{func() { scale(2) }, 221, 230, 0}, // does not hold
		{func() { scale(3) }, 231, 300, 1},
	}
	for i, step := range steps {
		step.change()
		b.until(step.from, step.to, ids...)
		if got := len(b.said()); got != step.want {
			t.Errorf("step %d: said %d times, want %d", i, got, step.want)
		}
	}
}

// TestAdviceRestartDue: the replicas use another configuration than that of their
// ConfigMap.
func TestAdviceRestartDue(t *testing.T) {
	edit := func(keysAndValues ...string) func(*bench) {
		return func(b *bench) {
			b.configure(electionMap, keysAndValues...)
			obj, _, _ := b.configMapCache.GetByKey(key.Namespace + "/" + electionMap)
			cm := obj.(*corev1.ConfigMap).DeepCopy()
			cm.CreationTimestamp = metav1.NewTime(at(100))
			b.add(b.configMapCache, cm)
		}
	}
	text := func(why string) []string {
		return []string{"Normal LeaderElectionAdvice The replicas have not read ConfigMap config-leader-election-controller as it is now (" + why + "), " +
			"which they do when they start: kubectl -n tekton-pipelines rollout restart deployment tekton-pipelines-controller"}
	}
	cases := map[string]struct {
		edit func(*bench)
		want []string
	}{
		"nothing was edited":                   {edit: edit("buckets", "6")},
		"the buckets":                          {edit: edit("buckets", "8"), want: text("buckets is 8 in it, and 6 in use")},
		"the lease duration":                   {edit: edit("buckets", "6", "lease-duration", "90s"), want: text("lease-duration is 1m30s in it, and 1m0s in use")},
		"what no lease shows":                  {edit: edit("buckets", "6", "retry-period", "5s"), want: text("it has changed since they started")},
		"what no lease shows, but only labels": {edit: edit("buckets", "6", "_example", "x")},
		"it is refused":                        {edit: edit("buckets", "60")},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			b := few(t, 6)
			ids := []string{"pod-a_1", "pod-b_1", "pod-c_1"}
			b.until(61, 99, ids...)
			b.said()
			tc.edit(b)
			b.until(100, 120, ids...)
			var advice []string
			for _, event := range b.said() {
				if strings.Contains(event, reasonAdvice) {
					advice = append(advice, event)
				}
			}
			if diff := cmp.Diff(tc.want, advice); diff != "" {
				t.Errorf("advice (-want, +got):\n%s", diff)
			}
			edit("buckets", "6")(b)
			b.until(121, 125, ids...)
			edit("buckets", "6", "retry-period", "7s")(b)
			b.until(126, 130, ids...)
			if got := strings.Count(b.log.String(), "Advice withdrawn"); got != len(tc.want) {
				t.Errorf("withdrawn %d times, want %d", got, len(tc.want))
			}
			if diff := cmp.Diff(text("it has changed since they started"), b.said()); diff != "" {
				t.Errorf("once more (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestAdviceOnStrangers: replicas that hold no lease under a hostname of theirs
// are not balanced, and that is said.
func TestAdviceOnStrangers(t *testing.T) {
	cases := map[string]struct {
		pods   func(*bench)
		holder string
	}{
		"two replicas with one hostname": {
			pods: func(b *bench) {
				b.pod(b.replica("pod-a").Hostname("web").Obj())
				b.pod(b.replica("pod-b").Hostname("web").Obj())
			},
			holder: "web_1",
		},
		"a node whose hostname is not its name": {
			pods: func(b *bench) {
				b.pod(b.replica("pod-a").HostNetwork("node-1.example.org").Obj())
				b.pod(b.replica("pod-b").HostNetwork("node-2.example.org").Obj())
			},
			holder: "node-1_1",
		},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			b := newBench(t)
			tc.pods(b)
			b.until(0, 119, tc.holder)
			if said := b.said(); len(said) > 0 {
				t.Errorf("said too early: %q", said)
			}
			b.until(120, 300, tc.holder)
			said := b.said()
			if len(said) != 1 || !strings.Contains(said[0], "None of the 2 replicas holds a lease in the name of its own hostname") {
				t.Errorf("said %q, want it once", said)
			}
		})
	}
}

// TestAdviceWithoutName: the ConfigMap's name comes from elsewhere.
func TestAdviceWithoutName(t *testing.T) {
	b := few(t, 1)
	d := b.deployment.DeepCopy()
	d.Spec.Template.Spec.Containers[0].Env[0] = corev1.EnvVar{Name: "CONFIG_LEADERELECTION_NAME", ValueFrom: &corev1.EnvVarSource{}}
	b.deploy(d)
	b.reconcileAt(61)
	if said := strings.Join(b.said(), "; "); !strings.Contains(said, "ConfigMap that CONFIG_LEADERELECTION_NAME names") {
		t.Errorf("said %q", said)
	}
}

// TestDenied: which right lacks is said, once for all leases, until a write is
// allowed again.
func TestDenied(t *testing.T) {
	for _, verb := range []string{"get", "update"} {
		t.Run(verb, func(t *testing.T) {
			b := uneven(t)
			allowed := false
			b.fault = func(r leasestesting.Request) leasestesting.Fault {
				if allowed || r.Resource != "leases" || r.Verb != verb {
					return leasestesting.Fault{}
				}
				return leasestesting.Fault{Err: apierrors.NewForbidden(leasesResource, r.Name, fmt.Errorf("User \"we\" cannot %s leases", r.Verb))}
			}
			b.until(61, 120, "pod-a_1")
			want := "The leases controller may not do what it has to: User \"we\" cannot " + verb + " leases; " +
				"its Role must be that of config/200-leases-controller-role.yaml, and no policy may forbid it more"
			if diff := cmp.Diff([]string{want}, b.show().Advice); diff != "" {
				t.Errorf("advice (-want, +got):\n%s", diff)
			}
			if got := slices.DeleteFunc(b.said(), func(e string) bool { return e != "Normal LeaderElectionAdvice "+want }); len(got) != 1 {
				t.Errorf("%d Events of it, want one", len(got))
			}
			allowed = true
			b.until(121, 200, "pod-a_1")
			if got := b.show().Advice; len(got) > 0 || len(b.wrote()) == 0 {
				t.Errorf("advice %q, want none once it may write again", got)
			}
		})
	}
}
