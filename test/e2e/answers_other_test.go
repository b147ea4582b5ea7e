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
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// pod is one that no scheduler cares for.
func pod(name string) *corev1.Pod {
	p := leasestesting.MakePod(name).UID("").Obj()
	p.Namespace, p.Spec.NodeName, p.Spec.SchedulerName = "", "", "nobody"
	p.Spec.Containers[0].Image = "nothing"
	p.Status = corev1.PodStatus{}
	return p
}

// onNode has it on a node that is none, so that it stays as it is written.
func onNode(p *corev1.Pod) *corev1.Pod {
	p.Spec.NodeName = "nowhere"
	return p
}

// grace are options with a grace period in seconds.
func grace(seconds int64) metav1.DeleteOptions {
	return metav1.DeleteOptions{GracePeriodSeconds: &seconds}
}

// inPhase returns a copy of a pod whose status says so.
func inPhase(phase corev1.PodPhase, obj leasestesting.Object) *corev1.Pod {
	return with(obj, func(p *corev1.Pod) { p.Status.Phase = phase })
}

// podTalks are about what is special about pods: their status and their end.
var podTalks = map[string]func(*caller){
	"create with a status": func(c *caller) {
		c.get(c.create(inPhase(corev1.PodRunning, pod("a"))))
	},
	"status and spec are written apart": func(c *caller) {
		a := c.create(onNode(pod("a")))
		a = c.update(inPhase(corev1.PodRunning, a))
		a = c.updateStatus(inPhase(corev1.PodRunning, a))
		c.updateStatus(a)
		c.updateStatus(with(a, func(p *corev1.Pod) { p.Spec.NodeName = "elsewhere" }))
	},
	"metadata through the status": func(c *caller) {
		a := c.create(onNode(pod("a")))
		a = c.updateStatus(with(a, func(p *corev1.Pod) { p.Annotations = map[string]string{"k": "v"} }))
		a = c.updateStatus(with(a, func(p *corev1.Pod) { p.Labels = map[string]string{"a": "b"} }))
		c.update(with(a, func(p *corev1.Pod) { p.Labels = map[string]string{"a": "c"} }))
	},
	"status with versions and UIDs": func(c *caller) {
		old := c.create(onNode(pod("a")))
		a := c.updateStatus(inPhase(corev1.PodRunning, old))
		c.updateStatus(inPhase(corev1.PodFailed, old))
		c.updateStatus(inPhase(corev1.PodFailed, identified("another", a)))
		c.updateStatus(inPhase(corev1.PodFailed, versioned("", a)))
		c.updateStatus(inPhase(corev1.PodFailed, pod("missing")))
	},
	"patch the status": func(c *caller) {
		a := c.create(onNode(pod("a")))
		c.patch(a, types.StrategicMergePatchType, `{"status":{"phase":"Running"}}`, "status")
		c.patch(a, types.MergePatchType, `{"status":{"reason":"because"}}`, "status")
		c.patch(a, types.MergePatchType, `{"status":{"phase":"Failed"}}`)
	},
	"delete where nothing runs": func(c *caller) {
		a := c.create(pod("a"))
		c.delete(a, metav1.DeleteOptions{})
		c.get(a)
	},
	"delete with the pod's own grace period": func(c *caller) {
		a := c.create(onNode(pod("a")))
		c.delete(a, metav1.DeleteOptions{})
		c.get(a)
		c.delete(a, metav1.DeleteOptions{})
		c.delete(a, grace(0))
		c.get(a)
		c.delete(a, grace(0))
	},
	"delete with other grace periods": func(c *caller) {
		a := c.create(onNode(pod("a")))
		c.delete(a, grace(20))
		c.delete(a, grace(40))
		c.delete(a, grace(5))
		c.delete(a, grace(1))
		c.get(a)
	},
	"delete at once": func(c *caller) {
		a := c.create(onNode(pod("a")))
		c.delete(a, grace(0))
		c.get(a)
	},
	"delete what is finished": func(c *caller) {
		for _, phase := range []corev1.PodPhase{corev1.PodSucceeded, corev1.PodFailed, corev1.PodRunning} {
			a := c.create(onNode(pod(map[corev1.PodPhase]string{
				corev1.PodSucceeded: "succeeded", corev1.PodFailed: "failed", corev1.PodRunning: "running",
			}[phase])))
			c.updateStatus(inPhase(phase, a))
			c.delete(a, metav1.DeleteOptions{})
			c.get(a)
		}
	},
	"delete with preconditions": func(c *caller) {
		a := c.create(onNode(pod("a")))
		c.delete(a, only("another", ""))
		c.delete(a, only(a.GetUID(), future))
		c.delete(a, only(a.GetUID(), a.GetResourceVersion()))
		c.delete(a, only(a.GetUID(), a.GetResourceVersion()))
		c.delete(a, only("another", ""))
	},
	"write while it ends": func(c *caller) {
		a := c.delete(c.create(onNode(pod("a"))), metav1.DeleteOptions{})
		a = c.updateStatus(inPhase(corev1.PodRunning, a))
		a = c.update(with(a, func(p *corev1.Pod) { p.Annotations = map[string]string{"k": "v"} }))
		a = c.update(with(a, func(p *corev1.Pod) { p.DeletionTimestamp, p.DeletionGracePeriodSeconds = nil, nil }))
		c.create(onNode(pod("a")))
		c.updateStatus(inPhase(corev1.PodFailed, a))
		c.delete(a, metav1.DeleteOptions{})
		c.get(a)
	},
}

