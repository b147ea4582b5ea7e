//go:build e2e

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
package e2e

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/test/witness"
)

// TestCase17And18NotApplicable: Tekton does not elect (case 17), then it runs as a
// StatefulSet whose replicas have their buckets by ordinals (case 18). Leases from
// the time before lie around. It is said why nothing of them is written.
func TestCase17And18NotApplicable(t *testing.T) {
	t.Parallel()
	c := connectToSome(t, "not-applicable", 1)
	patch := `[{"op":"add","path":"/spec/template/spec/containers/0/args/-","value":"-disable-ha=true"},{"op":"replace","path":"/spec/replicas","value":2}]`
	deployments := c.client.AppsV1().Deployments(c.namespace)
	d, err := deployments.Patch(t.Context(), witness.TektonController, types.JSONPatchType, []byte(patch), metav1.PatchOptions{})
	c.must(err)
	c.wait(startUp, "replicas that do not elect", c.rolledOut)
	before := c.versions()
	if len(before) != c.leases() {
		t.Fatalf("%d leases lie around, want %d: nothing to show", len(before), c.leases())
	}
	c.installOurs(atOnce)
	c.event("LeaderElectionAdvice", "-disable-ha")
	c.unwritten(before)

	c.must(deployments.Delete(t.Context(), d.Name, metav1.DeleteOptions{PropagationPolicy: ptr.To(metav1.DeletePropagationForeground)}))
	container := &d.Spec.Template.Spec.Containers[0]
	container.Args = container.Args[:len(container.Args)-1] // -disable-ha
	c.wait(startUp, "the Deployment's end", func() bool { return len(c.replicas()) == 0 })
	_, err = c.client.AppsV1().StatefulSets(c.namespace).Create(t.Context(), ordinals(d, 2), metav1.CreateOptions{})
	c.must(err)
	c.wait(startUp, "a StatefulSet", func() bool { return len(c.replicas()) == 2 })
	c.wait(startUp, "our word on it", func() bool { return strings.Contains(c.ourLog(), "StatefulSet is left alone") })
	c.unwritten(before)
}

// ordinals is a StatefulSet with the Deployment's pods, as knative.dev/pkg wants it.
func ordinals(d *appsv1.Deployment, replicas int32) *appsv1.StatefulSet {
	template := d.Spec.Template.DeepCopy()
	container := &template.Spec.Containers[0]
	container.Env = append(container.Env,
		corev1.EnvVar{Name: "STATEFUL_CONTROLLER_ORDINAL", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.name"}}},
		corev1.EnvVar{Name: "STATEFUL_SERVICE_NAME", Value: d.Name},
	)
	return &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Name: d.Name},
		Spec:       appsv1.StatefulSetSpec{Replicas: &replicas, Selector: d.Spec.Selector, ServiceName: d.Name, Template: *template},
	}
}

// unwritten fails the test if a lease is written within half a minute.
func (c *cluster) unwritten(before map[string]string) {
	c.t.Helper()
	time.Sleep(30 * time.Second)
	if diff := cmp.Diff(before, c.versions()); diff != "" {
		c.t.Errorf("the versions of the leases (-before, +after):\n%s", diff)
	}
}

// versions are those of the leases of Tekton's queues.
func (c *cluster) versions() map[string]string {
	c.t.Helper()
	list, err := c.client.CoordinationV1().Leases(c.namespace).List(c.t.Context(), metav1.ListOptions{})
	c.must(err)
	versions := map[string]string{}
	for _, l := range list.Items {
		versions[l.Name] = l.ResourceVersion
	}
	maps.DeleteFunc(versions, func(name, _ string) bool { return !c.isBucket(name) })
	return versions
}

// ourLog is what our controller has logged.
func (c *cluster) ourLog() string {
	c.t.Helper()
	var all strings.Builder
	for _, pod := range c.pods(c.t.Context()) {
		if witness.Container(&pod) == witness.LeasesController {
			text, err := c.client.CoreV1().Pods(c.namespace).GetLogs(pod.Name, &corev1.PodLogOptions{}).DoRaw(c.t.Context())
			c.must(err)
			all.Write(text)
		}
	}
	return all.String()
}
