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
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// reasons says why the leases in transit are, and for how long.
func reasons(s snapshot, now time.Time) []string {
	type group struct {
		queue, last string
		ours        bool
	}
	since := map[group]time.Time{}
	buckets := map[group][]string{}
	var groups []group
	for _, l := range s.leases {
		if !l.inTransit() {
			continue
		}
		g := group{l.queue, l.last, l.ours}
		if !slices.Contains(groups, g) {
			groups, since[g] = append(groups, g), l.since
		}
		if l.since.Before(since[g]) {
			since[g] = l.since
		}
		buckets[g] = append(buckets[g], l.bucket)
	}
	lines := make([]string, 0, len(groups))
	for _, g := range groups {
		why := ", free for any replica"
		if g.ours {
			had := s.count(g.queue, heldBy(g.last)) + s.count(g.queue, takenFrom(g.last))
			why = fmt.Sprintf(" (had %d, share %s), held until it has stopped", had, share(s, g.queue))
		}
		lines = append(lines, fmt.Sprintf("%s %s from %s%s, %.0f s", g.queue, strings.Join(buckets[g], " "), shortReplica(g.last), why, now.Sub(since[g]).Seconds()))
	}
	return lines
}

// share is what each Ready replica should have of a queue.
func share(s snapshot, queue string) string {
	ready := 0
	for _, r := range s.replicas {
		if r.ready {
			ready++
		}
	}
	all := s.count(queue, func(lease) bool { return true })
	if ready == 0 || all%ready == 0 {
		return fmt.Sprint(all / max(ready, 1))
	}
	return fmt.Sprintf("%d or %d", all/ready, all/ready+1)
}

// tell puts changes into words: one line for all leases of a queue that did
// the same.
func tell(moves []move) []string {
	type group struct{ queue, what string }
	var groups []group
	buckets := map[group][]string{}
	longest := map[group]time.Duration{}
	for _, m := range moves {
		g := group{m.after.queue, m.what()}
		if !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
		buckets[g] = append(buckets[g], m.after.bucket)
		longest[g] = max(longest[g], m.took())
	}
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(a.queue, b.queue) })
	lines := make([]string, 0, len(groups))
	for _, g := range groups {
		slices.Sort(buckets[g])
		line := fmt.Sprintf("%s %s: %s", g.queue, strings.Join(buckets[g], " "), g.what)
		if longest[g] > 0 {
			line += fmt.Sprintf(" after %.1f s", longest[g].Seconds())
		}
		lines = append(lines, line)
	}
	return lines
}

// what says what happened to a lease.
func (m move) what() string {
	last := shortReplica(m.before.last)
	switch {
	case m.after.holder == "" && m.after.ours:
		return "taken from " + last
	case m.after.holder == "" && m.before.ours:
		return "of " + last + ", released to any replica"
	case m.after.holder == "" && m.after.deleted:
		return "deleted while " + last + " led it"
	case m.after.holder == "":
		return "let go by " + last
	case m.before.last == "":
		return shortReplica(m.after.holder)
	case m.before.last == m.after.holder:
		return "back to " + last
	}
	return last + " -> " + shortReplica(m.after.holder)
}

// took is how long the lease had no holder before.
func (m move) took() time.Duration {
	if !m.before.inTransit() || m.after.holder == "" {
		return 0
	}
	return m.after.since.Sub(m.before.since)
}
