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

package status

import "github.com/tektoncd/leases-controller/pkg/balance"

// APIVersion and Kind are those of what is printed.
const (
	APIVersion = "leases.tekton.dev/v1alpha1"
	Kind       = "LeasesStatus"
)

// Status is what one look at a namespace shows.
type Status struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	// Controller is the leases controller of the namespace.
	Controller Controller `json:"controller"`
	// Deployments in the order in which they were asked for.
	Deployments []Deployment `json:"deployments"`
}

// Controller is the leases controller.
type Controller struct {
	// Installed tells whether its Deployment exists, Ready whether a process of
	// it is: otherwise nothing will move.
	Installed bool `json:"installed"`
	Ready     bool `json:"ready"`
	// Strategy is how it moves leases.
	Strategy string `json:"strategy"`
	// ConfigError is what is wrong with its configuration, if something is.
	ConfigError string `json:"configError,omitempty"`
}

// State sums a Deployment or a queue up.
type State string

// The states of a Deployment.
const (
	// Balanced: it is even, nothing should move.
	Balanced State = "Balanced"
	// Moving: leases are in a handover.
	Moving State = "Moving"
	// Waiting: leases should move, and will as soon as they can.
	Waiting State = "Waiting"
	// Blocked: leases should move, and something has to be changed first.
	Blocked State = "Blocked"
	// NotApplicable: it has no leases to balance.
	NotApplicable State = "NotApplicable"
)

// Deployment is one whose replicas share their work by leases.
type Deployment struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	// Even: in each queue the leases per Ready replica differ by one at the
	// most, each lease has a leader, and none waits to be moved. A Deployment
	// that has no replicas or no leases to balance is even.
	Even bool `json:"even"`
	// Blocked, if set, is why nothing of it may move at all.
	Blocked balance.Reason `json:"blocked,omitempty"`
	// Detail says more about Blocked, for this Deployment.
	Detail   string    `json:"detail,omitempty"`
	Replicas []Replica `json:"replicas"`
	Queues   []Queue   `json:"queues"`
	// Rolling: its replicas are changing. For how long already is not known to
	// who did not see it begin.
	Rolling bool `json:"rolling,omitempty"`
	// Unseen counts the leases whose holders were not seen renewing five times:
	// how late they renew is not known, and whether that keeps them from moving.
	Unseen int `json:"unseen,omitempty"`
}

// Replica is a pod of the Deployment.
type Replica struct {
	Name string `json:"name"`
	Node string `json:"node,omitempty"`
	// Standing is why it is neither a source nor a target for the time being,
	// empty if it is eligible.
	Standing balance.Reason `json:"standing,omitempty"`
	// EligibleIn is when its probation ends, for example "25s".
	EligibleIn string `json:"eligibleIn,omitempty"`
	// Leases is how many it leads.
	Leases int `json:"leases"`
	// Lateness is how late its renewals were at the most, empty as long as not
	// five of them in a row were seen.
	Lateness string `json:"lateness,omitempty"`
}

// Queue is a queue with one bucket count.
type Queue struct {
	// Name is the shortest that tells it from the others, for example taskrun.
	Name string `json:"name"`
	// Group is what the names of its leases have in common.
	Group string `json:"group"`
	// Even is that of the Deployment, for this queue alone.
	Even bool `json:"even"`
	// Blocked, if set, is why no handover may begin in it.
	Blocked balance.Reason `json:"blocked,omitempty"`
	// Leases by ordinal.
	Leases []Lease `json:"leases"`
}

// Place is where a lease is.
type Place string

// The places.
const (
	// Led: a replica of the Deployment leads it.
	Led Place = "Led"
	// InHandover: the leases controller holds it, until its old leader has
	// stopped. From is that one.
	InHandover Place = "InHandover"
	// Unowned: it has no holder, or one that did not renew it in time.
	Unowned Place = "Unowned"
	// Missing: it does not exist.
	Missing Place = "Missing"
	// Elsewhere: its holder is no replica of the Deployment.
	Elsewhere Place = "Elsewhere"
)

// Lease is one bucket.
type Lease struct {
	Name string `json:"name"`
	// Bucket is its ordinal as it is in the name, for example "03".
	Bucket string `json:"bucket"`
	Place  Place  `json:"place"`
	// Identity is the holder as the lease has it.
	Identity string `json:"identity,omitempty"`
	// Holder is the replica that leads it.
	Holder string `json:"holder,omitempty"`
	// From is the replica that it was taken from, if it is in a handover.
	From string `json:"from,omitempty"`
	// To is the replica that should get it, empty if it should stay.
	To string `json:"to,omitempty"`
	// Reason is why it does not move to To.
	Reason balance.Reason `json:"reason,omitempty"`
}

// Moves tells whether the lease is to be taken from its holder.
func (l Lease) Moves() bool { return l.Place == Led && l.To != "" && l.Reason == "" }

// Stays tells whether the lease should move, and does not.
func (l Lease) Stays() bool { return l.Reason != "" }
