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
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"
)

// measurement returns the setting of a measurement, and how often it is made:
// once with quick timings, unless the variable TRIALS tells how often; then it is
// made with Tekton's own.
func measurement(t *testing.T) (s setting, trials int) {
	t.Helper()
	text := os.Getenv("TRIALS")
	if text == "" {
		s = quick
		s.buckets = usual.buckets
		return s, 1
	}
	trials, err := strconv.Atoi(text)
	if err != nil || trials < 1 {
		t.Fatalf("TRIALS=%q is no number of trials: want 1 or more", text)
	}
	return usual, trials
}

// timings are those of Tekton's election as an administrator writes them.
func (s setting) timings() string {
	return fmt.Sprintf("%.0f/%.0f/%.0f", s.leaseDuration.Seconds(), s.renewDeadline.Seconds(), s.retryPeriod.Seconds())
}

// durations are what the trials of a measurement took.
type durations []time.Duration

func (d durations) most() time.Duration  { return slices.Max(d) }
func (d durations) least() time.Duration { return slices.Min(d) }

// median is the one in the middle, the greater one of two.
func (d durations) median() time.Duration { return slices.Sorted(slices.Values(d))[len(d)/2] }

// String is how a RESULT line tells them, in seconds.
func (d durations) String() string {
	return fmt.Sprintf("min=%.1f p50=%.1f max=%.1f", d.least().Seconds(), d.median().Seconds(), d.most().Seconds())
}
