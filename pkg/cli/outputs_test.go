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
	"errors"
	"net/http"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestStatus and TestPlan hold every situation's output.
func TestStatus(t *testing.T) { outputs(t, "status") }

func TestPlan(t *testing.T) { outputs(t, "plan") }

func outputs(t *testing.T, args ...string) {
	for name, tc := range situations {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, narrow, tc.replicas...)
			if tc.set != nil {
				tc.set(s)
			}
			want := ExitOK
			if tc.failed {
				want = ExitError
			}
			s.run(t.Context(), want, args...)
			golden(t, s.out.String()+s.errOut.String())
			fits(t, narrow, s.out.String())
		})
	}
}

func TestStatusOutputs(t *testing.T) {
	cases := map[string]struct {
		screen Screen
		args   []string
		of     string
	}{
		"140 columns":           {screen: broad, of: "many queues"},
		"140 columns wide":      {screen: broad, of: "three replicas", args: []string{"-o", "wide"}},
		"wide":                  {screen: narrow, of: "one has all", args: []string{"-o", "wide"}},
		"no UTF-8":              {screen: ascii, of: "in handover"},
		"colour":                {screen: tty, of: "in handover"},
		"json":                  {screen: tty, of: "in handover", args: []string{"-o", "json"}},
		"yaml":                  {screen: tty, of: "fresh", args: []string{"-o", "yaml"}},
		"40 columns":            {screen: Screen{Width: 40}, of: "one has all"},
		"another one":           {screen: narrow, of: "one has all", args: []string{controllerName}},
		"all queues in numbers": {screen: Screen{Width: 72}, of: "three replicas"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, tc.screen, situations[tc.of].replicas...)
			situations[tc.of].set(s)
			s.installed()
			s.run(t.Context(), ExitOK, append([]string{"status"}, tc.args...)...)
			golden(t, s.out.String()+s.errOut.String())
			if len(tc.args) == 0 && !tc.screen.Colour && tc.screen.Width > len("Deployment : uneven"+deployment) {
				fits(t, tc.screen, s.out.String())
			}
		})
	}
}

func TestPlanOutputs(t *testing.T) {
	for _, format := range []string{"json", "yaml"} {
		t.Run(format, func(t *testing.T) {
			s := newScene(t, tty, two...)
			situations["fresh"].set(s)
			s.pod(s.make("m4v8d").Ready(there.Add(-7200e9)).Obj())
			s.run(t.Context(), ExitOK, "plan", "-o", format)
			golden(t, s.out.String()+s.errOut.String())
		})
	}
}

func TestExplain(t *testing.T) {
	cases := map[string]struct {
		of   string
		args []string
		want int
	}{
		"a queue":                   {of: "three replicas", args: []string{"taskrun"}},
		"a queue by its prefix":     {of: "one has all", args: []string{prefix + "taskrun.reconciler"}},
		"a queue by its group":      {of: "one has all", args: []string{prefix + "taskrun.reconciler-of-10"}},
		"a queue in handover":       {of: "in handover", args: []string{"taskrun"}},
		"a lease that moves":        {of: "one has all", args: []string{"taskrun/07"}},
		"a lease that stays":        {of: "fresh", args: []string{"pipelinerun/02"}},
		"a lease with its share":    {of: "even", args: []string{"pipelinerun/02"}},
		"a lease by its name":       {of: "even", args: []string{prefix + "pipelinerun.reconciler.02-of-10"}},
		"a lease in handover":       {of: "in handover", args: []string{"taskrun/03"}},
		"a lease of a version":      {of: "held by another version", args: []string{"taskrun/03"}},
		"a lease that nobody has":   {of: "nobody has some", args: []string{"taskrun/00"}},
		"a lease of an unknown":     {of: "nobody has some", args: []string{"pipelinerun/01"}},
		"a queue with some problem": {of: "nobody has some", args: []string{"pipelinerun"}},
		"json":                      {of: "three replicas", args: []string{"taskrun/09", "-o", "json"}},
		"yaml":                      {of: "three replicas", args: []string{"taskrun/00", "-o", "yaml"}},
		"what is not there":         {of: "even", args: []string{"customrun"}, want: ExitError},
		"another Deployment":        {of: "even", args: []string{"x", "--deployment", "another-controller"}, want: ExitError},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, narrow, situations[tc.of].replicas...)
			situations[tc.of].set(s)
			s.run(t.Context(), tc.want, append([]string{"explain"}, tc.args...)...)
			golden(t, s.out.String()+s.errOut.String())
		})
	}
}

