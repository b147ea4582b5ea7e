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
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// few is a Deployment of three eligible replicas that share so many buckets.
func few(t *testing.T, buckets uint32) *bench {
	t.Helper()
	b := newBench(t)
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
		"more than replicas":  {buckets: 4},
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

// TestAdviceWaits: as long as replicas come and go, nothing is said; what was
// said holds until it does not, and is said again only then.
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
	steps := []struct {
		change   func()
		from, to int
		want     int
	}{
		{func() { notReady(false) }, 61, 70, 0},
		{func() { notReady(true) }, 71, 99, 0},    // on probation
		{func() {}, 100, 140, 1},                  // eligible
		{func() { notReady(false) }, 141, 150, 0}, // does not hold
		{func() { notReady(true) }, 151, 200, 1},
	}
	for i, step := range steps {
		step.change()
		b.until(step.from, step.to, ids...)
		if got := len(b.said()); got != step.want {
			t.Errorf("step %d: said %d times, want %d", i, got, step.want)
		}
	}
}
