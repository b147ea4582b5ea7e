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

package bucket

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// maxHostname is what Linux leaves for a hostname: 64 bytes with the end mark.
const maxHostname = 63

// Hostname returns the hostname that the processes of a pod see. It reports
// false as long as that cannot be known: a pod in the network of its node has
// the node's hostname (taken to be the node's name) once it is scheduled, and
// setHostnameAsFQDN adds the domain of the cluster, which no pod object shows.
//
// The rules are those of the kubelet (pkg/kubelet/kubelet_pods.go).
func Hostname(pod *corev1.Pod) (string, bool) {
	spec := &pod.Spec
	name := pod.Name
	switch {
	case spec.HostNetwork:
		return spec.NodeName, spec.NodeName != ""
	case spec.HostnameOverride != nil:
		name = *spec.HostnameOverride
	case spec.SetHostnameAsFQDN != nil && *spec.SetHostnameAsFQDN && spec.Subdomain != "":
		return "", false
	case spec.Hostname != "":
		name = spec.Hostname
	}
	name = cutHostname(name)
	return name, name != ""
}

// cutHostname shortens a name as the kubelet does.
func cutHostname(name string) string {
	if len(name) <= maxHostname {
		return name
	}
	return strings.TrimRight(name[:maxHostname], "-.")
}
