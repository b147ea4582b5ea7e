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
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/test/bench"
	"github.com/tektoncd/leases-controller/test/witness"
)

// benchTimeout is how long all PipelineRuns of a measurement may take.
const benchTimeout = 15 * time.Minute

// benchArgs are the settings of Tekton's controller that are measured, by name: as it
// is shipped, and as Konflux has it.
var benchArgs = map[string][]string{
	"default": nil,
	"konflux": {"-threads-per-controller=32", "-kube-api-qps=50", "-kube-api-burst=50"},
}

// TestBench: what users gain from an even spread. In each of BENCH_RUNS runs, one
// after the other, BENCH_PIPELINERUNS PipelineRuns are created at once: with all
// leases on one replica, as any restart leaves them, with the same replicas when we
// have made them even, and with a StatefulSet's ordinals instead of leases.
// Or they are created one after the other, and one of two replicas has a fault in
// the middle. BENCH_PARTS has what is measured: see hack/bench.sh.
func TestBench(t *testing.T) {
	runs, err := strconv.Atoi(os.Getenv("BENCH_RUNS"))
	if err != nil {
		t.Skip("it takes long, and BENCH_RUNS does not say how often to run: see hack/bench.sh")
	}
	n, err := strconv.Atoi(os.Getenv("BENCH_PIPELINERUNS"))
	if err != nil {
		t.Fatal("BENCH_PIPELINERUNS:", err)
	}
	b := &benchmark{pipelineRuns: n}
	for run := range runs {
		for part := range strings.FieldsSeq(os.Getenv("BENCH_PARTS")) {
			name := fmt.Sprintf("run %d %s", run+1, part)
			if f, ok := faults[part]; ok {
				t.Run(name+" leases", func(t *testing.T) { b.faultWithLeases(t, f) })
				t.Run(name+" ordinals", func(t *testing.T) { b.faultWithOrdinals(t, f) })
				continue
			}
			settings, text, _ := strings.Cut(part, "-")
			replicas, err := strconv.Atoi(text)
			if _, known := benchArgs[settings]; !known || err != nil || replicas < 2 {
				t.Fatalf("BENCH_PARTS: unknown part %q", part)
			}
			t.Run(name+" leases", func(t *testing.T) { b.leases(t, settings, replicas) })
			t.Run(name+" ordinals", func(t *testing.T) { b.ordinals(t, settings, replicas) })
		}
	}
	t.Logf("the median of all runs, the least and the most:\n%s", bench.Table(b.results))
}

// benchmark is what was measured so far.
type benchmark struct {
	pipelineRuns int
	results      []bench.Result
}

// benchSetting has Tekton's own timings, in a namespace of its own.
func benchSetting(settings, namespace string) setting {
	s := usual
	s.namespace, s.args, s.replicas = "bench-"+settings+"-"+namespace, benchArgs[settings], 1
	return s
}

// leases measures replicas one of which holds all leases, then when they are even.
func (b *benchmark) leases(t *testing.T, settings string, replicas int) {
	c := connectTo(t, benchSetting(settings, "leases"))
	c.led(1)
	c.scale(replicas)
	if spread := c.spread(); len(spread) != 1 {
		t.Fatalf("spread %v, want all on one replica: nothing to show", spread)
	}
	b.burst(c, bench.Cell{Replicas: replicas, Settings: settings, Leases: bench.OnOne})
	c.evenByUs()
	b.burst(c, bench.Cell{Replicas: replicas, Settings: settings, Leases: bench.Even})
}

// evenByUs has us even it out.
func (c *cluster) evenByUs() {
	c.t.Helper()
	c.installOurs(atOnce)
	c.wait(settling, "an even spread", c.evenAsDeployed)
}

// ordinals measures as many replicas that have no leases.
func (b *benchmark) ordinals(t *testing.T, settings string, replicas int) {
	c := connectToOrdinals(t, benchSetting(settings, "ordinals"), replicas)
	b.burst(c, bench.Cell{Replicas: replicas, Settings: settings, Leases: bench.Ordinals})
}

// connectToOrdinals has Tekton as a StatefulSet, whose replicas share the work by
// their ordinals. Each has one bucket then, so there are as many of them.
func connectToOrdinals(t *testing.T, s setting, replicas int) *cluster {
	t.Helper()
	s.buckets = replicas
	c := connectTo(t, s)
	deployments := c.client.AppsV1().Deployments(c.namespace)
	d, err := deployments.Get(t.Context(), witness.TektonController, metav1.GetOptions{})
	c.must(err)
	c.must(deployments.Delete(t.Context(), d.Name, metav1.DeleteOptions{PropagationPolicy: ptr.To(metav1.DeletePropagationForeground)}))
	c.wait(startUp, "the Deployment's end", func() bool { return len(c.pods(t.Context())) == 0 })
	_, err = c.client.AppsV1().StatefulSets(c.namespace).Create(t.Context(), ordinals(d, int32(replicas)), metav1.CreateOptions{})
	c.must(err)
	c.wait(startUp, "a StatefulSet", func() bool { return len(c.replicas()) == replicas })
	return c
}

// burst creates all PipelineRuns at once, and measures until they are done.
func (b *benchmark) burst(c *cluster, cell bench.Cell) {
	c.t.Helper()
	l := c.followLives()
	result := bench.Result{Cell: cell}
	m := c.startMeter()
	begun := time.Now()
	l.create(b.pipelineRuns, 0)
	l.fill(&result, b.pipelineRuns)
	result.Took = time.Since(begun).Seconds()
	m.fill(&result)
	l.remove(b.pipelineRuns)
	b.add(c, result)
}

func (b *benchmark) add(c *cluster, r bench.Result) {
	c.t.Helper()
	if slices.Max(r.Requests) == 0 {
		c.t.Error("the replicas tell of no requests: the measurement is wrong")
	}
	b.results = append(b.results, r)
	line, err := json.Marshal(r)
	c.must(err)
	c.t.Logf("RESULT bench %s", line)
	path := os.Getenv("BENCH_RESULTS")
	if path == "" {
		return
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600) //nolint:gosec // the path is the tester's own
	c.must(err)
	defer file.Close()
	_, err = file.Write(append(line, '\n'))
	c.must(err)
}
