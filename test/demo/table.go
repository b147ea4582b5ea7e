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
	"fmt"
	"slices"
	"strings"
)

// The bars of the table: a block per lease.
const (
	heldBlock    = "■"
	transitBlock = "□"
)

// queues returns the names of all queues, ordered.
func (s snapshot) queues() []string {
	var queues []string
	for _, l := range s.leases {
		if !slices.Contains(queues, l.queue) {
			queues = append(queues, l.queue)
		}
	}
	slices.Sort(queues)
	return queues
}

// count counts the leases of a queue, or of all if it is empty, of which
// something is true.
func (s snapshot) count(queue string, is func(lease) bool) int {
	count := 0
	for _, l := range s.leases {
		if (queue == "" || l.queue == queue) && is(l) {
			count++
		}
	}
	return count
}

// rows returns the replicas, then the holders whose pods are gone.
func (s snapshot) rows() []replica {
	rows := slices.Clone(s.replicas)
	for _, l := range s.leases {
		gone := replica{name: l.holder, state: "gone"}
		known := slices.ContainsFunc(rows, func(r replica) bool { return r.name == l.holder })
		if l.holder != "" && !known {
			rows = append(rows, gone)
		}
	}
	return rows
}

func heldBy(name string) func(lease) bool {
	return func(l lease) bool { return l.holder == name }
}

func takenFrom(name string) func(lease) bool {
	return func(l lease) bool { return l.inTransit() && l.last == name }
}

// table draws replicas and queues: full blocks are leases that a replica
// holds, empty ones those that were taken from it and have no holder yet.
func table(s snapshot) string {
	queues := s.queues()
	var out strings.Builder
	fmt.Fprintf(&out, "%-18s", "replica")
	for _, queue := range queues {
		fmt.Fprintf(&out, "  %-*s", s.barWidth(queue)+numberWidth, queue)
	}
	fmt.Fprintf(&out, "  %s\n", "all")
	for _, r := range s.rows() {
		fmt.Fprintf(&out, "%-6s %-11s", shortReplica(r.name), r.state)
		for _, queue := range queues {
			held, taken := s.count(queue, heldBy(r.name)), s.count(queue, takenFrom(r.name))
			bar := strings.Repeat(heldBlock, held) + strings.Repeat(transitBlock, taken)
			fmt.Fprintf(&out, "  %s%s %2d", bar, strings.Repeat(" ", s.barWidth(queue)-held-taken), held)
		}
		fmt.Fprintf(&out, "  %3d\n", s.count("", heldBy(r.name)))
	}
	return out.String()
}

// numberWidth is what follows a bar: a space, and how many leases these are.
const numberWidth = 3

// barWidth is how much room a queue's bars have: for all of its leases, and
// so much that its name fits above bar and number.
func (s snapshot) barWidth(queue string) int {
	return max(len(queue)-numberWidth, s.count(queue, func(lease) bool { return true })+1)
}

// spread tells the leases per replica of each queue in one line, the replicas
// in the order of the table.
func spread(s snapshot) string {
	queues, rows := s.queues(), s.rows()
	parts := make([]string, 0, len(queues))
	for _, queue := range queues {
		counts := make([]string, 0, len(rows))
		for _, r := range rows {
			counts = append(counts, fmt.Sprint(s.count(queue, heldBy(r.name))))
		}
		part := queue + " " + strings.Join(counts, "/")
		if moving := s.count(queue, lease.inTransit); moving > 0 {
			part += fmt.Sprintf(" (%d in transit)", moving)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "   ")
}

// isHeld tells that a replica has the lease.
func (l lease) isHeld() bool { return l.holder != "" }

// ready returns the names of the replicas that leases should be spread over.
func (s snapshot) ready() []string {
	var names []string
	for _, r := range s.replicas {
		if r.ready {
			names = append(names, r.name)
		}
	}
	return names
}

// busiest returns the replica that holds most leases.
func (s snapshot) busiest() replica {
	return slices.MaxFunc(s.replicas, func(a, b replica) int {
		return s.count("", heldBy(a.name)) - s.count("", heldBy(b.name))
	})
}

// youngest returns the replica that was made last.
func (s snapshot) youngest() replica { return s.replicas[len(s.replicas)-1] }

// has tells whether the replica's pod is still there.
func (s snapshot) has(r replica) bool {
	return slices.ContainsFunc(s.replicas, func(other replica) bool { return other.uid == r.uid })
}
