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
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tektoncd/leases-controller/pkg/status"
)

// planned is what "plan -o json" prints of a Deployment.
type planned struct {
	Deployment string        `json:"deployment"`
	Moves      []status.Step `json:"moves"`
	Stays      []status.Stay `json:"stays"`
}

func newPlan(o Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plan [deployment]...",
		Short: "Show which leases would move where, and why the rest stays",
		Long: "Shows what the leases controller would do now, as its own code plans it. Nothing\n" +
			"is written.\n\n" +
			"Which leases of a queue move makes no difference to the result: the controller\n" +
			"takes those that were renewed at about the same time, so by the time it begins\n" +
			"they may be others. What it alone remembers, such as leases that it leaves alone\n" +
			"for a while because they came back, is taken from its status, if there is one.",
		Example: o.examples(
			"%s plan",
			"%s plan tekton-events-controller -o yaml",
		),
	}
	f, l := formats(cmd, "json", "yaml"), looks(o, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(); err != nil {
			return err
		}
		s, err := l.look(cmd.Context(), args)
		if err != nil {
			return err
		}
		all := make([]planned, 0, len(s.Deployments))
		for _, d := range s.Deployments {
			all = append(all, planned{Deployment: d.Name, Moves: d.Moves(), Stays: d.Stays()})
		}
		return f.print(o.Out, all, planText(o.Screen, s))
	}
	return cmd
}

// planText is the plan for people.
func planText(screen Screen, s status.Status) string {
	var out strings.Builder
	for _, d := range s.Deployments {
		b := newBoard(screen, s, d, false)
		out.WriteString(b.headline() + b.empty())
		if len(d.Queues) > 0 {
			out.WriteString(b.moves() + b.stays())
		}
		out.WriteString(b.why() + b.unknown())
	}
	return out.String() + controllerLine(screen, s.Controller, s.Namespace)
}

// moves lists what would move.
func (b board) moves() string {
	steps := b.Moves()
	if len(steps) == 0 {
		return "Nothing moves now.\n\n"
	}
	g := grid{heads("MOVES IN QUEUE", "LEASES", "FROM", "TO", "BUCKETS")}
	for _, s := range steps {
		g = append(g, append(b.step(s), cell{text: strings.Join(s.Buckets, " ")}))
	}
	return g.render(b.Screen) + "\n"
}

// stays lists what should move, and does not.
func (b board) stays() string {
	stays := b.Stays()
	if len(stays) == 0 {
		return ""
	}
	g := grid{heads("STAYS IN QUEUE", "LEASES", "WITH", "NOT TO", "REASON")}
	for _, s := range stays {
		g = append(g, append(b.step(s.Step), cell{text: string(s.Reason), as: yellow}))
	}
	return g.render(b.Screen) + "\n"
}

func (b board) step(s status.Step) []cell {
	return []cell{
		{text: s.Queue},
		{text: fmt.Sprint(len(s.Buckets)), right: true},
		{text: named(b.short, s.From)},
		{text: named(b.short, s.To)},
	}
}
