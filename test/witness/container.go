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

package witness

import corev1 "k8s.io/api/core/v1"

// The names of the two controllers' containers, which are those of their
// Deployments as well.
const (
	TektonController = "tekton-pipelines-controller"
	LeasesController = "tekton-leases-controller"
)

// Container is the name of the pod's first container, which tells what it is.
func Container(p *corev1.Pod) string {
	if len(p.Spec.Containers) == 0 {
		return ""
	}
	return p.Spec.Containers[0].Name
}
