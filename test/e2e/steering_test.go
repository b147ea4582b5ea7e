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
	"slices"
	"strconv"
	"testing"
	"time"
)

// departure is one way in which a replica stops in good order.
type departure struct {
	// leave begins it, and returns how many replicas there are afterwards.
	leave func(c *cluster) (replicas int)
	// restore has three replicas again.
	restore func(c *cluster)
}

// TestSteering: one of three replicas is stopped in good order, for ever or to be
// replaced, and what it releases gets leaders again: with steering by name, and
// without by chance. How long nobody leads, and how many handovers it takes
// afterwards until it is even.
//
// Each way has a Tekton of its own, so that they can be measured side by side.
func TestSteering(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]departure{
		"scale-down": {
			leave:   func(c *cluster) int { c.must(c.patch(`{"spec":{"replicas":2}}`)); return 2 },
			restore: func(c *cluster) { c.must(c.patch(`{"spec":{"replicas":3}}`)) },
		},
		"restart": {
			leave:   func(c *cluster) int { c.stopBusiest(); return 3 },
			restore: func(*cluster) {},
		},
	} {
		for _, steered := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s steered=%t", name, steered), func(t *testing.T) {
				t.Parallel()
				s, trials := measurement(t)
				s.namespace, s.replicas = fmt.Sprintf("%s-steered-%t", name, steered), 3
				c := connectTo(t, s)
				c.led(3)
				c.installOurs(map[string]string{"stabilization-window": "0s", "fast-failover": strconv.FormatBool(steered)})
				c.departures(d, trials)
			})
		}
	}
}

// departures measures some of them.
func (c *cluster) departures(d departure, trials int) {
	c.t.Helper()
	begun := time.Now()
	var gaps durations
	var handovers []int
	for range trials {
		c.evenNow()
		at := time.Now()
		replicas := d.leave(c)
		c.led(replicas)
		c.allLed()
		led := time.Now()
		gaps = append(gaps, c.timelineTo(led).Stats(at).LongestGap)
		c.wait(settling, "an even spread", c.evenAsDeployed)
		handovers = append(handovers, len(c.takenSince(at)))
		d.restore(c)
		c.wait(startUp, "three replicas", c.rolledOut)
	}
	c.oneLeader(begun)
	slices.Sort(handovers)
	c.t.Logf("RESULT steering way=%s replicas=3 leases=%d timings=%s trials=%d handovers: min=%d p50=%d max=%d nobody_leads_s: %s two_leaders=%d",
		c.namespace, c.leases(), c.timings(), trials, handovers[0], handovers[len(handovers)/2], handovers[len(handovers)-1], gaps,
		len(c.overlaps(begun)))
}
