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

package config

import "strings"

const (
	deploymentsKey = "deployments"
	strategyKey    = "strategy"
	windowKey      = "stabilization-window"
	inFlightKey    = "max-handovers-in-flight"
	failoverKey    = "fast-failover"
	rolloutKey     = "max-rollout-wait"
	leftoversKey   = "clean-up-leftovers"
	marginKey      = "margin"
	dryRunKey      = "dry-run"
	leaseKey       = "lease-duration"
	renewKey       = "renew-deadline"
	retryKey       = "retry-period"
	bucketsKey     = "buckets"
	// mappingKey is the start of keys that end in <component>.<queue>.
	mappingKey = "map-lease-prefix."
)

// Key documents a key of our ConfigMap.
type Key struct {
	// Name is the key. Parts in <> stand for any text.
	Name string
	// Legacy is an older spelling that is read too, if there is one.
	Legacy string
	// Default is the value that a missing key has, if it has any.
	Default string
	// Legal says which values are legal.
	Legal string
	// Doc says in one sentence what the key is for.
	Doc string
}

// Keys returns all legal keys of our ConfigMap.
func Keys() []Key {
	return append(ownKeys(), electionKeys()...)
}

func ownKeys() []Key {
	return []Key{{
		Name:    deploymentsKey,
		Default: "tekton-pipelines-controller",
		Legal: "the names of other Deployments in this namespace, each once, with commas or spaces between them; " +
			"* among them stands for all that are found to share their work by such leases",
		Doc: "The controllers whose leader-election leases are evened out over their replicas; webhooks are never among " +
			"them, and " + strings.Join(inMemory, " and ") + ", which keep state in memory, only by name.",
	}, {
		Name:    strategyKey,
		Default: string(Handover),
		Legal:   "handover or delete",
		Doc: "How a lease is moved: handover waits until the old leader has stopped; " +
			"delete does not wait, and so leaves two leaders for up to 50s at the default timings.",
	}, {
		Name:    windowKey,
		Default: "30s",
		Legal:   "a duration from 0s to 10m",
		Doc: "How long a replica must have been Ready before it gets leases; it doubles each time that the replica restarts or " +
			"is not Ready for a while, and with each change of the Deployment's replicas within half an hour, up to 10m.",
	}, {
		Name:    inFlightKey,
		Default: "0",
		Legal:   "a whole number from 0 to 1000, 0 for no limit",
		Doc:     "How many leases of one Deployment may be on their way at once: fewer have fewer buckets without a leader at a time, and take longer.",
	}, {
		Name:    failoverKey,
		Default: "true",
		Legal:   "true or false",
		Doc: "Whether leases that nobody leads, because their leader has crashed or was stopped, are given to the " +
			"replicas that should have them at once; otherwise they are left to expire and to chance.",
	}, {
		Name:    rolloutKey,
		Default: "10m",
		Legal:   "a duration from 1m to 24h",
		Doc: "How long a rollout may keep the replicas that are Ready from being evened out: one that cannot be finished " +
			"must not do so for ever.",
	}, {
		Name:    leftoversKey,
		Default: "true",
		Legal:   "true or false",
		Doc: "Whether leases of a bucket count that is no longer used are deleted, when nobody has touched them for 10m " +
			"and no running pod could hold them.",
	}, {
		Name:    marginKey,
		Default: "0s",
		Legal:   "a duration from 5s to 60s, or 0s",
		Doc: "How much longer than a leader needs to give up each handover waits at least; it can only be raised above what the " +
			"leader's own lateness demands, which is 2s and more, and nobody leads the bucket for as much longer.",
	}, {
		Name:    dryRunKey,
		Default: "false",
		Legal:   "true or false",
		Doc: "Whether moves are only planned and told, in the status, the log and Events, and no lease is written; " +
			"what is in a handover when it is switched on is given back.",
	}}
}

func electionKeys() []Key {
	return []Key{{
		Name:    leaseKey,
		Legacy:  "leaseDuration",
		Default: "60s",
		Legal:   "a duration of 1s or more that is longer than renew-deadline",
		Doc: "How long a standby of this controller waits before it takes over from a leader that has stopped renewing; " +
			"like all keys below it is about this controller's own election, not Tekton's, and is read at its start.",
	}, {
		Name:    renewKey,
		Legacy:  "renewDeadline",
		Default: "40s",
		Legal:   "a duration longer than 1.2 times retry-period",
		Doc:     "How long the leader of this controller tries to renew its lease before it gives up.",
	}, {
		Name:    retryKey,
		Legacy:  "retryPeriod",
		Default: "10s",
		Legal:   "a duration longer than 0s",
		Doc:     "How long this controller's replicas wait between two tries to renew or to acquire the lease.",
	}, {
		Name:    bucketsKey,
		Default: "1",
		Legal: "1, for this controller's own election; Tekton's bucket count is set in the ConfigMap of " +
			"Tekton's own controller, which is config-leader-election-controller for tekton-pipelines-controller",
		Doc: "The number of leases of this controller's own election, which cannot be changed.",
	}, {
		Name:  mappingKey + "<component>.<queue>",
		Legal: "a name of lower-case letters, digits, - and ., which is no prefix of anybody else's leases",
		Doc:   "Replaces the prefix of the name of this controller's own lease.",
	}}
}

// is reports whether a key of a ConfigMap is this one.
func (k Key) is(key string) bool {
	if start, _, open := strings.Cut(k.Name, "<"); open {
		return strings.HasPrefix(key, start) && key != start
	}
	return key == k.Name || (k.Legacy != "" && key == k.Legacy)
}

// find returns the documentation of a key of a ConfigMap.
func find(keys []Key, key string) (Key, bool) {
	for _, k := range keys {
		if k.is(key) {
			return k, true
		}
	}
	return Key{}, false
}

// names lists keys for a message.
func names(keys []Key) string {
	list := make([]string, 0, len(keys))
	for _, k := range keys {
		list = append(list, k.Name)
	}
	return strings.Join(list, ", ")
}

// IsTiming tells whether a key of an election's ConfigMap is one of its timings.
func IsTiming(key string) bool {
	k, ok := find(electionKeys(), key)
	return ok && (k.Name == leaseKey || k.Name == renewKey || k.Name == retryKey)
}
