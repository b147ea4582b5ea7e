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

package monitoring_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/sets"
)

// exported are the labels of the metrics that the README lists; another test
// compares that list with what is exported.
func exported(t *testing.T) map[string]sets.Set[string] {
	t.Helper()
	all := map[string]sets.Set[string]{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(tekton_leases_[a-z_]+)` \\| ([a-z]+) \\| ([^|]*) \\|").FindAllStringSubmatch(string(read(t, "../../README.md")), -1) {
		labels := sets.New(strings.Split(row[3], ", ")...).Insert("namespace", "pod") // those of the target
		if row[2] != "histogram" {
			all[row[1]] = labels
			continue
		}
		for _, suffix := range []string{"_bucket", "_sum", "_count"} {
			all[row[1]+suffix] = labels.Clone().Insert("le")
		}
	}
	return all
}

var (
	selectors  = regexp.MustCompile(`\b(tekton_leases_\w+|kube_\w+)\b(?:\{([^}]*)\})?`)
	matchers   = regexp.MustCompile(`(\w+)\s*(?:=~|!~|!=|=)\s*"`)
	groupings  = regexp.MustCompile(`\b(?:by|on|without|ignoring)\s*\(([^)]*)\)`)
	legendKeys = regexp.MustCompile(`\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}`)
)

// faults are the metrics and labels of an expression, and of the text that goes
// with it, that are not exported.
func faults(all map[string]sets.Set[string], expr, text string) []string {
	var found []string
	used := sets.New[string]()
	for _, s := range selectors.FindAllStringSubmatch(expr, -1) {
		labels, ok := all[s[1]]
		if !ok {
			found = append(found, fmt.Sprintf("%s is not exported", s[1]))
			continue
		}
		used = used.Union(labels)
		for _, m := range matchers.FindAllStringSubmatch(s[2], -1) {
			if !labels.Has(m[1]) {
				found = append(found, fmt.Sprintf("%s has no label %s", s[1], m[1]))
			}
		}
	}
	var names []string
	for _, g := range groupings.FindAllStringSubmatch(expr, -1) {
		names = append(names, strings.Split(g[1], ",")...)
	}
	for _, l := range legendKeys.FindAllStringSubmatch(text, -1) {
		names = append(names, l[1])
	}
	for _, name := range names {
		if !used.Has(strings.TrimSpace(name)) {
			found = append(found, fmt.Sprintf("no metric of it has the label %s", strings.TrimSpace(name)))
		}
	}
	if len(used) == 0 {
		found = append(found, "no metric in it")
	}
	return found
}

// TestFaults: what is wrong in an expression is found.
func TestFaults(t *testing.T) {
	all := map[string]sets.Set[string]{"tekton_leases_held": sets.New("replica", "namespace")}
	cases := map[string]struct {
		expr, text string
		want       []string
	}{
		"right":           {expr: `sum by (replica) (tekton_leases_held{namespace="a"})`, text: "{{replica}}"},
		"unknown metric":  {expr: `tekton_leases_helt`, want: []string{"tekton_leases_helt is not exported", "no metric in it"}},
		"unknown matcher": {expr: `tekton_leases_held{queue=~"a"}`, want: []string{"tekton_leases_held has no label queue"}},
		"unknown group":   {expr: `sum by (replica, pod) (tekton_leases_held)`, want: []string{"no metric of it has the label pod"}},
		"unknown legend":  {expr: `tekton_leases_held`, text: "{{ $labels.queue }}", want: []string{"no metric of it has the label queue"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, faults(all, tc.expr, tc.text)); diff != "" {
				t.Errorf("faults (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestNamesOfAlerts: every metric that an alert names is exported, with its
// labels.
func TestNamesOfAlerts(t *testing.T) {
	all := exported(t)
	for _, r := range rules(t) {
		for _, fault := range faults(all, r.Expr, r.Annotations["summary"]+r.Annotations["description"]) {
			t.Errorf("%s: %s", r.Alert, fault)
		}
	}
}

// TestNamesOfDashboard: every metric that a panel names is exported, with its
// labels; every panel has a title, and its own place.
func TestNamesOfDashboard(t *testing.T) {
	var dashboard struct {
		Panels []struct {
			ID      int    `json:"id"`
			Type    string `json:"type"`
			Title   string `json:"title"`
			Targets []struct {
				Expr   string `json:"expr"`
				Legend string `json:"legendFormat"`
			} `json:"targets"`
		} `json:"panels"`
		Templating struct {
			List []struct {
				Name  string `json:"name"`
				Query any    `json:"query"`
			} `json:"list"`
		} `json:"templating"`
	}
	if err := json.Unmarshal(read(t, "dashboard.json"), &dashboard); err != nil {
		t.Fatal(err)
	}
	all, ids, queries := exported(t), sets.New[int](), 0
	for _, p := range dashboard.Panels {
		if ids.Has(p.ID) || p.Title == "" || (p.Type != "row") != (len(p.Targets) > 0) {
			t.Errorf("panel %d %q: want an id of its own, a title and queries", p.ID, p.Title)
		}
		ids.Insert(p.ID)
		for _, target := range p.Targets {
			queries++
			for _, fault := range faults(all, target.Expr, target.Legend) {
				t.Errorf("panel %q: %s", p.Title, fault)
			}
		}
	}
	for _, v := range dashboard.Templating.List[1:] { // after the data source
		query := fmt.Sprint(v.Query)
		if metric := selectors.FindStringSubmatch(query); metric == nil || !all[metric[1]].Has(v.Name) {
			t.Errorf("variable %s: no metric of %q has that label", v.Name, query)
		}
	}
	if queries == 0 {
		t.Error("no query at all")
	}
}
