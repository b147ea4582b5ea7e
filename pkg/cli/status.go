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
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tektoncd/leases-controller/pkg/status"
)

func newStatus(o Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "status [deployment]...",
		Short: "Show which replica leads how many leases of which queue",
		Long: "Shows the replicas of a Deployment and how many leases of each queue they lead.\n" +
			"Without a name it shows the Deployments that the leases controller is told to\n" +
			"balance.",
		Example: o.examples(
			"%s status",
			"%s status tekton-events-controller",
			"%s status -o wide --observe 1m   # with how late the replicas renew",
			"%s status --exit-code            # 0 even, 1 uneven, 2 error",
		),
	}
	exitCode := cmd.Flags().Bool("exit-code", false, "Exit with 1 if something is not even; errors exit with 2 in any case")
	f, l := formats(cmd, "json", "yaml", "wide"), looks(o, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(); err != nil {
			return err
		}
		s, err := l.look(cmd.Context(), args)
		if err != nil {
			return err
		}
		if err := f.print(o.Out, s, statusText(o.Screen, s, f.name == "wide")); err != nil {
			return err
		}
		if *exitCode && slices.ContainsFunc(s.Deployments, func(d status.Deployment) bool { return !d.Even }) {
			return errUneven
		}
		return nil
	}
	return cmd
}

// statusText is the status for people.
func statusText(screen Screen, s status.Status, wide bool) string {
	var out strings.Builder
	for _, d := range s.Deployments {
		b := newBoard(screen, s, d, wide)
		out.WriteString(b.headline() + b.empty())
		if len(d.Queues) > 0 {
			out.WriteString(b.table() + "\n")
		}
		out.WriteString(b.why() + b.unknown() + b.advice())
	}
	return out.String() + controllerLine(screen, s.Controller, s.Namespace)
}
