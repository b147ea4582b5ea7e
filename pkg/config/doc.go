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

// Package config reads the ConfigMaps that this controller depends on: its own,
// and the leader-election ConfigMaps of the controllers whose leases it evens
// out. It parses and keeps them; reading them from the cluster is left to its
// callers.
//
// # Our ConfigMap
//
// It is named by CONFIG_LEADERELECTION_NAME, as in every binary built on
// knative.dev/pkg, and carries two kinds of keys (Keys lists them all):
// our own (NewFromConfigMap), which take effect at once, and those of our own
// leader election (OwnElection), which are read once at start. The rules:
//
//   - A missing ConfigMap and a missing key mean the defaults.
//   - An unknown key is a fault, so that a misspelt one does not pass unseen.
//   - A fault refuses the whole map. All faults are reported, one line each.
//   - The election keys are parsed by knative. They must also pass the checks of
//     client-go, because an election that client-go refuses ends the process.
//   - "buckets" must be 1. It would be the number of leases of our own election,
//     and whoever sets it has most likely meant Tekton's.
//
// No fault ends the process. A Store keeps the last good configuration, and has
// none before the first; OwnElection falls back to knative's defaults.
//
// # The ConfigMaps of the managed controllers
//
// Election reads them by knative's parser, so that missing ones and legacy keys
// mean what they mean to the controllers. ElectionConfigMapName and Elects read
// from a pod template which ConfigMap that is, and whether its processes use
// leases at all.
package config