func TestExitCode(t *testing.T) {
	for name, tc := range situations {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, narrow, tc.replicas...)
			if tc.set != nil {
				tc.set(s)
			}
			want := ExitUneven
			switch {
			case tc.failed:
				want = ExitError
			case tc.even:
				want = ExitOK
			}
			s.run(t.Context(), want, "status", "--exit-code", "-o", "json")
		})
	}
}

// TestFaults: whatever fails is exit status 2 and one line, and the tool never
// shows half of a cluster as the whole.
func TestFaults(t *testing.T) {
	forbidden := func(resource string) error {
		return apierrors.NewForbidden(schema.GroupResource{Resource: resource}, "", errors.New("not for you"))
	}
	cases := map[string]struct {
		args  []string
		fault string // the resource whose calls fail
		want  string
	}{
		"no leases allowed":      {args: []string{"status"}, fault: "leases", want: "failed to list the leases of namespace tekton-pipelines"},
		"no pods allowed":        {args: []string{"plan"}, fault: "pods", want: "failed to list the pods"},
		"no Deployments allowed": {args: []string{"explain", "taskrun"}, fault: "deployments", want: "failed to list the Deployments"},
		"no ReplicaSets allowed": {args: []string{"status", "-o", "json"}, fault: "replicasets", want: "failed to list the ReplicaSets"},
		"no ConfigMaps allowed":  {args: []string{"watch"}, fault: "configmaps", want: "failed to list the ConfigMaps"},
		"nothing to record":      {args: []string{"record"}, fault: "leases", want: "failed to list the leases"},
		"unknown format":         {args: []string{"status", "-o", "xml"}, want: `output format "xml" is not known, want one of json, yaml, wide`},
		"unknown picture":        {args: []string{"record", "-o", "a.png"}, want: "a.png is neither .svg nor .html"},
		"unknown command":        {args: []string{"move"}, want: `unknown command "move" for "tkn leases"`},
		"unknown flag":           {args: []string{"plan", "--now"}, want: "unknown flag: --now"},
		"another namespace":      {args: []string{"status", "-n", "elsewhere"}, want: "no Deployment tekton-pipelines-controller in namespace elsewhere"},
		"no argument":            {args: []string{"explain"}, want: "accepts 1 arg(s), received 0"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, narrow, two...)
			s.spreadAll("x7k2p", 10)
			s.client = s.api.NewClient("tkn", leasestesting.ClientOptions{Fault: func(r leasestesting.Request) leasestesting.Fault {
				if r.Resource == tc.fault {
					return leasestesting.Fault{Err: forbidden(r.Resource)}
				}
				return leasestesting.Fault{}
			}})
			s.run(t.Context(), ExitError, tc.args...)
			got := s.errOut.String()
			if !strings.HasPrefix(got, "Error: ") || !strings.Contains(got, tc.want) || strings.Count(got, "\n") != 1 {
				t.Errorf("stderr %q, want one line with %q", got, tc.want)
			}
			if s.out.Len() > 0 {
				t.Errorf("stdout %q, want nothing", s.out.String())
			}
		})
	}
}

// TestReadsOnly: no command writes anything.
func TestReadsOnly(t *testing.T) {
	for _, args := range [][]string{{"status"}, {"plan"}, {"explain", "taskrun"}, {"version"}} {
		t.Run(args[0], func(t *testing.T) {
			s := newScene(t, narrow, two...)
			s.spreadAll("x7k2p", 10)
			s.api.Observe(func(o leasestesting.Observation) {
				if o.Verb != "list" || o.Code != http.StatusOK {
					t.Errorf("%s %s %d, want nothing but lists", o.Verb, o.Resource, o.Code)
				}
			})
			s.run(t.Context(), ExitOK, args...)
		})
	}
}
