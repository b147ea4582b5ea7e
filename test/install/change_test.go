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

package install

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

type changer interface {
	change(object *unstructured.Unstructured) error
}

func parse(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &object.Object); err != nil {
		t.Fatal("failed to parse the test's object:", err)
	}
	return object
}

const (
	deployment = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: x}, spec: {replicas: 1, paused: true}}`
	crd        = `{kind: CustomResourceDefinition, metadata: {name: x}, spec: {group: g, conversion: {strategy: Webhook}}}`
)

func TestChange(t *testing.T) {
	tekton := TektonOptions{Replicas: 3, Buckets: 10, LeaseDuration: time.Minute, RenewDeadline: 40 * time.Second, RetryPeriod: 1500 * time.Millisecond}
	elsewhere := TektonOptions{Namespace: "elsewhere"}
	leases := LeasesOptions{Replicas: 2, Data: map[string]string{"strategy": "delete"}}
	for name, tc := range map[string]struct {
		options      changer
		object, want string
	}{
		"Tekton's replicas": {
			options: tekton, object: deployment,
			want: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: x}, spec: {replicas: 3, paused: true}}`,
		},
		"Tekton's election": {
			options: tekton,
			object:  `{kind: ConfigMap, metadata: {name: config-leader-election-controller}, data: {_example: text, buckets: "1"}}`,
			want: `{kind: ConfigMap, metadata: {name: config-leader-election-controller},
				data: {_example: text, buckets: "10", lease-duration: 1m0s, renew-deadline: 40s, retry-period: 1.5s}}`,
		},
		"an election ConfigMap of another controller": {
			options: tekton,
			object:  `{kind: ConfigMap, metadata: {name: config-leader-election-events}, data: {buckets: "1"}}`,
			want:    `{kind: ConfigMap, metadata: {name: config-leader-election-events}, data: {buckets: "1"}}`,
		},
		"the election of events": {
			options: TektonOptions{Events: true, Buckets: 8},
			object:  `{kind: ConfigMap, metadata: {name: config-leader-election-events}, data: {buckets: "1"}}`,
			want:    `{kind: ConfigMap, metadata: {name: config-leader-election-events}, data: {buckets: "8"}}`,
		},
		"the election of resolvers": {
			options: TektonOptions{Resolvers: true, Buckets: 8},
			object:  `{kind: ConfigMap, metadata: {name: config-leader-election-resolvers}, data: {buckets: "1"}}`,
			want:    `{kind: ConfigMap, metadata: {name: config-leader-election-resolvers}, data: {buckets: "8"}}`,
		},
		"the program of an image, in a version": {
			options: TektonOptions{Version: "v1"},
			object:  `{kind: Deployment, metadata: {name: x}, spec: {template: {spec: {containers: [{name: c, image: i, command: [tini, c], args: [a]}]}}}}`,
			want:    `{kind: Deployment, metadata: {name: x}, spec: {template: {spec: {containers: [{name: c, image: i@v1, args: [a]}]}}}}`,
		},
		"more arguments": {
			options: TektonOptions{Args: []string{"-b", "-c"}},
			object:  `{kind: Deployment, metadata: {name: x}, spec: {template: {spec: {containers: [{name: c, args: [-a]}, {name: d}]}}}}`,
			want:    `{kind: Deployment, metadata: {name: x}, spec: {template: {spec: {containers: [{name: c, args: [-a, -b, -c]}, {name: d, args: [-b, -c]}]}}}}`,
		},
		"a CRD": {
			options: tekton, object: crd,
			want: `{kind: CustomResourceDefinition, metadata: {name: x}, spec: {group: g}}`,
		},
		"a Namespace": {
			options: elsewhere, object: `{kind: Namespace, metadata: {name: tekton-pipelines}}`,
			want: `{kind: Namespace, metadata: {name: elsewhere}}`,
		},
		"a Deployment for another namespace": {
			options: elsewhere, object: `{kind: Deployment, metadata: {name: x, namespace: tekton-pipelines}, spec: {replicas: 1}}`,
			want: `{kind: Deployment, metadata: {name: x, namespace: elsewhere}, spec: {replicas: 1}}`,
		},
		"a RoleBinding for another namespace": {
			options: LeasesOptions{Namespace: "elsewhere"},
			object: `{kind: RoleBinding, metadata: {name: x, namespace: tekton-pipelines},
				subjects: [{kind: ServiceAccount, name: x, namespace: tekton-pipelines}, {kind: Group, name: g}]}`,
			want: `{kind: RoleBinding, metadata: {name: x, namespace: elsewhere},
				subjects: [{kind: ServiceAccount, name: x, namespace: elsewhere}, {kind: Group, name: g}]}`,
		},
		"a ClusterRoleBinding for another namespace": {
			options: elsewhere,
			object:  `{kind: ClusterRoleBinding, metadata: {name: x}, subjects: [{kind: ServiceAccount, name: x, namespace: tekton-pipelines}]}`,
			want:    `{kind: ClusterRoleBinding, metadata: {name: x-elsewhere}, subjects: [{kind: ServiceAccount, name: x, namespace: elsewhere}]}`,
		},
		"a ClusterRole is shared": {
			options: elsewhere, object: `{kind: ClusterRole, metadata: {name: x}}`, want: `{kind: ClusterRole, metadata: {name: x}}`,
		},
		"Tekton as shipped": {options: TektonOptions{}, object: deployment, want: deployment},
		"Tekton's election as shipped": {
			options: TektonOptions{},
			object:  `{kind: ConfigMap, metadata: {name: config-leader-election-controller}, data: {_example: text}}`,
			want:    `{kind: ConfigMap, metadata: {name: config-leader-election-controller}, data: {_example: text}}`,
		},
		"our replicas": {
			options: leases, object: deployment,
			want: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: x}, spec: {replicas: 2, paused: true}}`,
		},
		"our ConfigMap, without data": {
			options: leases,
			object:  `{kind: ConfigMap, metadata: {name: config-leader-election-leases}}`,
			want:    `{kind: ConfigMap, metadata: {name: config-leader-election-leases}, data: {strategy: delete}}`,
		},
		"another ConfigMap of ours": {
			options: leases,
			object:  `{kind: ConfigMap, metadata: {name: config-observability-leases}, data: {a: b}}`,
			want:    `{kind: ConfigMap, metadata: {name: config-observability-leases}, data: {a: b}}`,
		},
		"a CRD is none of ours":        {options: leases, object: crd, want: crd},
		"we as shipped":                {options: LeasesOptions{}, object: deployment, want: deployment},
		"another kind":                 {options: tekton, object: `{kind: Role, metadata: {name: x}}`, want: `{kind: Role, metadata: {name: x}}`},
		"a Service with the same name": {options: tekton, object: `{kind: Service, metadata: {name: config-leader-election-controller}}`, want: `{kind: Service, metadata: {name: config-leader-election-controller}}`},
	} {
		t.Run(name, func(t *testing.T) {
			got := parse(t, tc.object)
			if err := tc.options.change(got); err != nil {
				t.Fatal("change() =", err)
			}
			if diff := cmp.Diff(normalized(t, parse(t, tc.want)), normalized(t, got)); diff != "" {
				t.Errorf("change() (-want, +got):\n%s", diff)
			}
		})
	}
}

func TestChangeRefusesDataThatIsNoText(t *testing.T) {
	object := parse(t, `{kind: ConfigMap, metadata: {name: config-leader-election-leases}, data: {buckets: 1}}`)
	if err := (LeasesOptions{}).change(object); err == nil {
		t.Error("change() = nil, want an error: data holds a number")
	}
}

// normalized makes numbers comparable: text yields float64, changes int64.
func normalized(t *testing.T, object *unstructured.Unstructured) string {
	t.Helper()
	text, err := yaml.Marshal(object.Object)
	if err != nil {
		t.Fatal("failed to write the object:", err)
	}
	return string(text)
}
