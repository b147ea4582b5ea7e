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
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	knativemetrics "knative.dev/pkg/observability/metrics"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// What the README says of the metrics is what a scrape finds: names, types,
// labels and meanings, no more and no less.
func TestREADMEListsTheMetrics(t *testing.T) {
	if diff := cmp.Diff(documentedMetrics(t), exportedMetrics(scrape(t, everything))); diff != "" {
		t.Errorf("metrics (-README, +exported):\n%s", diff)
	}
}

// everything makes each metric have a series.
func everything(t *testing.T, m *metrics) {
	group := observe.Group{Group: bucket.Group{Prefix: "q", Buckets: 1}, Leases: []observe.Lease{{Name: "q.00-of-01"}}}
	m.show(key, shown{
		view:      observe.View{Groups: []observe.Group{group}, Replicas: []observe.Replica{{Pod: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}}}}},
		plan:      balance.Plan{Stays: []balance.Stay{{Group: group.String(), Reason: balance.SingleBucket}}},
		leftAlone: map[balance.Reason]int{balance.Muted: 1},
	}, true)
	m.configured(config.Default(), false)
	m.begin(t.Context(), key)
	m.ended(t.Context(), key, "delete", handover.Outcome{Result: handover.Done, Took: 1, Gap: 1, Overlap: 1})
	m.tookOver(t.Context(), key, "crashed", handover.Outcome{Result: handover.Done, Gap: 1})
	m.reconciled(t.Context(), key, time.Second, true)
}

// scrape exports our metrics as the controller does, through knative's provider,
// and returns what Prometheus would get.
func scrape(t *testing.T, fill func(*testing.T, *metrics)) string {
	t.Helper()
	registerer, gatherer, registry := prometheus.DefaultRegisterer, prometheus.DefaultGatherer, prometheus.NewRegistry()
	prometheus.DefaultRegisterer, prometheus.DefaultGatherer = registry, registry
	t.Cleanup(func() { prometheus.DefaultRegisterer, prometheus.DefaultGatherer = registerer, gatherer })
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	_ = free.Close()
	provider, err := knativemetrics.NewMeterProvider(t.Context(), knativemetrics.Config{Protocol: knativemetrics.ProtocolPrometheus, Endpoint: address})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = provider.Shutdown(t.Context()) })
	m, err := newMetrics(provider, &manual{now: start})
	if err != nil {
		t.Fatal(err)
	}
	fill(t, m)
	for range 500 { // the server starts by itself
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		if response, err := http.DefaultClient.Do(request); err == nil {
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if err != nil || response.StatusCode != http.StatusOK {
				t.Fatalf("GET /metrics: %s, %v:\n%s", response.Status, err, body)
			}
			return string(body)
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("nothing serves the metrics")
	return ""
}

var (
	ofFamily   = regexp.MustCompile(`(?m)^# (HELP|TYPE) (tekton_\S+) (.*)$`)
	ofSeries   = regexp.MustCompile(`(?m)^(tekton_\w+)\{(.*)\} \S+$`)
	labelNames = regexp.MustCompile(`(\w+)="(?:[^"\\]|\\.)*"`)
)

// exportedMetrics are the families in Prometheus' text format, as rows of the
// README. The exporter adds the scope to each series, and le to histograms.
func exportedMetrics(text string) []string {
	help, kind, labels := map[string]string{}, map[string]string{}, map[string]sets.Set[string]{}
	for _, m := range ofFamily.FindAllStringSubmatch(text, -1) {
		if labels[m[2]] = sets.New[string](); m[1] == "HELP" {
			help[m[2]] = m[3]
		} else {
			kind[m[2]] = m[3]
		}
	}
	for _, m := range ofSeries.FindAllStringSubmatch(text, -1) {
		family := m[1]
		for _, suffix := range []string{"_bucket", "_sum", "_count"} {
			if of := strings.TrimSuffix(m[1], suffix); kind[of] == "histogram" {
				family = of
			}
		}
		for _, l := range labelNames.FindAllStringSubmatch(m[2], -1) {
			if !strings.HasPrefix(l[1], "otel_scope_") && l[1] != "le" {
				labels[family].Insert(l[1])
			}
		}
	}
	var rows []string
	for family := range labels {
		rows = append(rows, strings.Join([]string{family, kind[family], strings.Join(sets.List(labels[family]), ", "), help[family]}, " | "))
	}
	slices.Sort(rows)
	return rows
}

// documentedMetrics are the rows of the README's table, labels in order.
func documentedMetrics(t *testing.T) []string {
	t.Helper()
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(tekton_leases_[a-z_]+)` \\| ([a-z]+) \\| ([^|]*) \\| ([^|]*) \\|$").FindAllStringSubmatch(string(readme), -1) {
		labels := strings.Split(row[3], ", ")
		slices.Sort(labels)
		rows = append(rows, strings.Join([]string{row[1], row[2], strings.TrimSpace(strings.Join(labels, ", ")), row[4]}, " | "))
	}
	slices.Sort(rows)
	return rows
}
