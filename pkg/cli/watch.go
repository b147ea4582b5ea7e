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
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/leadership"
)

const (
	// repaint is how often the picture is drawn again.
	repaint = time.Second
	// recent is how many changes are shown below it.
	recent = 8
)

func newWatch(o Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "watch [deployment]...",
		Short: "Show the status live",
		Long: "Shows the status and draws it again as it changes, until it is interrupted. It\n" +
			"goes on when the API server is away for a while. Where the output is no\n" +
			"terminal, it writes the status once and then a line for each lease that changes\n" +
			"hands.",
		Example: o.examples("%s watch"),
	}
	cmd.ValidArgsFunction = (&looker{Options: o}).completeDeployments
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		client, err := o.client()
		if err != nil {
			return err
		}
		c, err := fetch(cmd.Context(), client, o.namespace(), o.Clock.Now())
		if err != nil {
			return err
		}
		w := &watch{Options: o, cluster: c, names: args, journal: newJournal()}
		w.live = follow(cmd.Context(), client, c, o.Clock, w.journal.saw)
		defer w.live.stop()
		w.told = len(w.journal.since(0)) // who held what at the start is no change
		return w.run(cmd.Context())
	}
	return cmd
}

// watch is a status that is kept up to date.
type watch struct {
	Options
	cluster *cluster
	live    *live
	names   []string
	journal *journal
	// told is how many changes were written, or were there from the start.
	told int
}

func (w *watch) run(ctx context.Context) error {
	first := w.told
	if !w.Screen.Live {
		if err := w.write(w.text()); err != nil {
			return err
		}
	}
	ticks := time.NewTicker(repaint)
	defer ticks.Stop()
	for {
		w.journal.expire(w.Clock.Now())
		out := w.lines()
		if w.Screen.Live {
			out = w.picture(first)
		}
		if err := w.write(out); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticks.C:
		}
	}
}

func (w *watch) write(text string) error {
	if _, err := fmt.Fprint(w.Out, text); err != nil {
		return fmt.Errorf("failed to write: %w", err)
	}
	return nil
}

// text is the status now, or why there is none.
func (w *watch) text() string {
	s, err := w.cluster.look(w.names, w.Clock.Now())
	if err != nil {
		return w.Screen.wrap("", err.Error())
	}
	return statusText(w.Screen, s, false)
}

// lines are the changes that were not written yet.
func (w *watch) lines() string {
	var out strings.Builder
	for _, c := range w.journal.since(w.told) {
		out.WriteString(w.line(c) + "\n")
		w.told++
	}
	return out.String()
}

// line tells of a lease that changed hands.
func (w *watch) line(c change) string {
	queue, number := leadership.Queue(c.lease)
	number, _, _ = strings.Cut(number, "-of-")
	return fmt.Sprintf("%s  %s/%s  %s -> %s", c.at.Format(time.TimeOnly), leadership.ShortQueue(queue), number, who(c.from), who(c.to))
}

// who is the holder with an identity, as short as can be.
func who(identity string) string {
	switch {
	case identity == "":
		return "(nobody)"
	case bucket.IsOwn(identity):
		return "(handover)"
	default:
		return tail(leadership.Replica(identity), 1)
	}
}

// picture draws everything again, from the top of the screen. Changes before the
// first one are not told.
func (w *watch) picture(first int) string {
	now := w.Clock.Now()
	var out strings.Builder
	fmt.Fprintf(&out, "%s  every lease of namespace %s, live; end with Ctrl-C\n\n", now.Format(time.TimeOnly), w.cluster.namespace)
	if since, err := w.live.trouble(); err != nil {
		head := fmt.Sprintf("No answer from the API server since %s; this is what it said last: ", now.Sub(since).Round(time.Second))
		out.WriteString(w.Screen.paint(w.Screen.wrap("", head+err.Error()), red) + "\n")
	}
	out.WriteString(w.text())
	if changes := w.journal.since(first); len(changes) > 0 {
		out.WriteString("\n")
		for _, c := range changes[max(0, len(changes)-recent):] {
			out.WriteString(w.line(c) + "\n")
		}
	}
	// Home; each line clears what was behind it, and the last what was below.
	return "\x1b[H" + strings.ReplaceAll(w.Screen.cut(out.String()), "\n", "\x1b[K\n") + "\x1b[J"
}
