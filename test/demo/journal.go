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
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/tektoncd/leases-controller/pkg/leadership"
)

// journal is what the controllers' processes have logged so far.
type journal struct {
	mu        sync.Mutex
	processes map[string]*leadership.Process
	begun     []time.Time
}

func newJournal() *journal { return &journal{processes: map[string]*leadership.Process{}} }

// line takes in one line of a process's log.
func (j *journal) line(process string, line []byte) {
	change, leads := leadership.ParseLine(line)
	// The leases controller is elected as well, by the same electors.
	leads = leads && !strings.HasPrefix(change.Lease, leasesController+".")
	begun, begins := parseRoundBegun(line)
	j.mu.Lock()
	defer j.mu.Unlock()
	if leads {
		if j.processes[process] == nil {
			j.processes[process] = &leadership.Process{}
		}
		j.processes[process].Changes = append(j.processes[process].Changes, change)
	}
	if begins {
		j.begun = append(j.begun, begun)
	}
}

// end takes in that a process has ended.
func (j *journal) end(process string, at time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if p := j.processes[process]; p != nil {
		p.Ended = at
	}
}

// timeline is who led what up to now.
func (j *journal) timeline(now time.Time, leases ...string) leadership.Timeline {
	j.mu.Lock()
	defer j.mu.Unlock()
	processes := make([]leadership.Process, 0, len(j.processes))
	for _, p := range j.processes {
		processes = append(processes, *p)
	}
	return leadership.Build(now, processes, leases...)
}

// roundsBegun are the moments at which the leases controller began a round.
func (j *journal) roundsBegun() []time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]time.Time(nil), j.begun...)
}

// parseRoundBegun reads the line that the leases controller logs when it
// takes the first lease of a round from a replica of Tekton's controller.
func parseRoundBegun(line []byte) (time.Time, bool) {
	if !bytes.Contains(line, []byte("round begun")) {
		return time.Time{}, false
	}
	var entry struct{ Timestamp, Message, Deployment string }
	if err := json.Unmarshal(line, &entry); err != nil || entry.Message != "round begun" {
		return time.Time{}, false
	}
	// It may be written with its namespace.
	if entry.Deployment[strings.LastIndex(entry.Deployment, "/")+1:] != tektonController {
		return time.Time{}, false
	}
	at, err := time.Parse("2006-01-02T15:04:05.000Z0700", entry.Timestamp)
	return at, err == nil
}

// startGate is how many renewals the leases controller wants to see before
// it moves anything.
const startGate = 5

// moveAllowed is the moment from which on settle_s counts. By the rules of
// the leases controller it may move something once the new replica is past
// its stabilization window and five renewals were seen, the last one five
// retry periods after its process started at the latest. If it began earlier
// than that (the renewals came early), it counts from there; if it began
// later, its being late counts as well.
func moveAllowed(begun []time.Time, newReplicaReady, ownStart time.Time, window, retryPeriod time.Duration) time.Time {
	allowed := newReplicaReady.Add(window)
	if gate := ownStart.Add(startGate * retryPeriod); gate.After(allowed) {
		allowed = gate
	}
	for _, at := range begun {
		if at.Before(allowed) {
			allowed = at
		}
	}
	return allowed
}
