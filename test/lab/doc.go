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

// Package lab runs knative's own electors and the whole of our controller in virtual time, around one Kubernetes API in
// memory, and checks at each promotion, demotion and write that what the project promises holds.
//
// Run starts a Lab inside a testing/synctest bubble. What a scenario does to it (Scale, Stop, Restart, Configure and so on)
// takes virtual time; what the cluster's own controllers and the kubelet would do about it, the Lab does: pods, their
// status, the counts of the Deployment. It does so at once and without faults. Only the electors and our controller meet
// the network that Options describe.
//
// The rules that are easy to miss:
//
//   - A process leads from Promote to Demote, as its electors say, or until it ends. Knative's electors call Demote also
//     where they never led, and only after the release of the lease: a process that was asked to stop does not count as
//     a second leader.
//   - A replica's pod keeps its name when its container is restarted, but its process gets new identities.
//   - Everything left to chance depends on the seed. Nothing in a scenario may use the real clock or the order of maps.
package lab
