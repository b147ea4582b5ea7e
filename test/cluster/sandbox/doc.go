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
// Two programs are started by running this very executable again, so its main must hand over to Outer's child and to
// Init when os.Args[1] is the name of one of them:
//
//   - Supervise starts a command as process 1 of new process and mount namespaces (and a user namespace where the
//     caller is not root). When it ends, or is killed, the kernel ends everything below it.
//   - InitCommand prepares the root directory of one container and becomes the container's process.
//
// /proc of the first kind of program stays that of the host, so that a container can tell the process id by which the
// host knows it.
package sandbox
