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
	"context"
	"encoding/json"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/tektoncd/leases-controller/pkg/observe"
	"github.com/tektoncd/leases-controller/test/prometheus"
	"github.com/tektoncd/leases-controller/test/witness"
)

const monitoring = "../../config/monitoring"

// scraped is a cluster whose leases controller a real Prometheus scrapes.
type scraped struct {
	*cluster
	*prometheus.Server
	begun time.Time
	marks []prometheus.Mark
}

// scrape starts a Prometheus with our alerts, which scrapes all replicas of our
// controller until the test ends.
func (c *cluster) scrape() *scraped {
	c.t.Helper()
	program := os.Getenv("PROMETHEUS")
	if program == "" {
		var err error
		if program, err = exec.LookPath("prometheus"); err != nil {
			c.t.Skip("prometheus is not in the PATH: install it (Debian: apt-get install prometheus) or name it in PROMETHEUS")
		}
	}
	pods, dir := c.processes(), c.t.TempDir()
	rules := filepath.Join(dir, "rules.yaml")
	var rule struct {
		Spec map[string]any `json:"spec"`
	}
	content, err := os.ReadFile(filepath.Join(monitoring, "prometheusrule.yaml"))
	c.must(err)
	c.must(yaml.Unmarshal(content, &rule))
	content, err = yaml.Marshal(rule.Spec)
	c.must(err)
	c.must(os.WriteFile(rules, content, 0o600))
	ctx, cancel := context.WithCancel(c.t.Context())
	server, err := prometheus.Start(ctx, program, dir, rules)
	c.t.Cleanup(func() {
		cancel()
		if server != nil {
			server.Wait()
		}
	})
	c.must(err)
	p := &scraped{cluster: c, Server: server, begun: time.Now()}
	go p.follow(ctx, pods)
	return p
}

// follow has Prometheus scrape the replicas of our controller that there are,
// with the labels that a ServiceMonitor gives them.
func (p *scraped) follow(ctx context.Context, pods string) {
	var before []prometheus.Target
	for ; ctx.Err() == nil; time.Sleep(200 * time.Millisecond) {
		targets := []prometheus.Target{}
		for _, pod := range p.pods(ctx) {
			address, err := p.metricsAddress(pods, pod.Name)
			if witness.Container(&pod) != witness.LeasesController || err != nil {
				continue
			}
			targets = append(targets, prometheus.Target{
				Targets: []string{address}, Labels: map[string]string{"namespace": pod.Namespace, "pod": pod.Name},
			})
		}
		if !cmp.Equal(before, targets) && p.Scrape(targets...) == nil {
			before = targets
		}
	}
}

// mark notes that something begins.
func (p *scraped) mark(text string) {
	p.marks = append(p.marks, prometheus.Mark{Time: time.Now(), Text: text})
	p.t.Log(text)
}

// now is the answer to a query: the value of each series, by one label.
func (p *scraped) now(expr, label string) map[string]float64 {
	p.t.Helper()
	all, err := p.Query(p.t.Context(), expr)
	p.must(err)
	values := map[string]float64{}
	for _, s := range all {
		values[strings.TrimPrefix(s.Labels[label], witness.TektonController+".")] = s.Last()
	}
	return values
}

// agrees waits until the answer is this. Prometheus is a second behind.
func (p *scraped) agrees(expr, label string, want map[string]float64) {
	p.t.Helper()
	var got map[string]float64
	for deadline := time.Now().Add(startUp); time.Now().Before(deadline); time.Sleep(500 * time.Millisecond) {
		if got = p.now(expr, label); cmp.Equal(want, got) {
			return
		}
	}
	p.t.Errorf("%s (-want, +got):\n%s", expr, cmp.Diff(want, got))
}

// held is how many leases each replica holds, as the API server has it.
func (p *scraped) held() map[string]float64 {
	held := map[string]float64{}
	for replica, n := range p.spread() {
		held[replica] = float64(n)
	}
	return held
}

