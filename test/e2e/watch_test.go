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
	"strings"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/test/witness"
)

// seen is what happened since the test began.
type seen struct {
	mu sync.Mutex
	// asked is when a pod was asked to stop, to the second.
	asked map[string]time.Time
	// taken are the leases that our controller took from a replica to hand over.
	taken []taken
}

// taken is one of them.
type taken struct {
	at          time.Time
	lease, from string
}

// watch follows the logs of the controllers, and notes what seen has, until ctx
// ends.
func (c *cluster) watch(ctx context.Context) {
	c.t.Helper()
	c.seen.asked = map[string]time.Time{}
	follower := witness.NewFollower(c.client, c.journal, otherContainers...)
	pod := func(pod *corev1.Pod) {
		follower.Pod(ctx, pod)
		c.sawPod(pod)
	}
	factory := informers.NewSharedInformerFactoryWithOptions(c.client, 0, informers.WithNamespace(c.namespace))
	_, err := factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { pod(obj.(*corev1.Pod)) },
		UpdateFunc: func(_, obj any) { pod(obj.(*corev1.Pod)) },
	})
	c.must(err)
	_, err = factory.Coordination().V1().Leases().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(before, after any) { c.sawLease(before.(*coordinationv1.Lease), after.(*coordinationv1.Lease)) },
	})
	c.must(err)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
}

// sawPod notes the first time at which a pod was asked to stop: in the end its
// node does so once more.
func (c *cluster) sawPod(pod *corev1.Pod) {
	c.seen.mu.Lock()
	defer c.seen.mu.Unlock()
	if pod.DeletionTimestamp == nil || !c.seen.asked[pod.Name].IsZero() {
		return
	}
	grace := time.Duration(ptr.Deref(pod.DeletionGracePeriodSeconds, 0)) * time.Second
	c.seen.asked[pod.Name] = pod.DeletionTimestamp.Add(-grace)
}

func (c *cluster) sawLease(before, after *coordinationv1.Lease) {
	from, to := ptr.Deref(before.Spec.HolderIdentity, ""), ptr.Deref(after.Spec.HolderIdentity, "")
	ours := witness.LeasesController + "_"
	if strings.HasPrefix(from, ours) || !strings.HasPrefix(to, ours) || strings.HasPrefix(after.Name, witness.LeasesController) {
		return
	}
	c.seen.mu.Lock()
	defer c.seen.mu.Unlock()
	c.seen.taken = append(c.seen.taken, taken{at: time.Now(), lease: after.Name, from: bucket.HostnameOf(from)})
}

// takenSince are the leases that were taken from a replica since then.
func (c *cluster) takenSince(since time.Time) []taken {
	c.seen.mu.Lock()
	defer c.seen.mu.Unlock()
	var all []taken
	for _, t := range c.seen.taken {
		if t.at.After(since) {
			all = append(all, t)
		}
	}
	return all
}

// askedToStop is when a replica was, if it was.
func (c *cluster) askedToStop(replica string) (time.Time, bool) {
	c.seen.mu.Lock()
	defer c.seen.mu.Unlock()
	at, ok := c.seen.asked[replica]
	return at, ok
}
