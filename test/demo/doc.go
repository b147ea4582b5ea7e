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

// Command demo plays a story on a real cluster: a replica of Tekton's
// controller is deleted, the others take its leases, the new replica gets
// nothing, and the leases controller makes it even. It proves the result from
// the log lines of Tekton's own electors. hack/demo.sh builds and runs it;
// usage.txt is its documentation.
//
// The node is closed for new pods (cordoned) while the replica is deleted, as
// in every upgrade of a node: where the new pod is there within a second it
// finds the leases just released, and takes them before the others look again.
package main
