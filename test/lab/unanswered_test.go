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
	"testing"
	"time"
)

// twoLeaders sums up how many buckets had two leaders in some runs, and for how long at the most.
type twoLeaders struct {
	buckets int
	longest time.Duration
}

// TestUnansweredIsNoWorseWithUs has everybody's calls, or answers, get lost. That makes two leaders by itself (see
// unanswered): the same seeds with and without us tell whether we make more of them, or have them last longer.
func TestUnansweredIsNoWorseWithUs(t *testing.T) {
	troubles := map[string]struct {
		Disturbance
		lasts time.Duration
	}{
		"silent for a minute":      {Silent(), time.Minute},
		"silent for five minutes":  {Silent(), 5 * time.Minute},
		"lossy for five minutes":   {Lossy(0.3), 5 * time.Minute},
		"silent for half a minute": {Silent(), 30 * time.Second},
	}
	for name, trouble := range troubles {
		t.Run(name, func(t *testing.T) {
			without := unansweredRuns(t, false, trouble.Disturbance, trouble.lasts)
			with := unansweredRuns(t, true, trouble.Disturbance, trouble.lasts)
			t.Logf("two leaders without us %+v, with us %+v", without, with)
			// The runs do not have the same phases: a bucket in five, and a retry period, may be chance.
			const runs, leases, chance = 4, 30, 5
			if with.buckets > without.buckets+runs*leases/chance/2 || with.longest > without.longest+10*time.Second {
				t.Errorf("two leaders without us %+v, with us %+v", without, with)
			}
		})
	}
}

// unansweredRuns makes the runs of TestUnansweredIsNoWorseWithUs. With us the trouble begins while we hold each surplus
// lease.
func unansweredRuns(t *testing.T, ours bool, trouble Disturbance, lasts time.Duration) twoLeaders {
	var sum twoLeaders
	for seed := *firstSeed; seed < *firstSeed+4; seed++ {
		t.Run(fmt.Sprintf("ours=%v seed=%d", ours, seed), func(t *testing.T) {
			Run(t, Options{Seed: seed, Tolerate: invariants}, func(l *Lab) {
				if ours {
					l.StartController()
					holdAll(l)
				} else {
					l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
					time.Sleep(30*time.Second + l.dice.between(0, 50*time.Second, "phase"))
				}
				since := time.Now()
				l.Disturb(Everybody, trouble, lasts)
				time.Sleep(lasts + 5*time.Minute)
				l.WaitLed(time.Minute)
				buckets := map[string]bool{}
				for _, o := range l.Ledger.Overlaps(since) {
					buckets[o.Bucket] = true
					sum.longest = max(sum.longest, o.Length())
				}
				sum.buckets += len(buckets)
			})
		})
	}
	return sum
}
