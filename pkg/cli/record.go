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
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/leadership"
	"github.com/tektoncd/leases-controller/pkg/status"
)

// subtitle says what the picture is made of: it is not what the electors log.
const subtitle = "Holders as the leases name them. White: nobody, or a handover, at whose beginning the old leader still leads."

func newRecord(o Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "record [deployment]...",
		Short: "Record who holds which lease, and draw it",
		Long: "Watches the leases for a while and draws who held each of them: as a picture\n" +
			"(.svg), or as a page with the numbers (.html). Both show the times of a bar under\n" +
			"the pointer. An interrupt ends the recording early; what was recorded is drawn.",
		Example: o.examples("%s record -o leadership.svg --for 5m", "%s record -o leadership.html --for 1h"),
		Args:    cobra.ArbitraryArgs,
	}
	file := cmd.Flags().StringP("output", "o", "leadership.svg", "The file to write, .svg or .html")
	length := cmd.Flags().Duration("for", 5*time.Minute, "How long to record")
	cmd.ValidArgsFunction = (&looker{Options: o}).completeDeployments
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		draw := map[string]func(leadership.Timeline, leadership.Picture) ([]byte, error){".svg": svg, ".html": page}[filepath.Ext(*file)]
		if draw == nil {
			return fmt.Errorf("%s is neither .svg nor .html", *file)
		}
		if err := leadership.CheckFile(*file); err != nil {
			return fmt.Errorf("%s cannot be written: %w", *file, err)
		}
		r := recording{Options: o, names: args}
		got, err := r.run(cmd.Context(), *length)
		if err != nil {
			return err
		}
		raw, err := draw(got.timeline, got.picture)
		if err != nil {
			return err
		}
		if err := os.WriteFile(*file, raw, 0o644); err != nil { //nolint:gosec // a picture is for everybody
			return fmt.Errorf("failed to write the picture: %w", err)
		}
		_, err = fmt.Fprintf(o.Out, "Recorded %s: %s, %d changed hands, longest time without a holder %s. Written to %s.\n",
			got.timeline.Until.Sub(got.picture.From).Round(time.Second), plural(len(got.timeline.Buckets), "lease"), got.moved,
			got.timeline.Stats(got.picture.From).LongestGap.Round(100*time.Millisecond), *file)
		return err
	}
	return cmd
}

// recording records the leases of some Deployments.
type recording struct {
	Options
	names []string
}

// recorded is what came of it.
type recorded struct {
	timeline leadership.Timeline
	picture  leadership.Picture
	// moved counts the leases that changed hands.
	moved int
}

func (r recording) run(ctx context.Context, length time.Duration) (*recorded, error) {
	client, err := r.client()
	if err != nil {
		return nil, err
	}
	began := r.Clock.Now()
	c, err := fetch(ctx, client, r.namespace(), began)
	if err != nil {
		return nil, err
	}
	before, err := c.look(r.names, began)
	if err != nil {
		return nil, err
	}
	journal := newJournal()
	live := follow(ctx, client, c, r.Clock, journal.saw)
	defer live.stop()
	if err := r.wait(ctx, journal, length); err != nil && !errors.Is(err, context.Canceled) {
		return nil, err
	}
	ended := r.Clock.Now()
	after, err := c.look(r.names, ended)
	if err != nil {
		after = before // what was recorded is worth drawing whatever became of it
	}
	queues := groups(before, after)
	chosen := func(lease string) bool {
		group, _, err := bucket.Parse(lease)
		return err == nil && queues[group.String()]
	}
	title := "Leases of " + strings.Join(names(before), ", ") + " in " + c.namespace
	picture := leadership.Picture{Title: title, Subtitle: subtitle, From: began}
	return &recorded{journal.timeline(ended, chosen), picture, journal.moved(chosen)}, nil
}

// wait lets the time pass, and looks for leases that are not renewed.
func (r recording) wait(ctx context.Context, j *journal, length time.Duration) error {
	for end := r.Clock.Now().Add(length); ; {
		now := r.Clock.Now()
		j.expire(now)
		if !now.Before(end) {
			return nil
		}
		if err := sleep(ctx, min(time.Second, end.Sub(now))); err != nil {
			return err
		}
	}
}

// groups are the queues of what was looked at.
func groups(looks ...status.Status) map[string]bool {
	all := map[string]bool{}
	for _, s := range looks {
		for _, d := range s.Deployments {
			for _, q := range d.Queues {
				all[q.Group] = true
			}
		}
	}
	return all
}

func names(s status.Status) []string {
	all := make([]string, 0, len(s.Deployments))
	for _, d := range s.Deployments {
		all = append(all, d.Name)
	}
	return all
}

func svg(timeline leadership.Timeline, picture leadership.Picture) ([]byte, error) {
	var out bytes.Buffer
	err := leadership.WriteSVG(&out, timeline, picture)
	return out.Bytes(), err
}
