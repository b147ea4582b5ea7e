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

// Package cli is the command line tool "tkn leases". It only reads: leases, pods,
// ReplicaSets, Deployments and ConfigMaps of one namespace. The leases controller
// need not be there.
//
// What it shows comes from the controller's own code: a view of pkg/observe, and
// the plan on it. Two things are different. The controller judges by what it has
// seen over a minute or more, and a command has seen nothing yet. So where a lease
// or a pod carries a stamp, the stamp counts as long as nothing else is known,
// compared with the newest stamp of any lease in the namespace and never with the
// clock of the machine that the command runs on (sight.go). And what no stamp
// tells, namely how late holders renew, is not guessed: the plan is made as if
// they were in time, and the output says so. With --observe, and in watch, it is
// seen as the controller sees it.
package cli
