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

package cli

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"
	appsv1listers "k8s.io/client-go/listers/apps/v1"
	coordinationv1listers "k8s.io/client-go/listers/coordination/v1"
	corev1listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/tektoncd/leases-controller/pkg/observe"
)

// cluster is what of a namespace is looked at.
type cluster struct {
	namespace   string
	tracker     *observe.Tracker
	leases      coordinationv1listers.LeaseLister
	pods        corev1listers.PodLister
	replicaSets appsv1listers.ReplicaSetLister
	deployments appsv1listers.DeploymentLister
	configMaps  corev1listers.ConfigMapLister
	// ages are of what was there at the first look.
	ages ages
}

// fetch looks at a namespace once.
func fetch(ctx context.Context, client kubernetes.Interface, namespace string, now time.Time) (*cluster, error) {
	index := func() cache.Indexer {
		return cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	}
	leases, pods, replicaSets, deployments, configMaps := index(), index(), index(), index(), index()
	c := &cluster{
		namespace:   namespace,
		tracker:     observe.NewTracker(),
		leases:      coordinationv1listers.NewLeaseLister(leases),
		pods:        corev1listers.NewPodLister(pods),
		replicaSets: appsv1listers.NewReplicaSetLister(replicaSets),
		deployments: appsv1listers.NewDeploymentLister(deployments),
		configMaps:  corev1listers.NewConfigMapLister(configMaps),
	}
	apps, core := client.AppsV1(), client.CoreV1()
	for _, step := range []struct {
		kind string
		list func() error
	}{
		{"Deployments", func() error {
			all, err := apps.Deployments(namespace).List(ctx, metav1.ListOptions{})
			return fill(deployments, all.Items, err)
		}},
		{"ReplicaSets", func() error {
			all, err := apps.ReplicaSets(namespace).List(ctx, metav1.ListOptions{})
			return fill(replicaSets, all.Items, err)
		}},
		{"pods", func() error {
			all, err := core.Pods(namespace).List(ctx, metav1.ListOptions{})
			return fill(pods, all.Items, err)
		}},
		{"ConfigMaps", func() error {
			all, err := core.ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
			return fill(configMaps, all.Items, err)
		}},
		{"leases", func() error {
			all, err := client.CoordinationV1().Leases(namespace).List(ctx, metav1.ListOptions{})
			return fill(leases, all.Items, err)
		}},
	} {
		if err := step.list(); err != nil {
			return nil, fmt.Errorf("failed to list the %s of namespace %s: %w", step.kind, namespace, err)
		}
	}
	return c, c.sight(now)
}

// fill puts what was listed into an index.
func fill[T any](index cache.Indexer, items []T, err error) error {
	if err != nil {
		return err
	}
	for i := range items {
		if err := index.Add(&items[i]); err != nil {
			return err
		}
	}
	return nil
}

// sight has the tracker see what is there, each at the time at which it became
// so as far as its stamp tells.
func (c *cluster) sight(now time.Time) error {
	leases, err := c.leases.Leases(c.namespace).List(labels.Everything())
	if err != nil {
		return err
	}
	pods, err := c.pods.Pods(c.namespace).List(labels.Everything())
	if err != nil {
		return err
	}
	c.ages = newAges(leases, now)
	for _, l := range leases {
		c.tracker.SawLease(l, c.ages.renewed(l))
	}
	for _, p := range pods {
		c.tracker.SawPod(p, c.ages.ready(p))
	}
	return nil
}
