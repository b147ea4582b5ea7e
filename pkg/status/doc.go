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

// Package status says what an administrator sees of a Deployment whose replicas
// share their work by leases: who leads what, what should move, and why the rest
// does not. It is pure; Of makes it from a view and a plan on that view.
//
// The types are one schema for two places: what "tkn leases status -o json"
// prints, and the document that the leases controller keeps in the ConfigMap
// leases-controller-status, as YAML, under the key status. Fields may be added;
// any other change of them is a new APIVersion, which a reader of this one
// refuses.
//
// The document differs in three ways. It has no list of leases: whoever can read
// the ConfigMap can list them, and a thousand would not fit. Instead it says of
// each queue how many each replica leads (held), which are to move (moves), and
// which should but do not (stays), by reason. It says what only the controller
// knows: since when a state has lasted, the handovers in flight and the last that
// ended, what is left alone for a while (muted), and the advice given. And nothing
// in it changes only because time goes by: each time is an absolute one, by the
// clock of the controller.
//
// Annotations on that ConfigMap are its users': PausedUntil is read, all are kept.
package status
