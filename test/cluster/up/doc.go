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

// Package up runs a cluster in the foreground: etcd, the control plane and the node, each a process of this very
// executable, all in one process namespace that ends with the command.
//
// Everything a cluster writes is below its directory:
//
//	kubeconfig                             for its administrator
//	log/<component>.log                    what each component printed
//	log/audit.log                          every write that the API server answered, one JSON object a line
//	pods/<namespace>_<pod>/                logs, process ids and ports of the pods (see package node)
//	control-plane/                         keys, tokens, etcd's data, <component>.pid
//	run/                                   a file system in memory that only the cluster itself sees
package up
