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

package config_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
)

// TestPodSecurity asks for what the Pod Security level "restricted" asks for, and for more.
func TestPodSecurity(t *testing.T) {
	want := &corev1.SecurityContext{
		AllowPrivilegeEscalation: ptr.To(false),
		ReadOnlyRootFilesystem:   ptr.To(true),
		Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		RunAsUser:                ptr.To(int64(65532)),
		RunAsGroup:               ptr.To(int64(65532)),
		RunAsNonRoot:             ptr.To(true),
		SeccompProfile:           &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
	}
	if diff := cmp.Diff(want, container(t).SecurityContext); diff != "" {
		t.Errorf("security context (-want, +got):\n%s", diff)
	}
	pod := get[*appsv1.Deployment](t, "Deployment").Spec.Template.Spec
	if pod.HostNetwork || pod.HostPID || pod.HostIPC {
		t.Error("the pod shares a namespace with its node")
	}
	if len(pod.Volumes) > 0 {
		t.Errorf("got volumes %v, want none", pod.Volumes)
	}
}

func TestNotOnWindows(t *testing.T) {
	affinity := get[*appsv1.Deployment](t, "Deployment").Spec.Template.Spec.Affinity
	want := &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
		MatchExpressions: []corev1.NodeSelectorRequirement{{
			Key: corev1.LabelOSStable, Operator: corev1.NodeSelectorOpNotIn, Values: []string{"windows"},
		}},
	}}}
	got := affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("required nodes (-want, +got):\n%s", diff)
	}
}

// ports are the ones that knative.dev/pkg serves on.
var ports = map[string]int32{"metrics": 9090, "profiling": 8008, "probes": 8080}

func TestPorts(t *testing.T) {
	inContainer := map[string]int32{}
	for _, port := range container(t).Ports {
		inContainer[port.Name] = port.ContainerPort
	}
	if diff := cmp.Diff(ports, inContainer); diff != "" {
		t.Errorf("ports of the container (-want, +got):\n%s", diff)
	}
	inService := map[string]int32{}
	for _, port := range get[*corev1.Service](t, "Service").Spec.Ports {
		inService[port.TargetPort.String()] = port.Port
	}
	if diff := cmp.Diff(ports, inService); diff != "" {
		t.Errorf("ports of the Service, by target (-want, +got):\n%s", diff)
	}
}

func TestProbes(t *testing.T) {
	for path, probe := range map[string]*corev1.Probe{
		"/health":    container(t).LivenessProbe,
		"/readiness": container(t).ReadinessProbe,
	} {
		want := &corev1.HTTPGetAction{Path: path, Port: intstr.FromString("probes"), Scheme: corev1.URISchemeHTTP}
		if diff := cmp.Diff(want, probe.HTTPGet); diff != "" {
			t.Errorf("probe (-want, +got):\n%s", diff)
		}
	}
}

// TestNetworkPolicy: beside a policy that denies everything, metrics and probes get in and every call gets out.
func TestNetworkPolicy(t *testing.T) {
	spec := get[*networkingv1.NetworkPolicy](t, "NetworkPolicy").Spec
	got := map[int32]bool{}
	for _, rule := range spec.Ingress {
		if len(rule.From) > 0 {
			t.Errorf("got ingress from %v, want from everywhere", rule.From)
		}
		for _, port := range rule.Ports {
			got[port.Port.IntVal] = true
		}
	}
	want := []int32{ports["probes"], ports["metrics"]}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(got))); diff != "" {
		t.Errorf("open ports (-want, +got):\n%s", diff)
	}
	if diff := cmp.Diff([]networkingv1.NetworkPolicyEgressRule{{}}, spec.Egress); diff != "" {
		t.Errorf("egress (-want, +got):\n%s", diff)
	}
	wantTypes := []networkingv1.PolicyType{networkingv1.PolicyTypeIngress, networkingv1.PolicyTypeEgress}
	if diff := cmp.Diff(wantTypes, spec.PolicyTypes); diff != "" {
		t.Errorf("policy types (-want, +got):\n%s", diff)
	}
}
