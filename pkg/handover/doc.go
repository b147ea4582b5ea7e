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
