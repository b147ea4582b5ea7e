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

package deployment

import (
	"fmt"
	"slices"
	"time"
)

const (
	// maxJourneys is how often a lease may go from one process to the same other
	// one within memory. Both live on, so somebody moves it back.
	maxJourneys = 3
	// maxRepeats is how many journeys of all leases of a Deployment may be
	// repeats of earlier ones.
	maxRepeats = 4
)

// journey is a handover of a lease that went as planned, by the identities of
// the processes.
type journey struct {
	from, by string
	at       time.Time
}

// arrived remembers a handover that went as planned. When a lease has made the
// same journey too often it stays where it is and the plan goes around it; when
// many have, nothing of the Deployment moves for a while.
func (h *history) arrived(p *past, e ending) []notice {
	p.journeys = append(recent(p.journeys, e.at), journey{from: e.from.Identity, by: e.by, at: e.at})
	p.journeys = p.journeys[max(0, len(p.journeys)-maxJourneys):]
	var said []notice
	if same(p.journeys) == maxJourneys {
		p.pinned = e.at.Add(memory)
		said = append(said, notice{reasonPingPong, fmt.Sprintf(
			"Queue %s: a lease was moved from %s to the same replica %d times within %s and always came back although nothing failed; does somebody else move it? It is left alone for %s",
			e.group, e.from.Replica, maxJourneys, memory, memory)})
	}
	repeats := 0
	for _, other := range h.leases {
		repeats += max(0, same(recent(other.journeys, e.at))-1)
	}
	if repeats >= maxRepeats {
		if e.at.After(h.paused) {
			said = append(said, notice{reasonPingPong, fmt.Sprintf(
				"Leases are moved back and forth between the same replicas although nothing failed; does another controller move them? Nothing is moved for %s", memory)})
		}
		h.paused = e.at.Add(memory)
	}
	return said
}

// recent are the journeys that still matter.
func recent(all []journey, now time.Time) []journey {
	return slices.DeleteFunc(slices.Clone(all), func(j journey) bool { return now.Sub(j.at) >= memory })
}

// same counts how often in a row the last journey was made. One that went on to
// a third process in between came back for a reason of its own.
func same(all []journey) int {
	n := 0
	for _, j := range slices.Backward(all) {
		last := all[len(all)-1]
		if j.from != last.from || j.by != last.by {
			break
		}
		n++
	}
	return n
}
