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
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
)

func annotationFile(path string) []corev1.DownwardAPIVolumeFile {
	return []corev1.DownwardAPIVolumeFile{{Path: path, FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.annotations['note']"}}}
}

func withVolume(source corev1.VolumeSource) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: source}} }
}

func TestVolumes(t *testing.T) {
	k, _ := newTestKubelet(t,
		configMap("settings", map[string]string{"a": "1", "b": "2"}),
		configMap("kube-root-ca.crt", map[string]string{"ca.crt": "authority"}),
		secret("keys", map[string][]byte{"k": {0xff, 0}}),
	)
	reference := func(name string) corev1.LocalObjectReference { return corev1.LocalObjectReference{Name: name} }
	chosen := []corev1.KeyToPath{{Key: "b", Path: "deep/b"}}
	cases := map[string]struct {
		source corev1.VolumeSource
		want   map[string]string
		err    string
	}{
		"empty":               {source: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}, want: map[string]string{}},
		"ConfigMap":           {source: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: reference("settings")}}, want: map[string]string{"a": "1", "b": "2"}},
		"chosen keys":         {source: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: reference("settings"), Items: chosen}}, want: map[string]string{"deep/b": "2"}},
		"Secret":              {source: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "keys"}}, want: map[string]string{"k": "\xff\x00"}},
		"missing":             {source: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "no"}}, err: `volume "v": failed to read a Secret`},
		"missing is optional": {source: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "no", Optional: ptr.To(true)}}, want: map[string]string{}},
		"downward API":        {source: corev1.VolumeSource{DownwardAPI: &corev1.DownwardAPIVolumeSource{Items: annotationFile("n")}}, want: map[string]string{"n": "1"}},
		"not supported":       {source: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{}}, err: "not supported"},
		"service account": {
			source: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
				{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token", ExpirationSeconds: ptr.To[int64](3607)}},
				{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "other", Audience: "them"}},
				{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: reference("kube-root-ca.crt")}},
				{DownwardAPI: &corev1.DownwardAPIProjection{Items: annotationFile("n")}},
				{Secret: &corev1.SecretProjection{LocalObjectReference: reference("keys")}},
			}}},
			want: map[string]string{
				"token": "token for [] of Pod pod-1 uid-1", "other": "token for [them] of Pod pod-1 uid-1",
				"ca.crt": "authority", "n": "1", "k": "\xff\x00",
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p := newTestPod(k, testPod(withVolume(tc.source), func(p *corev1.Pod) { p.UID = "uid-1" }))
			p.uid = "uid-1"
			k.dir = t.TempDir()
			err := p.writeVolumes(t.Context())
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Errorf("got error %v, want %q", err, tc.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, readTree(t, filepath.Join(p.volumesDir(), "v"))); diff != "" {
				t.Errorf("unexpected files (-want, +got): %s", diff)
			}
		})
	}
}

func TestDownwardVolumeFollowsThePod(t *testing.T) {
	k, _ := newTestKubelet(t)
	object := testPod(withVolume(corev1.VolumeSource{DownwardAPI: &corev1.DownwardAPIVolumeSource{Items: annotationFile("n")}}))
	p := newTestPod(k, object)
	if err := p.writeVolumes(t.Context()); err != nil {
		t.Fatal(err)
	}
	object = object.DeepCopy()
	object.Annotations["note"] = "2"
	p.update(object)
	if diff := cmp.Diff(map[string]string{"n": "2"}, readTree(t, filepath.Join(p.volumesDir(), "v"))); diff != "" {
		t.Errorf("unexpected files (-want, +got): %s", diff)
	}
}
