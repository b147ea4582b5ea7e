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
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// What the README says of the metrics is what is exported, names, labels and
// meanings.
func TestREADMEListsTheMetrics(t *testing.T) {
	registry := prometheus.NewRegistry()
	exporter, err := otelprometheus.New(otelprometheus.WithRegisterer(registry), otelprometheus.WithoutScopeInfo(), otelprometheus.WithoutTargetInfo())
	if err != nil {
		t.Fatal(err)
	}
	m, err := newMetrics(sdkmetric.NewMeterProvider(sdkmetric.WithReader(exporter)))
	if err != nil {
		t.Fatal(err)
	}
	key := types.NamespacedName{Namespace: "n", Name: "d"}
	group := observe.Group{Group: bucket.Group{Prefix: "q", Buckets: 1}, Leases: []observe.Lease{{Name: "q.00-of-01"}}}
	view := observe.View{Groups: []observe.Group{group}, Replicas: []observe.Replica{{Pod: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}}}}}
	m.show(key, view, balance.Plan{Stays: []balance.Stay{{Group: group.String(), Reason: balance.SingleBucket}}}, false)
	m.ended(t.Context(), key, "delete", handover.Outcome{Result: handover.Done, Took: 1, Gap: 1, Overlap: 1})
	m.tookOver(t.Context(), key, "crashed", handover.Outcome{Result: handover.Done, Gap: 1})

	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var exported []string
	for _, f := range families {
		var labels []string
		for _, l := range f.GetMetric()[0].GetLabel() {
			if !strings.HasPrefix(l.GetName(), "otel_") {
				labels = append(labels, l.GetName())
			}
		}
		slices.Sort(labels)
		exported = append(exported, strings.Join([]string{f.GetName(), strings.Join(labels, ", "), f.GetHelp()}, " | "))
	}
	slices.Sort(exported)
	if diff := cmp.Diff(documentedMetrics(t), exported); diff != "" {
		t.Errorf("metrics (-README, +exported):\n%s", diff)
	}
}

// documentedMetrics are the rows of the README's table, labels in order.
func documentedMetrics(t *testing.T) []string {
	t.Helper()
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(tekton_leases_[a-z_]+)` \\| ([^|]*) \\| ([^|]*) \\|$").FindAllSubmatch(bytes.TrimSpace(readme), -1) {
		labels := strings.Split(string(row[2]), ", ")
		slices.Sort(labels)
		rows = append(rows, strings.Join([]string{string(row[1]), strings.Join(labels, ", "), string(row[3])}, " | "))
	}
	slices.Sort(rows)
	return rows
}
