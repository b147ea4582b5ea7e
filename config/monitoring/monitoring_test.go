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

// Package monitoring_test checks what is shipped for Prometheus and Grafana.
package monitoring_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/yaml"
)

// rule is an alert, as the Prometheus Operator has it.
type rule struct {
	Alert       string            `json:"alert"`
	Expr        string            `json:"expr"`
	For         string            `json:"for,omitempty"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
}

type group struct {
	Name  string `json:"name"`
	Rules []rule `json:"rules"`
}

type ruleSpec struct {
	Groups []group `json:"groups"`
}

type meta struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name      string            `json:"name"`
		Namespace string            `json:"namespace"`
		Labels    map[string]string `json:"labels"`
	} `json:"metadata"`
}

type prometheusRule struct {
	meta `json:",inline"`
	Spec ruleSpec `json:"spec"`
}

type serviceMonitor struct {
	meta `json:",inline"`
	Spec struct {
		Selector struct {
			MatchLabels map[string]string `json:"matchLabels"`
		} `json:"selector"`
		Endpoints []struct {
			Port     string `json:"port"`
			Path     string `json:"path"`
			Interval string `json:"interval"`
		} `json:"endpoints"`
	} `json:"spec"`
}

// alertTests are those of promtool, as far as they are looked at here.
type alertTests struct {
	Tests []struct {
		Alerts []struct {
			Name     string `json:"alertname"`
			Expected []any  `json:"exp_alerts"`
		} `json:"alert_rule_test"`
	} `json:"tests"`
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func decode[T any](t *testing.T, file string) T {
	t.Helper()
	var object T
	if err := yaml.UnmarshalStrict(read(t, file), &object); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return object
}

func rules(t *testing.T) []rule {
	t.Helper()
	groups := decode[prometheusRule](t, "prometheusrule.yaml").Spec.Groups
	if len(groups) != 1 {
		t.Fatalf("%d groups of rules, want 1", len(groups))
	}
	return groups[0].Rules
}

// promtool finds the program. hack/test.sh names it, so that there it cannot be
// missing without notice.
func promtool(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("PROMTOOL"); path != "" {
		return path
	}
	path, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not in the PATH, so that the alerts are not tried: install Prometheus (Debian: apt-get install prometheus), " +
			"or name the program in PROMTOOL; hack/prometheus.sh fetches one")
	}
	return path
}

// TestAlerts runs promtool on the alerts: each fires, does not fire where it
// should not, and ends.
func TestAlerts(t *testing.T) {
	program := promtool(t)
	spec, err := yaml.Marshal(decode[prometheusRule](t, "prometheusrule.yaml").Spec)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for file, content := range map[string][]byte{"rules.yaml": spec, "alerts.yaml": read(t, "testdata/alerts.yaml")} {
		if err := os.WriteFile(filepath.Join(dir, file), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"check", "rules", "rules.yaml"}, {"test", "rules", "alerts.yaml"}} {
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// TestAlertsAreTried: the unit tests see each alert fire and not fire.
func TestAlertsAreTried(t *testing.T) {
	var tests alertTests
	if err := yaml.Unmarshal(read(t, "testdata/alerts.yaml"), &tests); err != nil {
		t.Fatal(err)
	}
	fires, silent := sets.New[string](), sets.New[string]()
	for _, test := range tests.Tests {
		for _, a := range test.Alerts {
			if len(a.Expected) > 0 {
				fires.Insert(a.Name)
			} else {
				silent.Insert(a.Name)
			}
		}
	}
	all := sets.New[string]()
	for _, r := range rules(t) {
		all.Insert(r.Alert)
	}
	if diff := cmp.Diff(sets.List(all), sets.List(fires)); diff != "" {
		t.Errorf("alerts that are seen to fire (-want, +got):\n%s", diff)
	}
	if diff := cmp.Diff(sets.List(all), sets.List(silent)); diff != "" {
		t.Errorf("alerts that are seen not to fire (-want, +got):\n%s", diff)
	}
}

// TestRunbook: each alert leads to its section, which has the three parts, and
// no section is left over.
func TestRunbook(t *testing.T) {
	_, runbook, _ := strings.Cut(string(read(t, "README.md")), "\n# What to do when an alert fires\n")
	var alerts []string
	for _, r := range rules(t) {
		alerts = append(alerts, r.Alert)
		want := "https://github.com/tektoncd/leases-controller/blob/main/config/monitoring/README.md#" + strings.ToLower(r.Alert)
		if got := r.Annotations["runbook_url"]; got != want {
			t.Errorf("%s: runbook_url %q, want %q", r.Alert, got, want)
		}
		if r.Labels["severity"] == "" || r.Annotations["summary"] == "" || r.Annotations["description"] == "" {
			t.Errorf("%s: want a severity, a summary and a description", r.Alert)
		}
	}
	for _, alert := range alerts {
		if !strings.Contains(string(read(t, "../../README.md")), "`"+alert+"`") {
			t.Errorf("the README does not list %s", alert)
		}
	}
	var sections []string
	for _, section := range strings.Split(runbook, "\n## ")[1:] {
		title, text, _ := strings.Cut(section, "\n")
		sections = append(sections, title)
		for _, part := range []string{"- **Meaning.** ", "- **First look.** ", "- **Cure.** "} {
			if !strings.Contains(text, part) {
				t.Errorf("section %s has no %q", title, part)
			}
		}
	}
	if diff := cmp.Diff(alerts, sections); diff != "" {
		t.Errorf("sections (-alerts, +got):\n%s", diff)
	}
}

// TestServiceMonitor: it finds our Service and the port of its metrics.
func TestServiceMonitor(t *testing.T) {
	monitor, found := decode[serviceMonitor](t, "servicemonitor.yaml"), false
	for document := range strings.SplitSeq(string(read(t, "../leases-controller.yaml")), "\n---\n") {
		var service corev1.Service
		if err := yaml.Unmarshal([]byte(document), &service); err != nil || service.Kind != "Service" {
			continue
		}
		found = true
		for k, v := range monitor.Spec.Selector.MatchLabels {
			if service.Labels[k] != v {
				t.Errorf("the Service's label %s is %q, want %q", k, service.Labels[k], v)
			}
		}
		for _, e := range monitor.Spec.Endpoints {
			if !slices.ContainsFunc(service.Spec.Ports, func(p corev1.ServicePort) bool { return p.Name == e.Port }) {
				t.Errorf("the Service has no port %q", e.Port)
			}
		}
	}
	if !found || len(monitor.Spec.Endpoints) != 1 || len(monitor.Spec.Selector.MatchLabels) == 0 {
		t.Errorf("Service found: %v, ServiceMonitor: %+v", found, monitor.Spec)
	}
}

// TestHolders: the query for the holders of leases that does not count us, in
// the README, is the one that promtool tries.
func TestHolders(t *testing.T) {
	var tests struct {
		Tests []struct {
			Exprs []struct {
				Expr string `json:"expr"`
			} `json:"promql_expr_test"`
		} `json:"tests"`
	}
	if err := yaml.Unmarshal(read(t, "testdata/alerts.yaml"), &tests); err != nil {
		t.Fatal(err)
	}
	readme, tried := strings.Join(strings.Fields(string(read(t, "../../README.md"))), " "), 0
	for _, test := range tests.Tests {
		for _, e := range test.Exprs {
			tried++
			if expr := strings.Join(strings.Fields(e.Expr), " "); !strings.Contains(readme, expr) {
				t.Errorf("the README does not show what is tried: %s", expr)
			}
		}
	}
	if tried == 0 {
		t.Error("no query is tried")
	}
}
