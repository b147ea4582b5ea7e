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
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"k8s.io/apimachinery/pkg/types"
	"knative.dev/pkg/observability/metrics/metricstest"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/handover"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// series are the values of a gauge or counter, by its attributes in order.
func (b *bench) series(metric string) map[string]int64 {
	b.t.Helper()
	var all metricdata.ResourceMetrics
	if err := b.reader.Collect(b.t.Context(), &all); err != nil {
		b.t.Fatalf("failed to collect: %v", err)
	}
	var got map[string]int64
	for _, s := range all.ScopeMetrics {
		for _, m := range s.Metrics {
			if m.Name != metric {
				continue
			}
			var points []metricdata.DataPoint[int64]
			switch data := m.Data.(type) {
			case metricdata.Gauge[int64]:
				points = data.DataPoints
			case metricdata.Sum[int64]:
				points = data.DataPoints
			}
			for _, p := range points {
				if _, counts := m.Data.(metricdata.Sum[int64]); counts && p.Value == 0 {
					continue // counters begin with 0
				}
				var values []string
				for _, kv := range p.Attributes.ToSlice() {
					values = append(values, strings.TrimPrefix(kv.Value.AsString(), name+"."))
				}
				if got == nil {
					got = map[string]int64{}
				}
				got[strings.Join(values, " ")] = p.Value
			}
		}
	}
	return got
}

// wantSeries compares the series of some gauges.
func (b *bench) wantSeries(when string, want map[string]map[string]int64) {
	b.t.Helper()
	for metric, series := range want {
		if diff := cmp.Diff(series, b.series("tekton.leases."+metric)); diff != "" {
			b.t.Errorf("%s, %s (-want, +got):\n%s", when, metric, diff)
		}
	}
}

// TestGauges: they show what is, and nothing of what was.
func TestGauges(t *testing.T) {
	b := uneven(t)
	b.deployment.Status.ReadyReplicas = 1
	b.remove(taskrun.Name(3))
	b.until(61, 61, "pod-a_1")
	b.fault = func(leasestesting.Request) leasestesting.Fault { return leasestesting.Fault{Err: errLister} }
	b.remove(taskrun.Name(3)) // restored meanwhile
	b.reconcileAt(62)
	queueOf := name + " taskrun-of-04"
	b.wantSeries("one lease missing", map[string]map[string]int64{
		"held":     {queueOf + " pod-a": 3, queueOf + " pod-b": 0},
		"present":  {queueOf: 3},
		"expected": {queueOf: 4},
		"unowned":  {queueOf: 1},
	})

	b.fault = nil
	b.write("pod-a_1", taskrun.Names()...)
	b.reconcileAt(64)
	b.wantSeries("all there", map[string]map[string]int64{
		"held":      {queueOf + " pod-a": 4, queueOf + " pod-b": 0},
		"present":   {queueOf: 4},
		"unowned":   {queueOf: 0},
		"imbalance": {queueOf: 4},
		"surplus":   {queueOf + " " + string(balance.RolloutInProgress): 2},
		"replicas":  {name + " Eligible": 2, name + " ReplicaOnProbation": 0},
	})

	if err := b.podCache.Delete(b.replica("pod-b").Obj()); err != nil {
		t.Fatal(err)
	}
	b.pod(b.replica("pod-c").Obj())
	b.reconcileAt(66)
	b.wantSeries("a replica was replaced", map[string]map[string]int64{
		"held": {queueOf + " pod-a": 4, queueOf + " pod-c": 0},
	})

	b.vanish()
	b.observeDeletion(68)
	b.wantSeries("the Deployment vanished", map[string]map[string]int64{
		"held": nil, "present": nil, "expected": nil, "surplus": nil,
		"unowned": nil, "imbalance": nil, "planned.moves": nil, "replicas": nil, "handovers.in.flight": nil, "handover.oldest.age": nil,
		"paused": nil, "election.invalid": nil, "last.success.timestamp": nil, "left.alone": nil,
	})
}

