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
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"
	"knative.dev/pkg/leaderelection"
	"knative.dev/pkg/logging"
	"knative.dev/pkg/reconciler"
	"knative.dev/pkg/system"
)

// crowd are many Deployments in one namespace. Their pods are real objects that no
// node runs: the electors of all of them run in this process, knative's own.
type crowd struct {
	*cluster
	led

	deployments int
	election    *corev1.ConfigMap
	electors    sync.WaitGroup
}

// crowdQueues are the queues of each of the Deployments.
var crowdQueues = []string{"first", "second"}

func (c *crowd) leases() int { return c.deployments * len(crowdQueues) * c.buckets }

// newCrowd creates a namespace for so many Deployments.
func newCrowd(t *testing.T, s setting, deployments int) *crowd {
	t.Helper()
	t.Setenv(system.NamespaceEnvKey, s.namespace) // knative's electors have their leases there
	klog.SetLogger(klog.Logger{})                 // each of a thousand electors has its say otherwise
	cfg := kubeconfig(t)
	c := &crowd{
		cluster:     &cluster{setting: s, t: t, cfg: cfg, client: kubernetes.NewForConfigOrDie(cfg)},
		led:         led{by: map[string]map[string]bool{}},
		deployments: deployments,
	}
	_, err := c.client.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: s.namespace}}, metav1.CreateOptions{})
	c.must(err)
	t.Cleanup(func() {
		c.must(c.client.CoreV1().Namespaces().Delete(context.WithoutCancel(t.Context()), s.namespace, metav1.DeleteOptions{}))
	})
	c.election, err = c.client.CoreV1().ConfigMaps(s.namespace).Create(t.Context(), &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "config-leader-election-controller"},
		Data:       s.tektonOptions().Election(),
	}, metav1.CreateOptions{})
	c.must(err)
	return c
}

// start has the first replica of each Deployment lead everything before the second
// one comes.
func (c *crowd) start() {
	c.t.Helper()
	ctx, cancel := context.WithCancel(logging.WithLogger(c.t.Context(), zap.NewNop().Sugar()))
	c.t.Cleanup(func() {
		cancel()
		c.electors.Wait()
	})
	for i := range c.deployments {
		c.deploy(i)
	}
	for nth := range 2 {
		for i := range c.deployments {
			c.elect(ctx, c.pod(i, nth))
		}
		c.wait(startUp, "a leader of each bucket", func() bool { return c.total() == c.leases() })
		time.Sleep(2 * c.retryPeriod)
	}
	if n := len(c.perReplica()); n != c.deployments {
		c.t.Fatalf("%d replicas lead, want one of each of %d Deployments: nothing to show", n, c.deployments)
	}
}

func (c *crowd) total() (n int) {
	for _, leads := range c.perReplica() {
		n += leads
	}
	return n
}

// component is the name of a Deployment.
func component(i int) string { return fmt.Sprintf("component-%02d", i) }

// deploy creates a Deployment of two pods that no scheduler puts on a node.
func (c *crowd) deploy(i int) {
	c.t.Helper()
	labels := map[string]string{"app": component(i)}
	_, err := c.client.AppsV1().Deployments(c.namespace).Create(c.t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: component(i)},
		Spec: appsv1.DeploymentSpec{
			Replicas: ptr.To[int32](2), Selector: metav1.SetAsLabelSelector(labels),
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					SchedulerName: "none", EnableServiceLinks: ptr.To(false), AutomountServiceAccountToken: ptr.To(false),
					Containers: []corev1.Container{{
						Name: "controller", Image: "none",
						Env: []corev1.EnvVar{{Name: "CONFIG_LEADERELECTION_NAME", Value: c.election.Name}},
					}},
				},
			},
		},
	}, metav1.CreateOptions{})
	c.must(err)
}

// pod waits for a Deployment's pod, and says of it what a kubelet would.
func (c *crowd) pod(deployment, nth int) *corev1.Pod {
	c.t.Helper()
	pods := c.client.CoreV1().Pods(c.namespace)
	var list *corev1.PodList
	c.wait(startUp, "the pods of "+component(deployment), func() (ok bool) {
		var err error
		list, err = pods.List(c.t.Context(), metav1.ListOptions{LabelSelector: "app=" + component(deployment)})
		return err == nil && len(list.Items) == 2
	})
	pod := &list.Items[nth]
	now := metav1.Now()
	pod.Status.Phase = corev1.PodRunning
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: now}}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: "controller", Ready: true, ContainerID: "none://" + pod.Name,
		State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}},
	}}
	_, err := pods.UpdateStatus(c.t.Context(), pod, metav1.UpdateOptions{})
	c.must(err)
	return pod
}

// elect runs knative's electors of a replica.
func (c *crowd) elect(ctx context.Context, pod *corev1.Pod) {
	c.t.Helper()
	config, err := leaderelection.NewConfigFromConfigMap(c.election)
	c.must(err)
	cc := config.GetComponentConfig(pod.Labels["app"])
	for _, queue := range crowdQueues {
		cc.Identity = fmt.Sprintf("%s_%s-%s", pod.Name, queue, pod.UID)
		elector, err := leaderelection.BuildElector(leaderelection.WithStandardLeaderElectorBuilder(ctx, c.client, cc),
			&member{led: &c.led, replica: pod.Name}, queue, nil)
		c.must(err)
		c.electors.Go(func() { elector.Run(ctx) })
	}
}

// member notes what the electors of a replica say.
type member struct {
	led     *led
	replica string
}

var _ reconciler.LeaderAware = (*member)(nil)

// Promote implements reconciler.LeaderAware.
func (m *member) Promote(b reconciler.Bucket, _ func(reconciler.Bucket, types.NamespacedName)) error {
	m.led.promote(b.Name(), m.replica)
	return nil
}

// Demote implements reconciler.LeaderAware.
func (m *member) Demote(b reconciler.Bucket) { m.led.demote(b.Name(), m.replica) }

// crowdIsEven tells whether each replica leads its half.
func (c *crowd) crowdIsEven() bool {
	leads := c.perReplica()
	for _, n := range leads {
		if n != len(crowdQueues)*c.buckets/2 {
			return false
		}
	}
	return len(leads) == 2*c.deployments
}
