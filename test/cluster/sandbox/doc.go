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

// Package sandbox starts local processes that see the world of a container: their own hostname, process tree, root
// directory and, shared by the containers of a pod, network. It needs Linux namespaces and nothing else.
//
// It starts this very executable again, in two ways:
//
//   - Supervise starts a command as process 1 of new process and mount namespaces (and a user namespace where the
//     caller is not root). When it ends, or is killed, the kernel ends everything below it.
//   - Start starts a container: the executable prepares the container's root directory and then becomes its process.
//     An executable that imports this package can do so without any help of its main.
//
// /proc of a supervised command stays that of the host, so that a container can tell the process id by which the host
// knows it.
package sandbox