// TestEndedMetrics: each end is counted; what did not begin took no time.
func TestEndedMetrics(t *testing.T) {
	b := newBench(t)
	other := types.NamespacedName{Namespace: key.Namespace, Name: "other"}
	for _, o := range []handover.Outcome{
		{Result: handover.Done, Took: 70 * time.Second, Gap: 20 * time.Second},
		{Result: handover.Done, Took: 60 * time.Second, Gap: 10 * time.Second},
		{Result: handover.GivenBack, Took: 5 * time.Second},
		{Result: handover.NotBegun, Took: time.Second},
	} {
		b.metrics.ended(t.Context(), key, "handover", o)
	}
	b.metrics.ended(t.Context(), other, "delete", handover.Outcome{Result: handover.Done, Took: 8 * time.Second, Overlap: 41 * time.Second})
	want := map[string]int64{
		name + " done handover": 2, name + " given-back handover": 1, name + " not-begun handover": 1, "other done delete": 1,
	}
	if diff := cmp.Diff(want, b.series("tekton.leases.handovers")); diff != "" {
		t.Errorf("handovers (-want, +got):\n%s", diff)
	}
	type sum struct {
		Count uint64
		Sum   float64
	}
	histograms := map[string]map[string]sum{}
	var all metricdata.ResourceMetrics
	if err := b.reader.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	for _, m := range all.ScopeMetrics[0].Metrics {
		if data, ok := m.Data.(metricdata.Histogram[float64]); ok {
			histograms[m.Name] = map[string]sum{}
			for _, p := range data.DataPoints {
				d, _ := p.Attributes.Value(attrDeployment)
				histograms[m.Name][d.AsString()] = sum{p.Count, p.Sum}
				if !slices.Contains(p.Bounds, 36) || !slices.Contains(p.Bounds, 67) {
					t.Errorf("%s: the promises of 36 and 67s are no bounds of it: %v", m.Name, p.Bounds)
				}
			}
		}
	}
	wantHistograms := map[string]map[string]sum{
		"tekton.leases.handover.duration":   {name: {3, 135}, "other": {1, 8}},
		"tekton.leases.leaderless.duration": {name: {2, 30}},
		"tekton.leases.overlap.duration":    {"other": {1, 41}},
	}
	if diff := cmp.Diff(wantHistograms, histograms); diff != "" {
		t.Errorf("histograms (-want, +got):\n%s", diff)
	}
}

// TestMetricsOfARound: the instruments are fed by the reconciler itself.
func TestMetricsOfARound(t *testing.T) {
	b := uneven(t)
	moved(b)
	metricstest.AssertMetrics(t, b.reader,
		metricstest.MetricsPresent(scope, "tekton.leases.held", "tekton.leases.present", "tekton.leases.expected", "tekton.leases.unowned",
			"tekton.leases.imbalance", "tekton.leases.planned.moves", "tekton.leases.replicas", "tekton.leases.handovers.in.flight",
			"tekton.leases.handover.oldest.age", "tekton.leases.paused", "tekton.leases.last.success.timestamp", "tekton.leases.election.invalid",
			"tekton.leases.config.invalid", "tekton.leases.config.info", "tekton.leases.build.info", "tekton.leases.reconcile.duration",
			"tekton.leases.handovers", "tekton.leases.takeovers", "tekton.leases.overlaps", "tekton.leases.handover.duration", "tekton.leases.leaderless.duration"),
		metricstest.HasAttributes(scope, "tekton.leases.held", attrDeployment.String(name), attrQueue.String(taskrun.String())),
	)
	if diff := cmp.Diff(map[string]int64{name + " done handover": 2}, b.series("tekton.leases.handovers")); diff != "" {
		t.Errorf("handovers (-want, +got):\n%s", diff)
	}
}
