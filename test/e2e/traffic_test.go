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
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/test/witness"
)

// soon makes our controller act early, and start over early after it was killed:
// the tests below have many rounds.
var soon = map[string]string{
	"stabilization-window": "5s", "lease-duration": "6s", "renew-deadline": "4s", "retry-period": "1s",
}

// TestCase05PipelineRunsWhileLeasesMove: PipelineRuns are created all the time
// while leases move again and again. Each succeeds, and nothing is made twice.
func TestCase05PipelineRunsWhileLeasesMove(t *testing.T) {
	c := connect(t)
	c.scale(1)
	c.installOurs(soon)
	begun := time.Now()
	runs := c.createPipelineRuns(betweenRuns)
	for _, n := range []int{2, 3} {
		c.scale(n)
		c.even()
	}
	c.replace()
	c.even()
	c.oneLeader(begun)
	runs.nothingTwice(runs.judge())
}

// Our controller is killed every 5 to 25 seconds, for so long.
const (
	killing              = 150 * time.Second
	soonest, killsWithin = 5 * time.Second, 20 * time.Second
)

// TestCase26WeAreKilledAgainAndAgain: our controller is killed at random moments
// while there are always leases to move, because a replica goes whenever the
// spread is even, and while PipelineRuns are created. No bucket has two leaders,
// or none for longer than a crash of ours may cost.
func TestCase26WeAreKilledAgainAndAgain(t *testing.T) {
	c := connect(t)
	processes := c.processes()
	random := seeded(t)
	c.scale(1)
	c.scale(2)
	c.installOurs(soon)
	runs := c.createPipelineRuns(betweenRuns)
	begun := time.Now()
	kills, inTheMiddle, rounds := 0, 0, 0
	for next := begun; time.Since(begun) < killing; time.Sleep(200 * time.Millisecond) {
		if c.isEven() {
			c.stopBusiest()
			rounds++
		}
		if held := c.spread()[witness.LeasesController]; time.Now().After(next) && c.killOurs(processes) {
			next = time.Now().Add(soonest + time.Duration(random.Int64N(int64(killsWithin))))
			t.Logf("killed while we held %d leases; next in %s", held, time.Until(next).Round(time.Millisecond))
			kills++
			inTheMiddle += min(held, 1)
		}
	}
	t.Logf("killed %d times, %d of them in the middle of a handover; even %d times", kills, inTheMiddle, rounds)
	if inTheMiddle == 0 {
		t.Error("no kill met a handover: that shows nothing")
	}
	c.even()
	c.oneLeader(begun)
	c.shortGaps(begun, c.renewDeadline+handover.Timing{}.Margin(0)+c.retryPeriod*22/10)
	runs.nothingTwice(runs.judge())
}

// seeded is chance that can be had again.
func seeded(t *testing.T) *rand.Rand {
	t.Helper()
	seed, err := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
	if err != nil {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("SEED=%d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}
