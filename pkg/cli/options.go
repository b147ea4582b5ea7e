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
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
)

// The exit statuses. They do not change.
const (
	// ExitOK is also that of "status --exit-code" where all is even.
	ExitOK = 0
	// ExitUneven is that of "status --exit-code" where something is not.
	ExitUneven = 1
	// ExitError is that of everything that could not be done.
	ExitError = 2
)

// errUneven ends "status --exit-code" where something is not even.
var errUneven = errors.New("not even")

// defaultNamespace is where Tekton is installed by default. The namespace of the
// kubeconfig's context is where its user works, which is elsewhere.
const defaultNamespace = "tekton-pipelines"

// Options are what the tool has of its surroundings.
type Options struct {
	genericiooptions.IOStreams
	// Clock tells the time.
	Clock clock.PassiveClock
	// Program is how it was called, by which it names itself.
	Program string
	// Screen is what Out writes to.
	Screen Screen
	// Config, if set, replaces the usual ways to find a cluster.
	Config func() (*rest.Config, error)

	flags *genericclioptions.ConfigFlags
}

// Run runs the tool and returns its exit status.
func Run(ctx context.Context, o Options, args []string) int {
	cmd := NewCommand(o) //nolint:contextcheck // its commands get the context when they are executed
	cmd.SetArgs(args)
	switch err := cmd.ExecuteContext(ctx); {
	case errors.Is(err, errUneven):
		return ExitUneven
	case err != nil:
		_, _ = fmt.Fprintf(o.ErrOut, "Error: %v\n", err)
		return ExitError
	}
	return ExitOK
}

// NewCommand returns the tool with all its commands.
func NewCommand(o Options) *cobra.Command {
	o.flags = genericclioptions.NewConfigFlags(true)
	name := o.name()
	cmd := &cobra.Command{
		Use:   strings.ReplaceAll(name, " ", "-"),
		Short: "See how Tekton's leader-election leases are spread over its replicas",
		Long: "Shows which replica of Tekton's controllers leads which buckets of their queues,\n" +
			"what the leases controller would move, and why it leaves the rest, and pauses it.\n" +
			"Only pause and resume write anything, and the leases controller need not be\n" +
			"installed.",
		Example: o.examples(
			"%s status                          # who leads what",
			"%s status -n openshift-pipelines   # on OpenShift",
			"%s plan                            # what would move, and why the rest stays",
			"%s explain pipelinerun             # one queue, lease by lease",
			"%s watch                           # the same, live",
			"%s record -o leadership.svg        # a picture of the next five minutes",
			"%s status --exit-code              # 0 even, 1 uneven, 2 error",
			"%s pause --for 1h                  # move nothing for an hour",
		),
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: name},
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	o.flags.AddFlags(cmd.PersistentFlags())
	cmd.PersistentFlags().Lookup("namespace").Usage = "The namespace that Tekton's controllers run in (default " + defaultNamespace + ")"
	cmd.SetIn(o.In)
	cmd.SetOut(o.Out)
	cmd.SetErr(o.ErrOut)
	cmd.AddCommand(newStatus(o), newPlan(o), newExplain(o), newWatch(o), newRecord(o), newPause(o), newResume(o), newVersion(o))
	return cmd
}

// name is how the tool is called: a plugin's name has a dash for each space.
func (o Options) name() string {
	base := strings.TrimSuffix(filepath.Base(o.Program), ".exe")
	for _, host := range []string{"tkn", "kubectl"} {
		if rest, plugin := strings.CutPrefix(base, host+"-"); plugin {
			return host + " " + strings.ReplaceAll(rest, "_", "-")
		}
	}
	return "tkn leases"
}

// examples fills the tool's name into lines.
func (o Options) examples(lines ...string) string {
	for i, line := range lines {
		lines[i] = "  " + strings.ReplaceAll(line, "%s", o.name())
	}
	return strings.Join(lines, "\n")
}

// namespace is where to look.
func (o Options) namespace() string {
	if o.flags.Namespace != nil && *o.flags.Namespace != "" {
		return *o.flags.Namespace
	}
	return defaultNamespace
}

// client connects to the cluster.
func (o Options) client() (kubernetes.Interface, error) {
	config := o.Config
	if config == nil {
		config = o.flags.ToRESTConfig
	}
	cfg, err := config()
	if err != nil {
		return nil, fmt.Errorf("failed to find the cluster: %w", err)
	}
	client, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return nil, fmt.Errorf("failed to make a client: %w", err)
	}
	return client, nil
}