// TestDashboard: a real Prometheus scrapes our controller while leases are
// evened out and a replica is stopped. Each query of the dashboard has an answer
// in it, and those that can be compared with the leases agree with them.
func TestDashboard(t *testing.T) {
	c := connect(t)
	c.scale(1)
	c.scale(2)
	p := c.scrape()
	p.installOurs(soon)
	p.mark("installed")
	p.agrees(`sum(tekton_leases_held)`, "", map[string]float64{"": float64(p.leases())})
	p.even()
	p.agreeWhenEven()
	p.mark("a replica is stopped")
	// One in its place might take all that it releases with its first tries, before us.
	p.scale(1)
	p.scale(2)
	p.mark("another one is Ready")
	p.even()
	p.agreeWhenEven()
	// Of what it released, the one that stayed may have taken some before us.
	if given := p.now(`sum by (cause) (tekton_leases_takeovers_total{result="done"}) > 0`, "cause"); len(given) != 1 || given[string(observe.Released)] > float64(p.leases()/2) {
		t.Errorf("leases given away: %v, want some, and %d at the most, that were released", given, p.leases()/2)
	}
	p.standby()
	p.queries()
	p.quiet()
	p.picture()
}

// agreeWhenEven compares what can be compared while nothing moves.
func (p *scraped) agreeWhenEven() {
	p.t.Helper()
	zero := map[string]float64{"": 0}
	p.agrees(`sum by (replica) (tekton_leases_held)`, "replica", p.held())
	p.agrees(`sum(tekton_leases_unowned)`, "", zero)
	p.agrees(`sum(tekton_leases_handovers_in_flight)`, "", zero)
	p.agrees(`sum(tekton_leases_planned_moves)`, "", zero)
	p.agrees(`max(tekton_leases_imbalance)`, "", zero)
	p.agrees(`max(tekton_leases_handover_oldest_age_seconds)`, "", zero)
	p.agrees(`sum(tekton_leases_present)`, "", map[string]float64{"": float64(p.leases())})
	p.agrees(`sum(tekton_leases_expected)`, "", map[string]float64{"": float64(p.leases())})
	p.agrees(`sum by (standing) (tekton_leases_replicas) > 0`, "standing", map[string]float64{"Eligible": 2})
	p.agrees(`sum(tekton_leases_overlaps_total)`, "", zero)
}

// standby adds a replica of ours, which must add nothing to any sum but that of
// the processes.
func (p *scraped) standby() {
	p.t.Helper()
	_, err := p.client.AppsV1().Deployments(p.namespace).Patch(p.t.Context(), witness.LeasesController, types.MergePatchType, []byte(`{"spec":{"replicas":2}}`), metav1.PatchOptions{})
	p.must(err)
	p.agrees(`count(tekton_leases_config_info)`, "", map[string]float64{"": 2})
	p.agrees(`count(count by (pod) (tekton_leases_held))`, "", map[string]float64{"": 1})
	p.agrees(`sum by (replica) (tekton_leases_held)`, "replica", p.held())
}

// query is one of the dashboard.
type query struct {
	Panel, Expr, Legend, Unit string
	Stacked                   bool
}

// dashboard are the queries of our dashboard, with its variables replaced.
func (p *scraped) dashboard() []query {
	p.t.Helper()
	var d struct {
		Panels []struct {
			Title   string `json:"title"`
			Targets []struct {
				Expr         string `json:"expr"`
				LegendFormat string `json:"legendFormat"`
			} `json:"targets"`
			FieldConfig struct {
				Defaults struct {
					Unit   string `json:"unit"`
					Custom struct {
						Stacking struct {
							Mode string `json:"mode"`
						} `json:"stacking"`
					} `json:"custom"`
				} `json:"defaults"`
			} `json:"fieldConfig"`
		} `json:"panels"`
	}
	text, err := os.ReadFile(filepath.Join(monitoring, "dashboard.json"))
	p.must(err)
	p.must(json.Unmarshal(text, &d))
	variables := strings.NewReplacer("$namespace", p.namespace, "$deployment", witness.TektonController, "$__rate_interval", "10s")
	var all []query
	for _, panel := range d.Panels {
		for _, target := range panel.Targets {
			defaults := panel.FieldConfig.Defaults
			all = append(all, query{panel.Title, variables.Replace(target.Expr), target.LegendFormat, defaults.Unit, defaults.Custom.Stacking.Mode == "normal"})
		}
	}
	return all
}

// lines is the answer to a query over the whole test.
func (p *scraped) lines(q query) []prometheus.Line {
	p.t.Helper()
	all, err := p.QueryRange(p.t.Context(), q.Expr, p.begun, time.Now())
	if err != nil {
		p.t.Errorf("panel %q: %v", q.Panel, err)
	}
	var lines []prometheus.Line
	for _, s := range all {
		name := q.Legend
		for label, value := range s.Labels {
			name = strings.ReplaceAll(name, "{{"+label+"}}", strings.TrimPrefix(value, witness.TektonController+"."))
		}
		lines = append(lines, prometheus.Line{Name: name, Points: s.Points})
	}
	slices.SortFunc(lines, func(a, b prometheus.Line) int { return strings.Compare(a.Name, b.Name) })
	return lines
}

