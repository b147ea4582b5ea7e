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

package handover

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// durations are all that follows from a timing.
type durations struct {
	GiveUp, Hold, Extend, ExtendBefore, Assign, Confirm, Open, LateLimit time.Duration
}

func TestTiming(t *testing.T) {
	cases := map[string]struct {
		timing Timing
		want   durations
	}{
		"Tekton's defaults": {
			timing: defaults,
			want: durations{
				GiveUp: 50 * time.Second, Hold: 52 * time.Second, Extend: 12 * time.Second, ExtendBefore: 6 * time.Second,
				Assign: 23 * time.Second, Confirm: 24 * time.Second, Open: 88 * time.Second, LateLimit: 15 * time.Second,
			},
		},
		"fast": {
			timing: Timing{RetryPeriod: 2 * time.Second, RenewDeadline: 10 * time.Second},
			want: durations{
				GiveUp: 12 * time.Second, Hold: 14 * time.Second, Extend: 4 * time.Second, ExtendBefore: 2 * time.Second,
				Assign: 6 * time.Second, Confirm: 6400 * time.Millisecond, Open: 17600 * time.Millisecond,
				LateLimit: 3750 * time.Millisecond,
			},
		},
		"no whole seconds: each lease duration is rounded up": {
			timing: Timing{RetryPeriod: 2500 * time.Millisecond, RenewDeadline: 10100 * time.Millisecond},
			want: durations{
				GiveUp: 12600 * time.Millisecond, Hold: 15 * time.Second, Extend: 5 * time.Second,
				ExtendBefore: 2500 * time.Millisecond, Assign: 7 * time.Second, Confirm: 7500 * time.Millisecond,
				Open: 22 * time.Second, LateLimit: 3787500 * time.Microsecond,
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := durations{
				GiveUp: tc.timing.GiveUp(), Hold: tc.timing.holdFor(tc.timing.Margin(0)), Extend: tc.timing.extendFor(),
				ExtendBefore: tc.timing.extendBefore(), Assign: tc.timing.assignFor(), Confirm: tc.timing.confirmWithin(),
				Open: tc.timing.openFor(), LateLimit: tc.timing.LateLimit(),
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("durations (-want, +got):\n%s", diff)
			}
		})
	}
}

func TestMargin(t *testing.T) {
	cases := map[string]struct{ least, lateness, want time.Duration }{
		"never late":                    {lateness: 0, want: 2 * time.Second},
		"late by less than it covers":   {lateness: 600 * time.Millisecond, want: 2 * time.Second},
		"late by more than it covers":   {lateness: 700 * time.Millisecond, want: 2100 * time.Millisecond},
		"late as a starved client is":   {lateness: 11 * time.Second, want: 33 * time.Second},
		"as late as may still be moved": {lateness: defaults.LateLimit(), want: 45 * time.Second},
		"made longer":                   {least: 20 * time.Second, want: 20 * time.Second},
		"late by more than is set":      {least: 5 * time.Second, lateness: 3 * time.Second, want: 9 * time.Second},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := (Timing{LeastMargin: tc.least}).Margin(tc.lateness); got != tc.want {
				t.Errorf("margin %s, want %s", got, tc.want)
			}
		})
	}
}

// TestDurationsCoverWaits: with any timing that client-go accepts nobody may
// acquire a lease while its old holder, or its target, may still come.
func TestDurationsCoverWaits(t *testing.T) {
	for retry := 100 * time.Millisecond; retry < 30*time.Second; retry += 700 * time.Millisecond {
		for _, factor := range []float64{1.21, 2, 4, 9.7} {
			timing := Timing{RetryPeriod: retry, RenewDeadline: time.Duration(factor * float64(retry))}
			for _, lateness := range []time.Duration{0, 900 * time.Millisecond, 11 * time.Second} {
				margin := timing.Margin(lateness)
				if hold, wait := timing.holdFor(margin), timing.GiveUp()+margin; hold < wait || hold > wait+time.Second {
					t.Errorf("%+v, margin %s: the hold lasts %s, want %s and less than 1s more", timing, margin, hold, wait)
				}
			}
			if assign, try := timing.assignFor(), timing.tryPeriod(); assign < try+time.Second {
				t.Errorf("%+v: the assigned lease lasts %s, want 1s more than a candidate's pause of %s", timing, assign, try)
			}
			if timing.extendBefore() >= timing.extendFor() {
				t.Errorf("%+v: an extended hold of %s is extended %s before its end", timing, timing.extendFor(), timing.extendBefore())
			}
			if timing.assignFor()%time.Second != 0 || timing.extendFor()%time.Second != 0 {
				t.Errorf("%+v: durations of leases must be whole seconds", timing)
			}
		}
	}
}
