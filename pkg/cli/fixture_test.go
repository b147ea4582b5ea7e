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

package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"

	"github.com/tektoncd/leases-controller/pkg/status"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

const (
	deployment  = "tekton-pipelines-controller"
	electionMap = "config-leader-election-controller"
	hash        = deployment + "-6c8f9d5b7-"
	prefix      = deployment + ".github.com.tektoncd.pipeline.pkg.reconciler."
)

var (
	// start is the time by our clock, and there the time in the cluster.
	start = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)
	there = start.Add(-7 * time.Minute)

	queues = []string{"pipelinerun", "resolutionrequest", "taskrun"}

	narrow = Screen{Width: 80, Unicode: true}
	broad  = Screen{Width: 140, Unicode: true}
	ascii  = Screen{Width: 80}
	tty    = Screen{Width: 80, Unicode: true, Colour: true, Live: true}
)

// fixed is a clock that stands still.
type fixed struct{ now time.Time }

func (f fixed) Now() time.Time                     { return f.now }
func (f fixed) Since(then time.Time) time.Duration { return f.now.Sub(then) }

// scene is a cluster and somebody who looks at it.
type scene struct {
	t      *testing.T
	api    *leasestesting.API
	client *leasestesting.Client
	clock  clock.PassiveClock
	screen Screen
	// there is the time in the cluster.
	there func() time.Time

	deployment *appsv1.Deployment
	replicaSet *appsv1.ReplicaSet
	// pods by the ends of their names.
	pods map[string]*corev1.Pod

	out, errOut bytes.Buffer
}

// newScene has a Deployment whose replicas have been Ready for two hours.
func newScene(t *testing.T, screen Screen, replicas ...string) *scene {
	t.Helper()
	return newSceneAt(t, screen, fixed{start}, func() time.Time { return there }, replicas...)
}

func newSceneAt(t *testing.T, screen Screen, ours clock.PassiveClock, there func() time.Time, replicas ...string) *scene {
	t.Helper()
	s := &scene{t: t, api: leasestesting.NewAPI(), clock: ours, screen: screen, there: there, pods: map[string]*corev1.Pod{}}
	s.client = s.api.NewClient("tkn", leasestesting.ClientOptions{})
	s.deploy(leasestesting.MakeDeployment(deployment).Replicas(int32(len(replicas))).Env("CONFIG_LEADERELECTION_NAME", electionMap).Obj())
	for _, name := range replicas {
		s.pod(s.make(name).Ready(there().Add(-2 * time.Hour)).Obj())
	}
	return s
}

func (s *scene) deploy(d *appsv1.Deployment) {
	s.deployment, s.replicaSet = d, leasestesting.MakeReplicaSet(d, "6c8f9d5b7")
	s.api.Seed(s.deployment, s.replicaSet)
}

// make begins a pod of the Deployment.
func (s *scene) make(name string) *leasestesting.PodBuilder {
	return leasestesting.MakePod(hash + name).OwnedBy(s.replicaSet).Created(s.there().Add(-2 * time.Hour))
}

func (s *scene) pod(p *corev1.Pod) {
	s.pods[strings.TrimPrefix(p.Name, hash)] = p
	s.api.Seed(p)
}

// identity is that of a replica in a queue.
func identity(replica, queue string) string { return hash + replica + "_" + queue }

// lease has an elector's record, renewed so many seconds ago.
func (s *scene) lease(queue string, ordinal, buckets int, holder string, ago int) *leasestesting.LeaseBuilder {
	name := fmt.Sprintf("%s%s.reconciler.%02d-of-%02d", prefix, queue, ordinal, buckets)
	return leasestesting.MakeLease(name).UID(name).
		Holder(holder).Duration(60).Acquired(s.there().Add(-2 * time.Hour)).
		Renewed(s.there().Add(-time.Duration(ago) * time.Second)).Transitions(3)
}

// spread has replicas lead so many leases of a queue.
func (s *scene) spread(queue string, share ...any) {
	buckets, ordinal := 0, 0
	for i := 1; i < len(share); i += 2 {
		buckets += share[i].(int)
	}
	for i := 0; i < len(share); i += 2 {
		for range share[i+1].(int) { //nolint:gosec // they come in pairs
			s.api.Seed(s.lease(queue, ordinal, buckets, identity(share[i].(string), queue), ordinal%10).Obj())
			ordinal++
		}
	}
}

// spreadAll is the same for all queues.
func (s *scene) spreadAll(share ...any) {
	for _, q := range queues {
		s.spread(q, share...)
	}
}

// installed has the leases controller there, with nothing to tell of the
// Deployment.
func (s *scene) installed() {
	s.api.Seed(leasestesting.MakeDeployment(controllerName).Obj())
	s.remembers(status.Deployment{})
}

func (s *scene) options() Options {
	return Options{
		IOStreams: genericiooptions.IOStreams{In: strings.NewReader(""), Out: &s.out, ErrOut: &s.errOut},
		Clock:     s.clock, Program: "/usr/bin/tkn-leases", Screen: s.screen,
		Config: func() (*rest.Config, error) { return s.client.Config(), nil },
	}
}

// run runs the tool, which must end with the status given.
func (s *scene) run(ctx context.Context, want int, args ...string) {
	s.t.Helper()
	if got := Run(ctx, s.options(), args); got != want {
		s.t.Errorf("%v: exit status %d, want %d\n%s%s", args, got, want, s.out.String(), s.errOut.String())
	}
}

// golden compares what was printed with a file in testdata.
func golden(t *testing.T, got string) {
	t.Helper()
	file := filepath.Join("testdata", strings.NewReplacer("/", "-", " ", "_").Replace(t.Name())+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil { //nolint:gosec // named after the test
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("output (-want, +got):\n%s", diff)
	}
}

// fits tells which lines are wider than the screen.
func fits(t *testing.T, screen Screen, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if n := len([]rune(line)); n > screen.Width && strings.Contains(strings.TrimSpace(line), " ") {
			t.Errorf("%d columns on a screen of %d: %s", n, screen.Width, line)
		}
		if !screen.Unicode && len(line) != len([]rune(line)) {
			t.Errorf("more than ASCII: %s", line)
		}
	}
}
