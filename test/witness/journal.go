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

package witness

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/tektoncd/leases-controller/pkg/leadership"
)

// Journal is what the controllers' processes have logged so far.
type Journal struct {
	mu        sync.Mutex
	processes map[string]*leadership.Process
	begun     []time.Time
	// duplicates are lines that tell of something that exists already.
	duplicates []duplicate
}

// duplicate is one of those lines. Its moment is zero where the line does not
// tell it.
type duplicate struct {
	at   time.Time
	line string
}

// NewJournal returns a journal that has read nothing.
func NewJournal() *Journal { return &Journal{processes: map[string]*leadership.Process{}} }

// Line takes in one line of a process's log.
func (j *Journal) Line(process string, line []byte) {
	change, leads := leadership.ParseLine(line)
	// The leases controller is elected as well, by the same electors.
	leads = leads && !strings.HasPrefix(change.Lease, LeasesController+".")
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
	if isDuplicate(line) {
		j.duplicates = append(j.duplicates, duplicate{stamp(line), strings.TrimSpace(string(line))})
	}
}

// end takes in that a process has ended.
func (j *Journal) end(process string, at time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if p := j.processes[process]; p != nil {
		p.Ended = at
	}
}

// Timeline is who led what up to now.
func (j *Journal) Timeline(now time.Time, leases ...string) leadership.Timeline {
	j.mu.Lock()
	defer j.mu.Unlock()
	processes := make([]leadership.Process, 0, len(j.processes))
	for _, p := range j.processes {
		processes = append(processes, *p)
	}
	return leadership.Build(now, processes, leases...)
}

// RoundsBegun are the moments at which the leases controller began a round.
func (j *Journal) RoundsBegun() []time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]time.Time(nil), j.begun...)
}

// Duplicates are the lines since a moment in which a controller tells that it
// could not create something, other than a lease, because that exists already:
// two of them did the same work.
func (j *Journal) Duplicates(since time.Time) []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var lines []string
	for _, d := range j.duplicates {
		if d.at.IsZero() || !d.at.Before(since) {
			lines = append(lines, d.line)
		}
	}
	return lines
}

// leaseExists is how the API server refuses to create a lease again. Of
// electors that start together all but one log it.
var leaseExists = regexp.MustCompile(`leases\.coordination\.k8s\.io \\*"[^"\\]*\\*" already exists`)

// isDuplicate tells whether a line is one of Duplicates.
func isDuplicate(line []byte) bool {
	words := []byte("already exists")
	return bytes.Contains(line, words) && bytes.Contains(leaseExists.ReplaceAll(line, nil), words)
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
	if entry.Deployment[strings.LastIndex(entry.Deployment, "/")+1:] != TektonController {
		return time.Time{}, false
	}
	at, err := time.Parse(stampLayout, entry.Timestamp)
	return at, err == nil
}

// stampLayout is how the controllers write the time.
const stampLayout = "2006-01-02T15:04:05.000Z0700"

// stamp is when a line was written, as far as it tells.
func stamp(line []byte) time.Time {
	var entry struct{ Timestamp string }
	if err := json.Unmarshal(line, &entry); err != nil {
		return time.Time{}
	}
	at, err := time.Parse(stampLayout, entry.Timestamp)
	if err != nil {
		return time.Time{}
	}
	return at
}
