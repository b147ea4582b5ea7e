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

import "slices"

// Reason says why a surplus lease stays where it is.
type Reason string

// The reasons. Their sentences, below, say what each means.
const (
	RolloutInProgress  Reason = "RolloutInProgress"
	ReplicaOnProbation Reason = "ReplicaOnProbation"
	HolderNotReady     Reason = "HolderNotReady"
	HolderUnknown      Reason = "HolderUnknown"
	HolderLate         Reason = "HolderLate"
	NotSeenRenewing    Reason = "NotSeenRenewing"
	TimingUnknown      Reason = "TimingUnknown"
	LastLease          Reason = "LastLease"
	LeaseUnowned       Reason = "LeaseUnowned"
	LeasesMissing      Reason = "LeasesMissing"
	TwoBucketCounts    Reason = "TwoBucketCounts"
	HandoverInFlight   Reason = "HandoverInFlight"
	InFlightLimit      Reason = "InFlightLimit"
	BackingOff         Reason = "BackingOff"
	Muted              Reason = "Muted"
	PingPong           Reason = "PingPong"
	APITrouble         Reason = "APITrouble"
	SingleBucket       Reason = "SingleBucket"
	SingleReplica      Reason = "SingleReplica"
	NotApplicable      Reason = "NotApplicable"
	NotManaged         Reason = "NotManaged"
	NotFound           Reason = "NotFound"
	OptedOut           Reason = "OptedOut"
	ConfigInvalid      Reason = "ConfigInvalid"
	Paused             Reason = "Paused"
	DryRun             Reason = "DryRun"
)

var sentences = map[Reason]string{
	RolloutInProgress:  "A rollout is in progress.",
	ReplicaOnProbation: "The replica became ready too short a time ago.",
	HolderNotReady:     "The replica that holds the lease is not ready.",
	HolderUnknown:      "A holder of the queue's leases belongs to no pod.",
	HolderLate:         "The holder renews its leases too late to be relieved safely.",
	NotSeenRenewing:    "The holder was not seen renewing the lease five times yet.",
	TimingUnknown:      "The holder may have read other timings than its ConfigMap has now, and its lease lasts too long to wait for that: its Deployment should be restarted.",
	LastLease:          "It is the last lease of its holder's process, which could then give no proof of life.",
	LeaseUnowned:       "Some leases of the queue have no holder right now.",
	LeasesMissing:      "Some leases of the queue do not exist.",
	TwoBucketCounts:    "Replicas with different bucket counts are alive.",
	HandoverInFlight:   "Another handover of the queue must end first.",
	InFlightLimit:      "As many handovers are in flight as max-handovers-in-flight allows.",
	BackingOff:         "An earlier try to move the lease failed, the next one waits for a while.",
	PingPong:           "The lease moves back and forth between the same replicas although nothing failed, and is left alone for a while.",
	Muted:              "The lease came back to its holder too often and is left alone for a while.",
	APITrouble:         "The API server fails, is slow, or refuses what is asked of it.",
	SingleBucket:       "The queue has only one bucket.",
	SingleReplica:      "There are fewer than two eligible replicas.",
	NotApplicable:      "It has no leases to balance.",
	NotManaged:         "The Deployment is not among those to balance.",
	NotFound:           "There is no Deployment of that name in the namespace.",
	OptedOut:           "An annotation of the lease or its Deployment, balance, asks to leave it alone.",
	ConfigInvalid:      "The configuration of the leases controller is invalid.",
	Paused:             "Balancing is paused.",
	DryRun:             "Moves are only planned, not made: the key dry-run says so.",
}

// Reasons are all of them, in order.
func Reasons() []Reason {
	all := make([]Reason, 0, len(sentences))
	for r := range sentences {
		all = append(all, r)
	}
	slices.Sort(all)
	return all
}

// Sentence explains the reason to an administrator. A reason that this package
// does not know explains itself by its name.
func (r Reason) Sentence() string {
	if s, ok := sentences[r]; ok {
		return s
	}
	return string(r)
}