// queries runs each query of the dashboard over the whole test. All of them have
// numbers in their answers: everything that they show has happened.
func (p *scraped) queries() {
	p.t.Helper()
	peaks := map[string]float64{}
	for _, q := range p.dashboard() {
		numbers, peak := 0, 0.0
		for _, line := range p.lines(q) {
			for _, point := range line.Points {
				if !math.IsNaN(point.Value) && !math.IsInf(point.Value, 0) {
					numbers++
					peak = max(peak, point.Value)
				}
			}
			if strings.Contains(line.Name, "{{") {
				p.t.Errorf("panel %q: legend %q has a label that no series has", q.Panel, line.Name)
			}
		}
		p.t.Logf("%-50s %5d numbers, %6.1f at the most: %s", q.Panel, numbers, peak, q.Expr)
		if numbers == 0 {
			p.t.Errorf("panel %q: no number in the answer to %s", q.Panel, q.Expr)
		}
		peaks[q.Panel] = max(peaks[q.Panel], peak)
	}
	for _, quiet := range []string{"Paused", "Refused configuration", "Handovers with two leaders"} {
		if peaks[quiet] != 0 {
			p.t.Errorf("panel %q: %g at the most, want 0", quiet, peaks[quiet])
		}
		delete(peaks, quiet)
	}
	for panel, peak := range peaks {
		if peak == 0 {
			p.t.Errorf("panel %q shows nothing but 0", panel)
		}
	}
}

// quiet fails the test if an alert fired: nothing that they are for has happened.
func (p *scraped) quiet() {
	p.t.Helper()
	all, err := p.QueryRange(p.t.Context(), `ALERTS{alertstate="firing"}`, p.begun, time.Now())
	p.must(err)
	for _, s := range all {
		p.t.Errorf("alert fired: %v", s.Labels)
	}
	all, err = p.QueryRange(p.t.Context(), `ALERTS{alertstate="pending",alertname="TektonLeasesUneven"}`, p.begun, time.Now())
	p.must(err)
	if len(all) == 0 {
		p.t.Error("no alert was about to fire, although it was uneven: the rules are not evaluated")
	}
}

// pictured are the panels of the picture in our README.
var pictured = []string{
	"Leases per replica", "Imbalance by queue", "Handovers in flight, by step", "Surplus leases that stay, by reason",
	"Time without a leader in a handover", "Orphaned leases taken over, by cause",
}

// short leaves out of the names of replicas and queues what all have in common.
func short(name string) string {
	if replica, ok := strings.CutPrefix(name, witness.TektonController+"-"); ok {
		return "replica " + replica[strings.LastIndex(replica, "-")+1:]
	}
	return strings.TrimSuffix(strings.TrimPrefix(name, "github.com.tektoncd.pipeline.pkg.reconciler."), ".reconciler-of-08")
}

// picture draws the main panels into the file that PICTURE names.
func (p *scraped) picture() {
	p.t.Helper()
	file := os.Getenv("PICTURE")
	if file == "" {
		return
	}
	panels := map[string]*prometheus.Panel{}
	for _, q := range p.dashboard() {
		if panels[q.Panel] == nil {
			panels[q.Panel] = &prometheus.Panel{Title: q.Panel, Stacked: q.Stacked}
			if q.Unit == "s" {
				panels[q.Panel].Title += ", in seconds"
			}
		}
		for _, line := range p.lines(q) {
			line.Name = short(line.Name)
			if slices.ContainsFunc(line.Points, func(point prometheus.Point) bool { return point.Value > 0 }) {
				panels[q.Panel].Series = append(panels[q.Panel].Series, line)
			}
		}
	}
	for _, title := range pictured {
		if panels[title] == nil {
			p.t.Fatalf("the dashboard has no panel %q, only %v", title, slices.Sorted(maps.Keys(panels)))
		}
	}
	out, err := os.Create(file) //nolint:gosec // the tester names it
	p.must(err)
	defer out.Close()
	shown := make([]prometheus.Panel, 0, len(pictured))
	for _, title := range pictured {
		shown = append(shown, *panels[title])
	}
	p.must(prometheus.Draw(out, "Tekton leases: the main panels of the dashboard, of a real run", shown, p.marks, p.begun, time.Now()))
}
