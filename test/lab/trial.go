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

package lab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tektoncd/leases-controller/pkg/observe"
	"github.com/tektoncd/leases-controller/test/lab/record"
)

const (
	// window is how long a replica has to be Ready before it counts, by default.
	window = 30 * time.Second
	// minMargin is what a handover adds to its wait at the least.
	minMargin = 2 * time.Second
)

// trial is a run whose figures go into the table.
type trial struct {
	*Lab
	setting record.Setting

	// out is what the trial yields.
	out record.Record
	// lease, deadline and retry are the timings of the electors.
	lease, deadline, retry time.Duration
	// doublings is how often what happens in the scenario doubles the window in which a replica is on probation.
	doublings int
	// ours starts our controller.
	ours func()
	// gapLimit is how long a handover may leave a bucket without a leader.
	gapLimit time.Duration
	// patience is how long to wait for an even spread.
	patience time.Duration
	// before is who led each bucket when the spread had become uneven, moved which of them have got another leader.
	before map[string]string
	moved  map[string]bool
}

// Trial carries out a run and returns its figures. The test fails only if the run cannot be carried out: promises that
// are not kept are in the record. With show, what happened is logged.
func Trial(t *testing.T, setting record.Setting, show bool) record.Record {
	t.Helper()
	scenario := scenarios[setting.Scenario]
	if scenario == nil {
		t.Fatalf("no scenario %q; there are %q", setting.Scenario, record.Scenarios)
	}
	tr, err := newTrial(setting)
	if err != nil {
		t.Fatal(err)
	}
	tr.carryOut(t, scenario)
	if show {
		t.Logf("%s:\n%s", setting, shorten.Replace(strings.Join(tr.trace, "\n")))
	}
	return tr.out
}

func newTrial(setting record.Setting) (*trial, error) {
	t := &trial{setting: setting, out: record.Record{Setting: setting}, moved: map[string]bool{}}
	var lease, deadline, retry int
	if _, err := fmt.Sscanf(setting.Timings, "%d/%d/%d", &lease, &deadline, &retry); err != nil {
		return nil, fmt.Errorf("failed to read the timings %q: %w", setting.Timings, err)
	}
	t.lease, t.deadline, t.retry = seconds(lease), seconds(deadline), seconds(retry)
	t.gapLimit = t.clean()
	// The longest probation, and as many rounds as chance may take where many replicas are new.
	t.patience = 10*time.Minute + 30*t.lease
	t.ours = func() { t.StartController() }
	return t, nil
}

func (t *trial) carryOut(test *testing.T, scenario func(*trial)) {
	test.Helper()
	Run(test, t.options(), func(l *Lab) {
		t.Lab = l
		scenario(t)
		t.measure()
	})
}

func (t *trial) options() Options {
	opts := Options{
		Seed: t.setting.Seed,
		Election: map[string]string{
			"buckets":        strconv.Itoa(t.setting.Buckets),
			"lease-duration": t.lease.String(), "renew-deadline": t.deadline.String(), "retry-period": t.retry.String(),
		},
		Tolerate: invariants, // the record tells of what counts
	}
	if t.setting.Strategy != record.None {
		opts.Ours = map[string]string{"strategy": t.setting.Strategy}
	}
	return opts
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }

// clean is the longest gap of a handover in which nothing goes wrong: its holder gives up a retry period before the wait
// is over at the earliest, and its target tries for the last time 2.2 retry periods later. 2 s are for all that takes
// time: 36 s with Tekton's timings.
func (t *trial) clean() time.Duration {
	return minMargin + t.retry + t.tries() + 2*time.Second
}

// trouble is the longest gap of a handover in which we crash, or in which the holder or the API server is in trouble:
// 67 s with Tekton's timings.
func (t *trial) trouble() time.Duration {
	return t.deadline + minMargin + t.tries() + 3*time.Second
}

// tries is the longest pause between two tries of a candidate.
func (t *trial) tries() time.Duration { return t.retry * 22 / 10 }

// us starts our controller, if this trial has one.
func (t *trial) us() {
	if t.setting.Strategy != record.None {
		t.ours()
	}
}

// draw returns a time in the range, which depends on the seed and on what it is for.
func (t *trial) draw(low, high time.Duration, what string) time.Duration {
	return t.dice.between(low, high, "trial", what)
}

// pick returns a number in [0, n).
func (t *trial) pick(n int, what string) int { return int(t.dice.roll(int64(n), "trial", what)) }

// uneven notes that the scenario has made the spread as it is: from here on the moves count.
func (t *trial) uneven() {
	t.T.Helper()
	if !t.until(3*t.lease, t.led) {
		t.broken("no leader for each bucket within %v; spread %s", 3*t.lease, t.Lab)
	}
	t.before = t.Leaders()
	t.out.Needed += t.Optimum()
}

