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
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestScale: many Deployments in one namespace, each with two replicas of which one
// has everything, become even with one leader of each bucket; and when nothing
// changes, ten times as many leases cost at most ten times as much. SCALE has the
// numbers of Deployments, with spaces between: see hack/scale.sh.
func TestScale(t *testing.T) {
	sizes := strings.Fields(os.Getenv("SCALE"))
	if len(sizes) == 0 {
		t.Skip("it takes long, and SCALE does not say how many Deployments: see hack/scale.sh")
	}
	var costs []cost
	for _, size := range sizes {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 {
			t.Fatalf("SCALE: %q is no number of Deployments: want 1 or more", size)
		}
		t.Run(size, func(t *testing.T) { costs = append(costs, measureCrowd(t, n)) })
	}
	for i := 1; i < len(costs); i++ {
		before, now := costs[i-1], costs[i]
		if growth, allowed := now.cpu/before.cpu, float64(now.leases)/float64(before.leases); growth > allowed {
			t.Errorf("%d leases cost %.1f times the CPU of %d when nothing changes, want %.1f times at the most", now.leases, growth, before.leases, allowed)
		}
		if now.requests > before.requests+1 {
			t.Errorf("%.1f requests a minute with %d leases, %.1f with %d: want no more", now.requests, now.leases, before.requests, before.leases)
		}
	}
}

// idle is for how long the cost of a crowd is measured when nothing changes.
const idle = 5 * time.Minute

// measureCrowd evens out a crowd and measures what it costs afterwards.
func measureCrowd(t *testing.T, deployments int) cost {
	s := usual
	s.namespace = fmt.Sprintf("scale-%d", deployments)
	c := newCrowd(t, s, deployments)
	processes := c.processes()
	c.start()
	metrics := c.scrape()
	begun := time.Now()
	c.installOurs(map[string]string{"stabilization-window": "0s", "deployments": "*"})
	c.wait(settling, "an even spread in each Deployment", c.crowdIsEven)
	even, moves := time.Since(begun), c.moves(begun)
	time.Sleep(2 * c.leaseDuration) // what was begun ends, the status is written
	ours := c.ourProcess(processes)
	before := ours.usage()
	c.wait(idle+startUp, "time to pass", func() bool { return time.Since(before.at) >= idle })
	got := ours.costSince(before, c.leases())
	worst := metrics.now(`histogram_quantile(0.99, sum by (le) (rate(tekton_leases_reconcile_duration_seconds_bucket[10m])))`, "le")
	t.Logf("RESULT scale deployments=%d replicas=%d leases=%d even_after_s=%.0f moves=%d two_leaders=%d reconcile_p99_ms=%.0f %s",
		deployments, 2*deployments, c.leases(), even.Seconds(), moves, c.twoLeaders(), 1000*worst[""], got)
	if twice := c.twoLeaders(); twice > 0 {
		t.Errorf("%d times a bucket had two leaders", twice)
	}
	if got.writes > 0 {
		t.Errorf("%d leases were written when nothing changed, want none", got.writes)
	}
	return got
}

// led is who leads each bucket, by the electors' own words.
type led struct {
	mu sync.Mutex
	// by are the replicas that lead a bucket.
	by map[string]map[string]bool
	// twice counts how often a second one began to lead.
	twice int
	// begun are the times at which replicas began to lead.
	begun []time.Time
}

func (l *led) promote(bucket, replica string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.by[bucket] == nil {
		l.by[bucket] = map[string]bool{}
	}
	l.by[bucket][replica] = true
	if len(l.by[bucket]) > 1 {
		l.twice++
	}
	l.begun = append(l.begun, time.Now())
}

func (l *led) demote(bucket, replica string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.by[bucket], replica)
}

// twoLeaders counts how often a bucket that had a leader got a second one.
func (l *led) twoLeaders() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.twice
}

// moves counts how often a bucket got a leader since then.
func (l *led) moves(since time.Time) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, at := range l.begun {
		if at.After(since) {
			n++
		}
	}
	return n
}

// perReplica counts the buckets that each replica leads.
func (l *led) perReplica() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := map[string]int{}
	for _, replicas := range l.by {
		for replica := range replicas {
			m[replica]++
		}
	}
	return m
}
