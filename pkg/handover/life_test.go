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
)

// TestWait: when the old holder has surely given up.
func TestWait(t *testing.T) {
	assign := Decision{Action: Assign, Target: target}
	late := func(d time.Duration, seconds ...float64) func(*bench, *Facts) {
		return func(b *bench, f *Facts) {
			alive(seconds...)(b, f)
			f.Lateness = d
		}
	}
	wasLate := func(d time.Duration) func(*bench) {
		return func(b *bench) { held1(b); b.lateness = d }
	}
	seen := func(signs ...Sign) func(*bench, *Facts) { return func(_ *bench, f *Facts) { f.Alive = signs } }
	ahead := func(seconds, by float64) Sign { return Sign{sign(seconds + by).Stamp, at(seconds)} }
	// every is a sign every 10 s from one time until another, and later ones.
	every := func(from, until float64, later ...float64) []float64 {
		var all []float64
		for ; from <= until; from += 10 {
			all = append(all, from)
		}
		return append(all, later...)
	}
	cases := map[string]struct {
		step  func(*bench)
		facts func(*bench, *Facts)
		// over in seconds after the last renewal that was seen, or a millisecond later.
		over float64
	}{
		"awake after the answer, the sleep and the deadline": {facts: alive(every(1, 51)...), over: 52},
		"the last sign has to come":                          {facts: alive(every(1, 41, 50.9)...), over: 92},
		"others do not matter":                               {facts: alive(0.1, 1, 5, 10.1, 11, 21, 31, 41, 50.1, 51), over: 52},
		"a sign that comes before the answer":                {step: wasLate(500 * time.Millisecond), facts: alive(every(0.4, 51)...), over: 92},
		"it stood still when its answer came":                {facts: alive(every(9, 59)...), over: 59},
		"it stood still when it woke up":                     {facts: alive(1, 15, 25, 35, 45, 55), over: 55},
		"it stood still both times":                          {facts: alive(9, 25, 35, 45, 55, 65), over: 65},
		"it stood still when its time was over":              {facts: alive(every(1, 41, 59)...), over: 52}, // which it has seen to
		"it stood still for less than two seconds each time": {facts: alive(1.9, 13.8, 23.8, 33.8, 43.8, 53.8), over: 53.8},
		"it stood still or was cut off all the time":         {over: 92},
		"... and came back":                                  {facts: alive(60, 70, 80), over: 112},
		"... and came back for a moment":                     {facts: alive(1, 60), over: 102},
		"... just after it was taken to have given up":       {facts: alive(1, 91.5), over: 133.5},
		"it was late when its time was over":                 {facts: alive(every(1, 31, 56)...), over: 52},
		"it may have been cut off when its time was over":    {facts: alive(every(1, 31, 56.001)...), over: 92},
		"it was cut off before":                              {facts: alive(every(1, 11, 46, 51)...), over: 52},
		"late before":                                        {step: wasLate(time.Second), facts: alive(every(1, 51)...), over: 53},
		"late before, and its answer as late":                {step: wasLate(2 * time.Second), facts: alive(1, 3, 11, 13, 31, 51, 53), over: 56},
		"late before, without a sign":                        {step: wasLate(time.Second), over: 93},
		"late now":                                           {facts: late(4*time.Second, every(1, 51)...), over: 57},
		"as late now as may be":                              {facts: late(15*time.Second, every(1, 51)...), over: 73.5},
		"silent rather than late":                            {facts: late(15*time.Second+1, every(1, 51)...), over: 52},
		"the API was away since":                             {facts: late(61*time.Second, 1, 11, 72), over: 92},
		"... and when it woke up":                            {facts: late(61*time.Second, 1, 70), over: 112},
		"we saw nothing for long": {
			facts: seen(Sign{sign(1).Stamp, at(70)}, Sign{sign(11).Stamp, at(70)}, Sign{sign(31).Stamp, at(70)}, Sign{sign(51).Stamp, at(70)}), over: 52,
		},
		"its clock was set forward": {
			facts: seen(sign(1), ahead(2, 20), ahead(3, 40), ahead(4, 60)), over: 52,
		},
		"its clock was set forward by an hour": {
			facts: seen(sign(1), ahead(21, 3600), ahead(41, 3600), ahead(61, 3600)), over: 92,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			if tc.step == nil {
				tc.step = held1
			}
			tc.step(b)
			f := b.facts()
			if tc.facts != nil {
				tc.facts(b, &f)
			}
			for _, tries := range []struct {
				at   time.Duration
				over bool
			}{{-time.Millisecond, false}, {0, true}} {
				now := at(tc.over).Add(tries.at)
				if got := b.Next(now, f); (got == assign) != tries.over {
					t.Errorf("at %s: %+v, want over: %v", now.Sub(start), got, tries.over)
				}
			}
		})
	}
}
