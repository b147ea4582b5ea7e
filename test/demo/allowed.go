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

import "time"

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