// settle waits until the spread is even, and notes how long that took. Without our controller it only waits for what
// the electors do by themselves.
func (t *trial) settle() {
	t.T.Helper()
	allowed, limit := t.allowed(), t.patience
	needed := !t.even()
	if t.setting.Strategy == record.None {
		limit = 2 * t.lease
	}
	even := t.until(limit, t.even)
	switch {
	case even && needed:
		t.out.Settle = append(t.out.Settle, max(0, t.Ledger.Last().Sub(allowed).Seconds()))
	case !even:
		t.out.Unsettled++
		if t.setting.Strategy == record.Handover && !t.said() {
			t.broken("spread not even within %v: %s", limit, t.Lab)
		}
	}
	for bucket, leader := range t.Leaders() {
		if t.before[bucket] != leader {
			t.moved[bucket] = true
		}
	}
}

// said tells whether our controller said that it tries on more seldom, because a lease came back too often or because
// chance brought none to where one is wanted.
func (t *trial) said() bool {
	return slices.ContainsFunc(t.Events(), func(e string) bool {
		return strings.Contains(e, " RebalanceMuted: ") || strings.Contains(e, " RebalanceUnlucky: ")
	})
}

// even reports whether nothing is left to be moved. A queue with one bucket is never balanced, though that may leave a
// replica with more leases than another.
func (t *trial) even() bool {
	return t.Even() || t.setting.Buckets == 1 && t.led()
}

// allowed is the moment from which on leases may be moved: every replica has been Ready for the window, and our
// controller has seen enough renewals.
func (t *trial) allowed() time.Time {
	at := time.Now()
	for _, r := range t.Replicas() {
		at = latest(at, r.readyAt.Add(window<<t.doublings))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.running {
		at = latest(at, c.startedAt.Add((observe.MinRenewals+1)*t.retry))
	}
	return at
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// until waits for a condition, and reports whether it came true within the limit.
func (t *trial) until(limit time.Duration, is func() bool) bool {
	start := time.Now()
	for !is() {
		if time.Since(start) > limit {
			return false
		}
		time.Sleep(500 * time.Millisecond)
	}
	return true
}

func (t *trial) broken(format string, args ...any) {
	t.out.Broken = append(t.out.Broken, fmt.Sprintf("at %v: ", t.Now())+fmt.Sprintf(format, args...))
}

// measure takes the figures of the run so far.
func (t *trial) measure() {
	for _, gap := range t.Ledger.Gaps(t.began) {
		s := gap.Length().Seconds()
		if !t.Writes.lastOurs(gap.Bucket, gap.From) {
			t.out.OtherGaps = append(t.out.OtherGaps, s)
			continue
		}
		t.out.Gaps = append(t.out.Gaps, s)
		if gap.Length() > t.gapLimit {
			t.broken("nobody led %s for %v from %v on, want %v at the most", gap.Bucket, gap.Length(), gap.From.Sub(t.began), t.gapLimit)
		}
	}
	two := map[string]float64{}
	for _, o := range t.Ledger.Overlaps(t.began) {
		two[o.Bucket] += t.shared(o).Seconds()
		t.out.MostTwoLeaders = max(t.out.MostTwoLeaders, two[o.Bucket])
	}
	for _, bucket := range t.Ledger.Buckets() {
		if t.moved[bucket] {
			t.out.TwoLeaders = append(t.out.TwoLeaders, two[bucket])
		}
	}
	for _, w := range t.Writes.All() {
		t.out.Writes++
		if w.taken() && w.Led {
			t.out.Handovers++
		}
	}
	for _, v := range t.Violations() {
		if t.promised(v.Invariant) {
			t.broken("invariant %q broken at %v: %s", v.Invariant, v.At, v.Detail)
		}
	}
}

// promised tells whether design.md promises the invariant for the strategy. What chance adds to the moves is measured.
func (t *trial) promised(invariant string) bool {
	switch invariant {
	case FewMoves:
		return false
	case OneLeader:
		return t.setting.Strategy == record.Handover
	default:
		return t.setting.Strategy != record.None
	}
}

// shared is for how long two of the leaders led that had not been asked to stop.
func (t *trial) shared(o Interval) time.Duration {
	ends := make([]time.Time, 0, len(o.Leaders))
	for _, name := range o.Leaders {
		end := o.To
		if stop := t.processes[name].stopAt(); !stop.IsZero() && stop.Before(end) {
			end = stop
		}
		ends = append(ends, end)
	}
	slices.SortFunc(ends, time.Time.Compare)
	return max(0, ends[len(ends)-2].Sub(o.From))
}
