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

package node

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/test/cluster/sandbox"
)

func TestDescribe(t *testing.T) {
	const image = "ko://example.com/cmd/image"
	type result struct {
		Args, Env  []string
		WorkingDir string
		Mounts     []sandbox.Mount
		ReadOnly   bool
	}
	program := sandbox.Mount{Source: "/bin/image", Target: "/ko-app/image", ReadOnly: true}
	words := sandbox.Mount{Source: ".messages/c", Target: "/dev/termination-log"}
	cases := map[string]struct {
		spec   corev1.Container
		want   result
		reason string // why it cannot be started
	}{
		"only an image": {
			spec: corev1.Container{Image: image},
			want: result{Args: []string{"/ko-app/image"}, WorkingDir: "/", Mounts: []sandbox.Mount{words, program}},
		},
		"arguments are expanded, also those that look like images": {
			spec: corev1.Container{Image: image, Args: []string{"-a=$(A)", "ko://other"}, Env: []corev1.EnvVar{plain("A", "1")}},
			want: result{Args: []string{"/ko-app/image", "-a=1", "ko://other"}, Env: []string{"A=1"}, WorkingDir: "/", Mounts: []sandbox.Mount{words, program}},
		},
		"a command replaces the image's own": {
			spec: corev1.Container{Image: image, Command: []string{"/tool", "x"}, Args: []string{"y"}, WorkingDir: "/work"},
			want: result{Args: []string{"/tool", "x", "y"}, WorkingDir: "/work", Mounts: []sandbox.Mount{words, program}},
		},
		"volumes": {
			spec: corev1.Container{
				Image: image, TerminationMessagePath: "/words",
				VolumeMounts:    []corev1.VolumeMount{{Name: "v", MountPath: "/v", ReadOnly: true}, {Name: "v", SubPath: "deep/er", MountPath: "/d"}},
				SecurityContext: &corev1.SecurityContext{ReadOnlyRootFilesystem: ptr.To(true)},
			},
			want: result{
				Args: []string{"/ko-app/image"}, WorkingDir: "/", ReadOnly: true,
				Mounts: []sandbox.Mount{
					{Source: "v", Target: "/v", ReadOnly: true},
					{Source: "v/deep/er", Target: "/d"},
					{Source: ".messages/c", Target: "/words"},
					program,
				},
			},
		},
		"an unknown image": {spec: corev1.Container{Image: "busybox"}, reason: "ErrImagePull"},
		"a variable from nowhere": {
			spec:   corev1.Container{Image: image, Env: []corev1.EnvVar{fromConfigMap("A", "no", "k", nil)}},
			reason: "CreateContainerConfigError",
		},
		"a sidecar": {
			spec:   corev1.Container{Image: image, RestartPolicy: ptr.To(corev1.ContainerRestartPolicyAlways)},
			reason: "CreateContainerConfigError",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			k, _ := newTestKubelet(t)
			k.images[image] = "/bin/image"
			tc.spec.Name = "c"
			p := newTestPod(k, testPod(func(p *corev1.Pod) { p.Spec.Containers[0] = tc.spec }))
			description, err := p.mains[0].describe(t.Context())
			if tc.reason != "" {
				if h := (*hindrance)(nil); !errors.As(err, &h) || h.reason != tc.reason {
					t.Errorf("got error %v, want the reason %s", err, tc.reason)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := result{Args: description.Args, WorkingDir: description.WorkingDir, Mounts: description.Mounts, ReadOnly: description.ReadOnly}
			for i := range got.Mounts {
				if path, err := filepath.Rel(p.volumesDir(), got.Mounts[i].Source); err == nil && !strings.HasPrefix(path, "..") {
					got.Mounts[i].Source = path
				}
			}
			for _, variable := range tc.want.Env {
				if slices.Contains(description.Env, variable) {
					got.Env = append(got.Env, variable)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("unexpected container (-want, +got): %s", diff)
			}
		})
	}
}

func TestHostname(t *testing.T) {
	long := strings.Repeat("x", 62)
	cases := map[string]struct{ name, hostname, want string }{
		"the pod's name":              {name: "pod-1", want: "pod-1"},
		"a name of its own":           {name: "pod-1", hostname: "other", want: "other"},
		"cut to 63 characters":        {name: long + "yz", want: long + "y"},
		"not cut behind a separator":  {name: long + "-z", want: long},
		"not cut behind a dot either": {name: long + ".z", want: long},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			object := testPod(func(p *corev1.Pod) { p.Name, p.Spec.Hostname = tc.name, tc.hostname })
			if got := hostname(object); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
