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
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/tektoncd/leases-controller/pkg/leadership"
)

const (
	// betweenEvents is how often something happens in a soak.
	betweenEvents = 20 * time.Second
	// evenAfterSoak is how long after the last event it may take until all is even.
	evenAfterSoak = 2 * time.Minute
	// betweenSoakRuns is how often a PipelineRun is created.
	betweenSoakRuns = 10 * time.Second
)

// soakConfig has replicas count at once: with so many events their probation would
// be 10 minutes all the time, and there would be no handovers to disturb.
var soakConfig = map[string]string{
	"stabilization-window": "0s", "max-rollout-wait": "1m",
	"lease-duration": "6s", "renew-deadline": "4s", "retry-period": "1s",
}

// TestSoak: for SOAK_MINUTES something happens every 20 s, by chance, while
// PipelineRuns are created. Each of them is reconciled; no bucket ever has two
// leaders, apart from those of a replica that was stopped for longer than its
// lease lasts; and two minutes after the last event everything is even.
func TestSoak(t *testing.T) {
	minutes, err := strconv.Atoi(os.Getenv("SOAK_MINUTES"))
	if err != nil {
		t.Skip("a soak takes long, and SOAK_MINUTES does not say how long: see hack/soak.sh")
	}
	setting := quick
	setting.buckets, setting.replicas = usual.buckets, 3
	c := connectTo(t, setting)
	s := newSoak(c, seeded(t))
	c.led(setting.replicas)
	c.installOurs(soakConfig)
	c.even()
	begun := time.Now()
	runs := c.createPipelineRuns(betweenSoakRuns)
	events := 0
	for next := begun; next.Before(begun.Add(time.Duration(minutes) * time.Minute)); next = next.Add(betweenEvents) {
		time.Sleep(time.Until(next))
		s.happen()
		events++
	}
	s.settle()
	last := time.Now()
	t.Log("no more events")
	c.wait(evenAfterSoak, "an even spread", c.evenAsDeployed)
	at, _ := c.evenSince()
	for _, line := range runs.judge() {
		t.Logf("Tekton logs: %s", line)
	}
	excused, faults := s.judge(begun)
	t.Logf("RESULT soak minutes=%d events=%d pipelineruns=%d taken=%d even_after_s=%.0f gap_s_max=%.1f two_leaders=%d two_leaders_frozen=%d",
		minutes, events, runs.count, len(c.takenSince(begun)), max(0, at.Sub(last)).Seconds(), c.timeline().Stats(begun).LongestGap.Seconds(), faults, excused)
}

// judge fails the test for each time in which a bucket had two leaders, unless a
// replica had lost it by being stopped for too long, which makes two leaders whoever
// looks after the leases. It counts both.
func (s *soak) judge(since time.Time) (excused, faults int) {
	s.t.Helper()
	for _, o := range s.overlaps(since) {
		if s.excuses(o) {
			excused++
			continue
		}
		faults++
		s.t.Error(o)
	}
	return excused, faults
}

// excuses tells whether a replica that led the bucket was stopped for longer than
// its lease lasts, shortly before. When it thaws it leads on beside its successor,
// until its renew deadline has passed, twice if it was between two tries. And if it
// is asked to stop meanwhile, it empties the lease, which is its successor's by
// then, so that a third one leads beside the second.
func (s *soak) excuses(o overlap) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.freezes, func(f freeze) bool {
		long := f.until.Sub(f.from) > s.leaseDuration-3*s.retryPeriod
		after := f.until.Add(2*slower.renewDeadline + slower.retryPeriod)
		return long && f.from.Before(o.To) && o.From.Before(after) && s.ledAt(o.lease, f.from, f.pod)
	})
}

// ledAt tells whether a replica led a bucket at a moment.
func (c *cluster) ledAt(lease string, at time.Time, replica string) bool {
	for _, b := range c.timeline().Buckets {
		if b.Lease == lease {
			return slices.ContainsFunc(b.LeadersAt(at), func(identity string) bool { return leadership.Replica(identity) == replica })
		}
	}
	return false
}