// event is one as client-go's recorder makes it.
func event(c *caller, name string) *corev1.Event {
	return &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Name: name},
		InvolvedObject: corev1.ObjectReference{Kind: "Deployment", Namespace: c.namespace, Name: "d", UID: "u"},
		Reason:         "RebalanceDone", Message: "even", Type: corev1.EventTypeNormal,
		Source:         corev1.EventSource{Component: "test"},
		FirstTimestamp: metav1.NewTime(morning), LastTimestamp: metav1.NewTime(morning), Count: 1,
	}
}

// deployment is one that its controller leaves alone, as far as it can.
func deployment() *appsv1.Deployment {
	d := leasestesting.MakeDeployment("d").Replicas(0).Obj()
	d.Namespace, d.UID, d.Generation, d.Status = "", "", 0, appsv1.DeploymentStatus{}
	d.Spec.Paused = true
	d.Spec.Template.Spec.Containers[0].Image = "nothing"
	return d
}

// configMap is one with a key in it.
func configMap(name, value string) *corev1.ConfigMap {
	cm := leasestesting.MakeConfigMap(name, "buckets", value)
	cm.Namespace = ""
	return cm
}

// stillness is how long an object must not have changed to count as settled.
const stillness = 500 * time.Millisecond

// settled returns the object when its controller has said all about it. What
// that wrote counts as the version that was seen last.
func (c *caller) settled(obj leasestesting.Object) leasestesting.Object {
	for since := time.Now(); time.Since(since) < stillness; time.Sleep(stillness / 10) {
		answer, err := c.request("GET", obj).Name(obj.GetName()).Do(c.t.Context()).Get()
		if err != nil {
			c.t.Fatalf("failed to get %s: %v", obj.GetName(), err)
		}
		now := answer.(leasestesting.Object)
		if version := now.GetResourceVersion(); version != obj.GetResourceVersion() {
			c.numbers["resourceVersion "+version] = c.numbers["resourceVersion "+obj.GetResourceVersion()]
			obj, since = now, time.Now()
		}
	}
	return obj
}

// otherTalks are about the other kinds that are used here.
var otherTalks = map[string]func(*caller){
	"a ConfigMap": func(c *caller) {
		c.update(configMap("cm", "1"))
		cm := c.create(configMap("cm", "1"))
		c.create(configMap("cm", "2"))
		c.update(configMap("cm", "2"))
		c.update(configMap("cm", "2"))
		c.update(with(cm, func(cm *corev1.ConfigMap) { cm.Data = nil }))
		c.patch(cm, types.MergePatchType, `{"data":{"buckets":null,"strategy":"delete"}}`)
		c.update(identified("another", configMap("cm", "3")))
		c.delete(cm, metav1.DeleteOptions{})
		c.patch(cm, types.MergePatchType, `{"data":{"buckets":"4"}}`)
	},
	"ConfigMaps by name": func(c *caller) {
		c.create(configMap("one", "1"))
		c.create(configMap("two", "1"))
		c.list(configMap("", ""), metav1.ListOptions{FieldSelector: "metadata.name=two"})
	},
	"an Event, as recorders write it": func(c *caller) {
		e := c.create(event(c, "d.1"))
		c.create(event(c, "d.1"))
		c.patch(e, types.StrategicMergePatchType, `{"count":2,"lastTimestamp":"2026-03-01T06:01:00Z"}`)
		c.patch(event(c, "d.2"), types.StrategicMergePatchType, `{"count":2}`)
		c.update(with(versioned("", e), func(e *corev1.Event) { e.Count = 3 }))
		c.update(event(c, "d.3"))
		c.delete(e, metav1.DeleteOptions{})
	},
	"a Deployment": func(c *caller) {
		d := c.create(with(deployment(), func(d *appsv1.Deployment) { d.Status.ReadyReplicas = 3 }))
		d = c.settled(d)
		d = c.settled(c.update(with(d, func(d *appsv1.Deployment) { d.Labels = map[string]string{"a": "b"} })))
		d = c.settled(c.update(with(d, func(d *appsv1.Deployment) { d.Annotations = map[string]string{"a": "b"} })))
		d = c.settled(c.update(with(d, func(d *appsv1.Deployment) { d.Spec.MinReadySeconds = 1 })))
		d = c.settled(c.update(d))
		d = c.settled(c.update(versioned("", with(d, func(d *appsv1.Deployment) { d.Spec.MinReadySeconds = 2 }))))
		c.update(versioned(future, d))
		d = c.settled(c.patch(d, types.MergePatchType, `{"spec":{"minReadySeconds":3}}`))
		c.settled(c.patch(d, types.StrategicMergePatchType, `{"spec":{"template":{"metadata":{"annotations":{"restarted":"now"}}}}}`))
	},
	"a Deployment's status": func(c *caller) {
		d := c.settled(c.create(deployment()))
		c.updateStatus(versioned(future, d))
		c.updateStatus(with(d, func(d *appsv1.Deployment) { d.Spec.Paused = false }))
		c.updateStatus(with(d, func(d *appsv1.Deployment) { d.Labels = map[string]string{"a": "b"} }))
	},
	"a Deployment is deleted": func(c *caller) {
		d := c.settled(c.create(deployment()))
		c.delete(d, metav1.DeleteOptions{PropagationPolicy: ptr.To(metav1.DeletePropagationBackground)})
		c.get(d)
		c.updateStatus(deployment())
		c.update(deployment())
	},
	"a ReplicaSet": func(c *caller) {
		rs := leasestesting.MakeReplicaSet(deployment(), "1")
		rs.UID, rs.OwnerReferences = "", nil
		r := c.settled(c.create(rs))
		r = c.settled(c.update(with(r, func(rs *appsv1.ReplicaSet) { rs.Annotations = map[string]string{"a": "b"} })))
		r = c.settled(c.update(with(r, func(rs *appsv1.ReplicaSet) { rs.Spec.MinReadySeconds = 1 })))
		c.update(versioned(future, r))
	},
}
