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

// Package install puts Tekton Pipelines and the leases controller into a
// cluster that is there for tests, from the manifests that are shipped. They
// are applied by server-side apply, unchanged apart from this list:
//
//   - The namespace, if another one is asked for, so that several Tektons can run
//     in one cluster; ClusterRoleBindings have its name added to theirs then.
//   - Deployments: spec.replicas, if asked for.
//   - Deployments (Tekton): the version behind the names of the images, if asked
//     for, and no command: that of the remote resolvers is a program which a
//     cluster of test/cluster has not (tini).
//   - config-leader-election-controller, -events and -resolvers (Tekton): buckets
//     and timings, if asked for.
//   - config-leader-election-leases (ours): the data keys asked for.
//   - CustomResourceDefinitions (Tekton): spec.conversion is left out. It
//     names Tekton's webhook, which is not installed here, and the API server
//     would call it for each object of a CRD with several versions.
//
// Of Tekton it is the namespace, accounts and roles, CRDs, ConfigMaps and the
// controller; its events controller and its remote resolvers if asked for. Its
// webhooks are left out.
package install
