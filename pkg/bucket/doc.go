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

// Package bucket reads and writes the two texts by which leader election
// shows itself in a Lease: its name, and the identity of its holder.
//
// # Names
//
// An elector of knative.dev/pkg names the lease of a bucket
//
//	<component>.<queue>.<NN>-of-<MM>
//
// in lower case, where NN is the bucket's ordinal, MM the number of buckets,
// and both have two digits at least. An entry
// "map-lease-prefix.<component>.<queue>" of the leader-election ConfigMap
// replaces everything before ".<NN>-of-<MM>". The function that does so in
// knative.dev/pkg is private (standardBucketName in leaderelection/context.go);
// NewGroup and Group.Name state its rule once more, and the conformance test
// of this package holds both together: it compares them with the names that
// running electors of knative create.
//
// Parse accepts exactly the names that Group.Name can produce and an API
// server can store, with 999 buckets at the most, so that formatting what was
// parsed gives the same text.
//
// # Identities
//
// An elector writes "<hostname>_<uid>" into a lease that it holds. A hostname
// holds no "_", so the first one separates. The uid is made anew for each queue
// of each process: one pod has as many identities as it has queues, and new
// ones after each restart of its container. Hostname says which hostname the
// processes of a pod see.
//
// Our own holds have identities of the same form, with a fixed text in the
// place of the hostname. They are no identities of our own election, in which
// knative.dev/pkg uses the hostname of our pod.
package bucket
