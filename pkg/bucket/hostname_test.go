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

package bucket_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

func TestHostname(t *testing.T) {
	yes, no := true, false
	override, longOverride := "db.example.com", strings.Repeat("o", 64)
	long := strings.Repeat("a", 62)
	for name, tc := range map[string]struct {
		pod  string
		spec corev1.PodSpec
		want string
	}{
		"the pod's name":                {pod: "controller-abc", want: "controller-abc"},
		"63 characters":                 {pod: long + "b", want: long + "b"},
		"64 characters":                 {pod: long + "bc", want: long + "b"},
		"253 characters":                {pod: strings.Repeat("a", 253), want: long + "a"},
		"cut before a letter, at a -":   {pod: long + "-abc", want: long},
		"cut at several - and .":        {pod: long[:59] + "-.--abc", want: long[:59]},
		"a - inside stays":              {pod: long[:61] + "-b-abc", want: long[:61] + "-b"},
		"named in the spec":             {pod: "controller-abc", spec: corev1.PodSpec{Hostname: "db"}, want: "db"},
		"a subdomain alone adds naught": {pod: "controller-abc", spec: corev1.PodSpec{Subdomain: "db"}, want: "controller-abc"},
		"overridden": {
			pod:  "controller-abc",
			spec: corev1.PodSpec{Hostname: "db", HostnameOverride: &override, Subdomain: "x"},
			want: "db.example.com",
		},
		"overridden by 64 characters": {
			pod:  "controller-abc",
			spec: corev1.PodSpec{HostnameOverride: &longOverride},
			want: longOverride[:63],
		},
		"with the domain of the cluster": {
			pod:  "controller-abc",
			spec: corev1.PodSpec{Hostname: "db", Subdomain: "x", SetHostnameAsFQDN: &yes},
		},
		"with a domain, but there is none": {
			pod:  "controller-abc",
			spec: corev1.PodSpec{Hostname: "db", SetHostnameAsFQDN: &yes},
			want: "db",
		},
		"without the domain": {
			pod:  "controller-abc",
			spec: corev1.PodSpec{Hostname: "db", Subdomain: "x", SetHostnameAsFQDN: &no},
			want: "db",
		},
		"in the node's network, not scheduled": {
			pod:  "controller-abc",
			spec: corev1.PodSpec{HostNetwork: true, Hostname: "db"},
		},
		"in the node's network": {
			pod:  "controller-abc",
			spec: corev1.PodSpec{HostNetwork: true, Hostname: "db", NodeName: "node-1"},
			want: "node-1",
		},
		"not named yet": {},
	} {
		t.Run(name, func(t *testing.T) {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: tc.pod}, Spec: tc.spec}
			got, known := bucket.Hostname(pod)
			if got != tc.want || known != (tc.want != "") {
				t.Errorf("Hostname() = %q, %t, want %q, %t", got, known, tc.want, tc.want != "")
			}
		})
	}
}

// FuzzHostname: whatever a pod is called, a hostname that is known is one that a
// kernel takes, and what the process makes of it as its identity leads back to it.
func FuzzHostname(f *testing.F) {
	f.Add("controller-abc", "", "")
	f.Add(strings.Repeat("-.", 80), "_", "")
	f.Add("a", "", strings.Repeat("\u00e9", 63))
	f.Fuzz(func(t *testing.T, name, hostname, override string) {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PodSpec{Hostname: hostname}}
		if override != "" {
			pod.Spec.HostnameOverride = &override
		}
		got, known := bucket.Hostname(pod)
		if known != (got != "") || len(got) > 63 {
			t.Errorf("Hostname() = %q, %t", got, known)
		}
		if want, _, _ := strings.Cut(got, "_"); bucket.HostnameOf(got+"_0123") != want {
			t.Errorf("HostnameOf(%q) = %q, want %q", got+"_0123", bucket.HostnameOf(got+"_0123"), want)
		}
	})
}
