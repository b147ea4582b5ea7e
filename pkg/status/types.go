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

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// APIVersion and Kind are those of what is printed, and of the document in the
// ConfigMap.
const (
	APIVersion = "leases.tekton.dev/v1alpha1"
	Kind       = "LeasesStatus"
)

// Status is what one look at a namespace shows.
type Status struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	// Time is when it was so.
	Time metav1.Time `json:"time"`
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
	// Silent, if set, is how long ago it last renewed the lease of its own election,
	// which has expired: no process of it leads, and nothing will move.
	Silent string `json:"silent,omitempty"`
	// Known tells whether its status is there: otherwise what it alone remembers,
	// such as leases that it leaves alone for a while, is not taken into account.
	Known bool `json:"known"`
	// Strategy is how it moves leases.
	Strategy string `json:"strategy"`
	// ConfigError is what is wrong with its configuration, if something is.
	ConfigError string `json:"configError,omitempty"`
	// DryRun: everything is planned and told, nothing is written.
	DryRun bool `json:"dryRun,omitempty"`
	// Paused, if set, is until when nothing moves: a time (RFC 3339) or Forever.
	Paused string `json:"paused,omitempty"`
	// PauseError is what is wrong with the annotation that pauses it.
	PauseError string `json:"pauseError,omitempty"`
}

// State sums a Deployment or a queue up.
type State string

// The states of a Deployment and of a queue.
const (
	// Balanced: it is even, nothing should move.
	Balanced State = "Balanced"
	// Moving: leases are in a handover.
	Moving State = "Moving"
	// Waiting: leases should move, and will as soon as they can.
	Waiting State = "Waiting"
	// Blocked: leases should move, and something has to be changed first.
	Blocked State = "Blocked"
	// Paused: somebody has asked that nothing moves for a while.
	Paused State = "Paused"
	// NotApplicable: it has no leases to balance.
	NotApplicable State = "NotApplicable"
)

// Deployment is one whose replicas share their work by leases.
type Deployment struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	// Since is from when on it has been in this state. Only the leases controller
	// knows.
	Since *metav1.Time `json:"since,omitempty"`
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
	// What follows only the leases controller knows. Handovers are those in
	// flight, Recent the last ones that ended, the latest last.
	Handovers []Handover `json:"handovers,omitempty"`
	Recent    []Ended    `json:"recent,omitempty"`
	// Muted is what it leaves alone for a while because of what became of earlier
	// handovers.
	Muted []Muted `json:"muted,omitempty"`
	// Advice is what only the administrator can mend.
	Advice []string `json:"advice,omitempty"`
	// Truncated: the document would be too long with the lists of single leases.
	Truncated bool `json:"truncated,omitempty"`
}

// Replica is a pod of the Deployment.
type Replica struct {
	Name string `json:"name"`
	Node string `json:"node,omitempty"`
	// Standing is why it is neither a source nor a target for the time being,
	// empty if it is eligible.
	Standing balance.Reason `json:"standing,omitempty"`
	// EligibleAt is when its probation ends, if it is on one.
	EligibleAt *metav1.Time `json:"eligibleAt,omitempty"`
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
	// State and Since are those of the Deployment, for this queue alone.
	State State        `json:"state"`
	Since *metav1.Time `json:"since,omitempty"`
	// Even is that of the Deployment, for this queue alone.
	Even bool `json:"even"`
	// Blocked, if set, is why no handover may begin in it.
	Blocked balance.Reason `json:"blocked,omitempty"`
	// Buckets is how many leases it should have, Held how many of them each
	// replica leads.
	Buckets int     `json:"buckets"`
	Held    []Share `json:"held,omitempty"`
	// Leases by ordinal. The document in the ConfigMap has none: see Document.
	Leases []Lease `json:"leases,omitempty"`
	// Moves and Stays sum up, in the document, which of its leases are to move,
	// and which should but do not.
	Moves []Step `json:"moves,omitempty"`
	Stays []Stay `json:"stays,omitempty"`
}

// Share is how many leases of a queue a replica leads.
type Share struct {
	Replica string `json:"replica"`
	Leases  int    `json:"leases"`
}

// Handover is a lease on its way.
type Handover struct {
	Lease string `json:"lease"`
	// From is the replica that led it, To the one that it is for, as far as that
	// is known.
	From string `json:"from"`
	To   string `json:"to,omitempty"`
	// Step is how far it has come: hold (until the old leader has stopped), open
	// (whoever tries first gets it) or assign (until the next leader comes).
	Step string `json:"step"`
	// Cause is why nobody led it when it was begun, if nobody did.
	Cause string `json:"cause,omitempty"`
	// Began is when it began. Until is when the step ends: a hold at the earliest,
	// the others at the latest.
	Began metav1.Time `json:"began"`
	Until metav1.Time `json:"until"`
}

// Ended is a handover that has ended.
type Ended struct {
	Lease string `json:"lease"`
	From  string `json:"from"`
	// To is who has the lease now, by its identity's hostname; empty for nobody.
	To string `json:"to,omitempty"`
	// Result is how it ended, as the metrics count it.
	Result string `json:"result"`
	Cause  string `json:"cause,omitempty"`
	// At is when it ended, Took how long it took.
	At   metav1.Time `json:"at"`
	Took string      `json:"took"`
}

// Muted is what is left alone for a while: a lease, a queue, or, if both are
// empty, all of a Deployment.
type Muted struct {
	Lease string `json:"lease,omitempty"`
	// Identity is the holder that the lease stays with.
	Identity string `json:"identity,omitempty"`
	Group    string `json:"group,omitempty"`
	// Reason is why, Until until when.
	Reason balance.Reason `json:"reason"`
	Until  metav1.Time    `json:"until"`
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
