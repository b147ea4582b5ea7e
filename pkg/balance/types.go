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

package balance

// Snapshot is what Make plans for: who could lead, and who leads now. The
// order of its slices does not matter. Names are unique: a replica's and a
// group's in the snapshot, a lease's in its group.
type Snapshot struct {
	Replicas []Replica
	Groups   []Group
}

// Replica is a process that can lead.
type Replica struct {
	Name string
	// Standing is empty for an eligible replica. Otherwise it says why the
	// replica is neither a source nor a target for the time being.
	Standing Reason
}

// Group is all leases of one queue with one bucket count.
type Group struct {
	Name   string
	Leases []Lease
	// Blocked, if set, says why no move may begin in this group.
	Blocked Reason
}

// Lease is one bucket. Of Target, Holder and From the first that is set says
// where the lease counts; with none of them the lease is unowned.
type Lease struct {
	Name string
	// Holder is the replica that leads the bucket now. A name that is not among
	// the replicas is held elsewhere and counts for nobody.
	Holder string
	// Target is the replica that a handover has bound the lease to. It counts
	// there and cannot be moved.
	Target string
	// From marks a lease in transit that is not bound yet: the replica that it
	// was taken from, and may be given back to.
	From string
	// Pinned, if set, says why the lease must stay with its holder.
	Pinned Reason
}

// Plan is what to do about a snapshot. Each list is sorted by group and lease.
type Plan struct {
	// Moves are the surplus leases to take from their holders.
	Moves []Move
	// Placements say where the leases in transit should go.
	Placements []Placement
	// Stays are the surplus leases that do not move.
	Stays []Stay
}

// Move takes a lease from a replica. To is advice: a later plan may know
// better, until a handover has bound the lease to a target.
type Move struct {
	Group, Lease, From, To string
}

// Placement is where a lease in transit should go. If To is the replica that
// it was taken from, the lease should be given back.
type Placement struct {
	Group, Lease, To string
}

// Stay is a lease that would move to the replica To if nothing stood in the
// way, and the reason why it does not.
type Stay struct {
	Group, Lease, Holder, To string
	Reason                   Reason
}
