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
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/tektoncd/leases-controller/pkg/status"
)

// format is how a command prints: as text, or as one of the formats of -o.
type format struct {
	name  string
	legal []string
}

// formats adds the flag -o with the formats that are legal.
func formats(cmd *cobra.Command, legal ...string) *format {
	f := &format{legal: legal}
	cmd.Flags().StringVarP(&f.name, "output", "o", "", "Output format: "+strings.Join(legal, ", "))
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(legal, cobra.ShellCompDirectiveNoFileComp))
	return f
}

// check refuses a format that there is not.
func (f *format) check() error {
	if f.name != "" && !slices.Contains(f.legal, f.name) {
		return fmt.Errorf("output format %q is not known, want one of %s", f.name, strings.Join(f.legal, ", "))
	}
	return nil
}

// print prints data in the format, or else as text.
func (f *format) print(out io.Writer, data any, text string) error {
	var raw []byte
	var err error
	switch f.name {
	case "json":
		raw, err = json.MarshalIndent(data, "", "  ")
		raw = append(raw, '\n')
	case "yaml":
		raw, err = yaml.Marshal(data)
	default:
		raw = []byte(text)
	}
	if err == nil {
		_, err = out.Write(raw)
	}
	if err != nil {
		return fmt.Errorf("failed to print: %w", err)
	}
	return nil
}

// looker is what the commands that look once have in common.
type looker struct {
	Options
	observe time.Duration
}

// looks adds the flags of a command that looks once.
func looks(o Options, cmd *cobra.Command) *looker {
	l := &looker{Options: o}
	cmd.Flags().DurationVar(&l.observe, "observe", 0, "Watch the leases for so long first: after 1m it is known how late their holders renew")
	cmd.ValidArgsFunction = l.completeDeployments
	return l
}

// cluster looks at the namespace, for as long as it was told to.
func (l *looker) cluster(ctx context.Context) (*cluster, error) {
	client, err := l.client()
	if err != nil {
		return nil, err
	}
	c, err := fetch(ctx, client, l.namespace(), l.Clock.Now())
	if err != nil || l.observe <= 0 {
		return c, err
	}
	live := follow(ctx, client, c, l.Clock, nil)
	defer live.stop()
	return c, sleep(ctx, l.observe)
}

// look is the status of the Deployments named.
func (l *looker) look(ctx context.Context, names []string) (status.Status, error) {
	c, err := l.cluster(ctx)
	if err != nil {
		return status.Status{}, err
	}
	return c.look(names, l.Clock.Now())
}

// sleep waits, unless the context ends before.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
