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

// Package e2e holds the tests that run on a cluster, whichever KUBECONFIG
// names, with the real Tekton controllers (build tag e2e). They install both
// controllers, change how many replicas there are, and judge by the log lines
// of Tekton's own electors. They change the cluster, one after the other.
//
// TestAnswers is of another kind: it compares the API in memory of pkg/testing
// with the cluster's API server.
package e2e
