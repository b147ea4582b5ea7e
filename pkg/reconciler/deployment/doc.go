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

// Package deployment reconciles the Deployments whose replicas share their work
// by leader-election leases: it keeps the leases of each of their queues evenly
// spread over the replicas that can lead.
//
// A reconcile is four calls: observe the Deployment, plan, act, and report. It
// never waits: work in flight is finished by coming back at the time that a
// handover names. What is in flight is remembered per Deployment, and can be
// lost at any time: all that others need to know of it is in the Leases.
package deployment
