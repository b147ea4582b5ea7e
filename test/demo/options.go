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

package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tektoncd/leases-controller/pkg/leadership"
)

//go:embed usage.txt
var usage string

// timings are what the leader election of Tekton's controllers uses.
type timings struct {
	leaseDuration, renewDeadline, retryPeriod time.Duration
}

var allTimings = map[string]timings{
	"default": {60 * time.Second, 40 * time.Second, 10 * time.Second},
	"fast":    {15 * time.Second, 10 * time.Second, 2 * time.Second},
}

var strategies = []string{"handover", "delete"}

const (
	minReplicas, maxReplicas = 2, 8
	minBuckets, maxBuckets   = 1, 10
)

// options are the command line.
type options struct {
	timings            timings
	replicas, buckets  int
	strategy, out      string
	keep, validateOnly bool
}

// errHelp says that the text of usage was asked for.
var errHelp = errors.New("help requested")

func parseOptions(args []string) (options, error) {
	var o options
	var timing string
	flags := flag.NewFlagSet("demo", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&timing, "timings", "default", "")
	flags.IntVar(&o.replicas, "replicas", 2, "")
	flags.IntVar(&o.buckets, "buckets", 10, "")
	flags.StringVar(&o.strategy, "strategy", "handover", "")
	flags.BoolVar(&o.keep, "keep", false, "")
	flags.StringVar(&o.out, "out", "leadership.svg", "")
	// For hack/demo.sh: what is wrong is told before the long build.
	flags.BoolVar(&o.validateOnly, "validate-only", false, "")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return o, errHelp
	} else if err != nil {
		return o, fmt.Errorf("%w; legal options: %s", err, strings.Join(names(flags), " "))
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q; legal options: %s", flags.Arg(0), strings.Join(names(flags), " "))
	}
	var ok bool
	if o.timings, ok = allTimings[timing]; !ok {
		return o, fmt.Errorf("--timings is %q; legal values: %s", timing, strings.Join(slices.Sorted(maps.Keys(allTimings)), ", "))
	}
	return o, o.validate()
}

func (o options) validate() error {
	switch {
	case !slices.Contains(strategies, o.strategy):
		return fmt.Errorf("--strategy is %q; legal values: %s", o.strategy, strings.Join(strategies, ", "))
	case o.replicas < minReplicas || o.replicas > maxReplicas:
		return fmt.Errorf("--replicas is %d; legal values: %d to %d", o.replicas, minReplicas, maxReplicas)
	case o.buckets < minBuckets || o.buckets > maxBuckets:
		return fmt.Errorf("--buckets is %d; legal values: %d to %d", o.buckets, minBuckets, maxBuckets)
	case o.out == "":
		return errors.New("--out is empty; it must be the name of a file")
	}
	if err := leadership.CheckFile(o.out); err != nil {
		return fmt.Errorf("--out is %q, which cannot be written: %w", o.out, err)
	}
	return nil
}

// names returns the options that usage.txt tells of.
func names(flags *flag.FlagSet) []string {
	var names []string
	flags.VisitAll(func(f *flag.Flag) {
		if f.Name != "validate-only" {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}
