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

// Package observe turns what the API server shows, and what we saw of it over
// time, into the picture that decisions are made on.
//
// A Lease alone says little: its stamps are by another machine's clock, and a
// holder that died looks like one that lives. So a [Tracker] remembers when this
// process saw each Lease change, by its own monotonic clock, and an [Observer]
// joins that with the pods of a Deployment into a [View]: which queues belong to
// the Deployment, who leads which bucket, which replicas count, and what stands
// in the way of moving a lease. The View's Plan is the planner's, without the moves
// that what was seen so far speaks against: the controller and the command line
// tool share it.
//
// Rules:
//
//   - A lease belongs to the Deployment whose pods hold it or held it last,
//     never to whoever shares the first word of its name.
//   - A holder that maps to no pod of the Deployment blocks its queue, until its
//     lease expires as this process saw it. It is never guessed.
//   - A process has ended only if what it wrote itself is older than what its own
//     node says of its end. A vanished pod, a deletion timestamp and the arrival
//     of a report prove nothing.
//   - A replica counts when it has been Ready for a while, the longer the less
//     stable it and its Deployment were in the last half hour.
//   - Whoever wants to know what happened to a pod that is gone finds its last
//     state, as long as a lease was led by it last.
//   - A stamp counts as written by a process only if we saw that process renew:
//     a record that we wrote in its name says nothing about it.
package observe
