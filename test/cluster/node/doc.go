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

// Package node is a Kubernetes node whose containers are local processes in sandboxes (see package sandbox).
//
// virtual-kubelet registers the node, keeps its lease and status, and serves the kubelet's log endpoint. What happens to
// pods is decided here and not by virtual-kubelet's pod controller, because that deletes the object of a terminating pod
// when its status or its grace period suggests that nothing runs any more, while a kubelet does so when its processes
// have ended. Controllers, and people who measure them, rely on that difference.
//
// An image is a name that a binary was given for; pods with another image wait with ErrImagePull. Below DIR/pods, each
// pod has a directory <namespace>_<pod>, which stays when the pod is gone:
//
//	<container>-<restart>.log   the output of each run of each container
//	<container>.pid             while it runs: its process id as the host sees it, for kill(1)
//	ports.json                  {"<container port>":"<address on the host's loopback>"}
//	partition                   create this file to cut the pod off from the API server, and its node from news of its
//	                            deletion; remove it to heal the cut
//
// What a real node has and this one has not: cgroups (limits are not enforced), users (every process has the one user
// who started the cluster), services and names (only the API server can be reached, by its service address), hooks,
// exec, attach, port-forward, and refreshed volumes other than those of the downward API.
package node
