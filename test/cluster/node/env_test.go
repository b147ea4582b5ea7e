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
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/utils/ptr"
)

func plain(name, value string) corev1.EnvVar { return corev1.EnvVar{Name: name, Value: value} }

func fromField(name, path string) corev1.EnvVar {
	return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: path}}}
}

func fromConfigMap(name, object, key string, optional *bool) corev1.EnvVar {
	return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{ConfigMapKeyRef: &corev1.ConfigMapKeySelector{
		LocalObjectReference: corev1.LocalObjectReference{Name: object}, Key: key, Optional: optional,
	}}}
}

func fromSecret(name, object, key string) corev1.EnvVar {
	return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
		LocalObjectReference: corev1.LocalObjectReference{Name: object}, Key: key,
	}}}
}

func TestEnvironment(t *testing.T) {
	k, _ := newTestKubelet(t,
		service("default", "kubernetes", "10.96.0.1"), service("default", "other", "10.96.0.2"),
		service(testNamespace, "mine", "10.96.0.3"), service(testNamespace, "headless", corev1.ClusterIPNone),
		configMap("settings", map[string]string{"COLOUR": "red", "SIZE": "1"}),
		secret("keys", map[string][]byte{"PASSWORD": []byte("s3cret")}),
	)
	cases := map[string]struct {
		env     []corev1.EnvVar
		from    []corev1.EnvFromSource
		args    []string
		want    map[string]string // of the variables that it names
		absent  []string
		argWant []string
		err     string
	}{
		"services": {
			want: map[string]string{
				"KUBERNETES_SERVICE_HOST": "10.96.0.1", "KUBERNETES_SERVICE_PORT": "443",
				"MINE_SERVICE_HOST": "10.96.0.3", "HOSTNAME": "pod-1",
			},
			absent: []string{"OTHER_SERVICE_HOST", "HEADLESS_SERVICE_HOST"},
		},
		"a later variable may use an earlier one, not the reverse": {
			env:     []corev1.EnvVar{plain("A", "$(B)"), plain("B", "b"), plain("C", "$(B)$(MINE_SERVICE_HOST)$$(B)")},
			args:    []string{"-x=$(C)", "$(UNKNOWN)"},
			want:    map[string]string{"A": "$(B)", "C": "b10.96.0.3$(B)"},
			argWant: []string{"-x=b10.96.0.3$(B)", "$(UNKNOWN)"},
		},
		"fields of the pod": {
			env: []corev1.EnvVar{
				fromField("NS", "metadata.namespace"), fromField("NAME", "metadata.name"), fromField("UID", "metadata.uid"),
				fromField("LABEL", "metadata.labels['app']"), fromField("IP", "status.podIP"), fromField("NODE", "spec.nodeName"),
				fromField("HOST", "status.hostIP"), fromField("ACCOUNT", "spec.serviceAccountName"),
			},
			want: map[string]string{
				"NS": testNamespace, "NAME": "pod-1", "UID": "uid-1", "LABEL": "x", "IP": "10.244.0.7", "NODE": Name,
				"HOST": "127.0.0.1", "ACCOUNT": "account",
			},
		},
		"keys": {
			env:    []corev1.EnvVar{fromConfigMap("A", "settings", "COLOUR", nil), fromSecret("B", "keys", "PASSWORD"), fromConfigMap("C", "no", "no", ptr.To(true))},
			want:   map[string]string{"A": "red", "B": "s3cret"},
			absent: []string{"C"},
		},
		"all keys, replaced by single ones": {
			from: []corev1.EnvFromSource{
				{ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: "settings"}}},
				{Prefix: "P_", SecretRef: &corev1.SecretEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: "keys"}}},
			},
			env:  []corev1.EnvVar{plain("SIZE", "2")},
			want: map[string]string{"COLOUR": "red", "SIZE": "2", "P_PASSWORD": "s3cret"},
		},
		"resources": {
			env:  []corev1.EnvVar{{Name: "CPU", ValueFrom: &corev1.EnvVarSource{ResourceFieldRef: &corev1.ResourceFieldSelector{Resource: "limits.cpu"}}}},
			want: map[string]string{"CPU": "3"},
		},
		"a missing ConfigMap":       {env: []corev1.EnvVar{fromConfigMap("A", "no", "k", nil)}, err: "failed to set A: failed to read a ConfigMap"},
		"a missing key":             {env: []corev1.EnvVar{fromConfigMap("A", "settings", "no", nil)}, err: `there is no key "no"`},
		"a missing Secret":          {env: []corev1.EnvVar{fromSecret("A", "no", "k")}, err: "failed to read a Secret"},
		"a source of another world": {env: []corev1.EnvVar{{Name: "A", ValueFrom: &corev1.EnvVarSource{}}}, err: "not supported"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p := newTestPod(k, testPod(func(p *corev1.Pod) {
				c := &p.Spec.Containers[0]
				c.Env, c.EnvFrom = tc.env, tc.from
				c.Resources.Limits = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("3")}
			}))
			env, err := p.mains[0].environment(t.Context())
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Errorf("got error %v, want %q", err, tc.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for name := range tc.want {
				got[name] = env[name]
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("unexpected variables (-want, +got): %s", diff)
			}
			for _, name := range tc.absent {
				if value, found := env[name]; found {
					t.Errorf("%s is set to %q", name, value)
				}
			}
			if tc.args != nil {
				if diff := cmp.Diff(tc.argWant, env.expandAll(tc.args)); diff != "" {
					t.Errorf("unexpected arguments (-want, +got): %s", diff)
				}
			}
		})
	}
}

func TestServiceLinksCanBeSwitchedOff(t *testing.T) {
	k, _ := newTestKubelet(t, service("default", "kubernetes", "10.96.0.1"), service(testNamespace, "mine", "10.96.0.3"))
	p := newTestPod(k, testPod(func(p *corev1.Pod) { p.Spec.EnableServiceLinks = ptr.To(false) }))
	env, err := p.mains[0].environment(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, found := env["MINE_SERVICE_HOST"]; found {
		t.Error("a service is announced although links are off")
	}
	if got, want := env["KUBERNETES_SERVICE_HOST"], "10.96.0.1"; got != want {
		t.Errorf("the API server is announced at %q, want %q", got, want)
	}
}

func TestListIsOrdered(t *testing.T) {
	want := []string{"A=1", "B=2=3", "C="}
	if diff := cmp.Diff(want, environment{"C": "", "B": "2=3", "A": "1"}.list()); diff != "" {
		t.Errorf("unexpected list (-want, +got): %s", diff)
	}
}
