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

// Package handover moves one lease from the replica that holds it to another
// replica, without ever making two replicas lead the same bucket.
//
// A client-go elector that finds another identity in its lease goes on leading
// until its renew deadline has passed. So a lease cannot just be deleted or
// rewritten: whoever acquires it then leads beside the old holder. A handover
// therefore has these steps:
//
//	hold     our own identity is written into the lease. The old holder's
//	         renewals fail from now on, and nobody else may acquire it.
//	wait     until the old holder has surely given up: the time that its
//	         renew deadline takes since its last renewal, and the proof that
//	         its process was awake and connected all that time.
//	release  the identity of the replica that should have it is written into
//	         the lease (assign). If that identity is not known yet, the lease
//	         is deleted (open) and created in its name as soon as it is known.
//	confirm  the target renewed the lease: done. If it does not come in time,
//	         the lease is deleted so that any replica may acquire it.
//
// # The wait
//
// How long an old holder leads follows from client-go's elector. Its last renewal
// is answered; it sleeps for a retry period; it begins a round of tries, all of
// which fail while we hold the lease; a renew deadline later the round is over; it
// makes a last call, and stops leading. Three things can make that later:
//
//   - The answer and the last call take time. The margin covers both, as measured
//     on its renewals.
//   - Its process stands still. That ends no timer, but nobody acts on one until it
//     goes on: only that of the answer, the sleep or the deadline that has run down
//     meanwhile counts. So its process must be seen awake after each of them: by a
//     renewal of another of its leases that its own clock says to be later than the
//     answer, by one a retry period later than that, and by one a renew deadline
//     later still. No freeze is too short to count, and none counts twice. Where
//     nothing stands still these come with the end of the plain wait.
//   - It gets no answer to its last call. Then it waits for one for another renew
//     deadline, and so do we without a sign of life, or where there was a long pause
//     in them when the round was to end: it may have been cut off then.
//
// An API server that is away makes no holder lead for longer: what we hold it cannot
// renew anyway. It only keeps us from seeing the signs of life. So the wait is over
// at the latest when a renew deadline and a margin have passed since the first of
// them after it, or two renew deadlines and what else it takes since the old
// holder's last renewal. What was late because of it is no lateness: renewals that
// come later than the limit for a holder that is moved do not enlarge the margin.
//
// A holder that stands still when its second renew deadline ends may find its lease
// gone on when it thaws. It gives up at once then, with one call.
//
// A lease that nobody leads, because its holder's process has ended or has
// emptied it, needs none of the first two steps: it is assigned at once, with one
// update of the dead record ([NewVacant]). An assigned lease whose target is
// stopped before it came for it is released again.
//
// A handover that must not go on is given back: while the old holder may still
// lead, its old record is written again and it goes on without noticing.
//
// The package is split into what a handover decides ([Handover.Next], pure) and
// what it does ([Handover.Do], one API call). All state needed to judge a lease
// in transit is in the Lease itself, in the [Annotation]. Every write carries
// the UID and the resourceVersion that our own previous write returned, never
// what a cache shows: a process of ours that was frozen and thaws cannot undo
// what happened meanwhile.
package handover
