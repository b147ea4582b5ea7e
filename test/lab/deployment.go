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

package lab

import (
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// createDeployment lays out what is there before the first pod.
func (l *Lab) createDeployment() {
	l.deployment = leasestesting.MakeDeployment(Deployment).Replicas(0).
		Env("CONFIG_LEADERELECTION_NAME", ElectionConfigMap).Args(l.opts.Args...).Obj()
	if !l.opts.NoElection {
		l.API.Seed(configMap(ElectionConfigMap, l.opts.Election))
	}
	l.API.Seed(configMap(OurConfigMap, l.opts.Ours), l.deployment)
	l.newReplicaSet()
}

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	cm := leasestesting.MakeConfigMap(name)
	cm.Data = data
	return cm
}

// newReplicaSet is what the Deployment's controller does for a new template.
func (l *Lab) newReplicaSet() {
	l.rollouts++
	l.replicaSet = leasestesting.MakeReplicaSet(l.deployment, "5d8f7c9b"+strconv.Itoa(l.rollouts)+"f")
	const revision = "deployment.kubernetes.io/revision"
	metav1.SetMetaDataAnnotation(&l.replicaSet.ObjectMeta, revision, strconv.Itoa(l.rollouts))
	l.updateDeployment(func(d *appsv1.Deployment) {
		metav1.SetMetaDataAnnotation(&d.ObjectMeta, revision, strconv.Itoa(l.rollouts))
	})
	l.API.Seed(l.replicaSet)
}

// Scale sets how many replicas there are, and returns when they are Ready or gone; the youngest go first.
func (l *Lab) Scale(n int) {
	l.T.Helper()
	l.tracef("scaled to %d", n)
	l.setReplicas(n)
	replicas := l.Replicas()
	if len(replicas) < n {
		l.Start(n - len(replicas))
	}
	for i := len(replicas) - 1; i >= n; i-- {
		l.Stop(replicas[i])
	}
}

// Replace stops a replica; once the others have taken over what it led, another one comes in its place.
func (l *Lab) Replace(r *Replica) *Replica {
	l.T.Helper()
	l.Stop(r)
	l.WaitLed(30 * time.Second)
	return l.Start(1)[0]
}

// ReplaceAtOnce deletes a replica's pod. Its ReplicaSet makes another one at once, whose process starts so long after
// the deletion.
func (l *Lab) ReplaceAtOnce(r *Replica, after time.Duration) *Replica {
	l.T.Helper()
	l.tracef("%s is deleted", r.Name)
	l.try(l.admin.CoreV1().Pods(leasestesting.Namespace).Delete(l.ctx, r.Name, metav1.DeleteOptions{}))
	return l.start(1, func([]*Replica) {
		r.process.stop()
		l.forget(r)
		time.Sleep(after)
	})[0]
}

// Rollout restarts all replicas as `kubectl rollout restart` does: one more comes, then one old one goes, in turn.
func (l *Lab) Rollout() {
	l.T.Helper()
	old := l.Replicas()
	l.BeginRollout()
	for _, r := range old {
		l.Start(1)
		l.Stop(r)
	}
}

// BeginRollout changes the pod template, and returns when the Deployment's controller has seen that.
func (l *Lab) BeginRollout() {
	l.T.Helper()
	l.tracef("rollout begins")
	l.updateDeployment(func(d *appsv1.Deployment) {
		metav1.SetMetaDataAnnotation(&d.Spec.Template.ObjectMeta, "kubectl.kubernetes.io/restartedAt", time.Now().Format(time.RFC3339))
	})
	time.Sleep(100 * time.Millisecond)
	l.newReplicaSet()
	l.syncStatus()
}

// Configure changes a key of our controller's ConfigMap.
func (l *Lab) Configure(key, value string) {
	l.T.Helper()
	l.tracef("configured %s: %s", key, value)
	cms := l.admin.CoreV1().ConfigMaps(leasestesting.Namespace)
	cm, err := cms.Get(l.ctx, OurConfigMap, metav1.GetOptions{})
	l.try(err)
	if cm.Data == nil {
		cm.Data = map[string]string{}
	}
	cm.Data[key] = value
	_, err = cms.Update(l.ctx, cm, metav1.UpdateOptions{})
	l.try(err)
}

func (l *Lab) setReplicas(n int) {
	l.T.Helper()
	l.updateDeployment(func(d *appsv1.Deployment) { d.Spec.Replicas = ptr.To(int32(n)) })
	l.syncStatus()
}

// updateDeployment changes the spec, and keeps what came of it.
func (l *Lab) updateDeployment(change func(*appsv1.Deployment)) {
	l.T.Helper()
	deployments := l.admin.AppsV1().Deployments(leasestesting.Namespace)
	d, err := deployments.Get(l.ctx, Deployment, metav1.GetOptions{})
	l.try(err)
	change(d)
	l.deployment, err = deployments.Update(l.ctx, d, metav1.UpdateOptions{})
	l.try(err)
}

// syncStatus counts the pods, as the Deployment's controller does. A terminating pod is not counted.
func (l *Lab) syncStatus() {
	l.T.Helper()
	pods, err := l.admin.CoreV1().Pods(leasestesting.Namespace).List(l.ctx, metav1.ListOptions{LabelSelector: "app=" + Deployment})
	l.try(err)
	deployments := l.admin.AppsV1().Deployments(leasestesting.Namespace)
	d, err := deployments.Get(l.ctx, Deployment, metav1.GetOptions{})
	l.try(err)
	d.Status = l.count(pods.Items)
	d.Status.ObservedGeneration = d.Generation
	_, err = deployments.UpdateStatus(l.ctx, d, metav1.UpdateOptions{})
	l.try(err)
}

func (l *Lab) count(pods []corev1.Pod) appsv1.DeploymentStatus {
	var status appsv1.DeploymentStatus
	for _, pod := range pods {
		if pod.DeletionTimestamp != nil {
			continue
		}
		status.Replicas++
		if pod.Labels[appsv1.DefaultDeploymentUniqueLabelKey] == l.replicaSet.Labels[appsv1.DefaultDeploymentUniqueLabelKey] {
			status.UpdatedReplicas++
		}
		if pod.Status.ContainerStatuses[0].Ready {
			status.ReadyReplicas++
		}
	}
	status.AvailableReplicas = status.ReadyReplicas
	status.UnavailableReplicas = status.Replicas - status.ReadyReplicas
	return status
}
