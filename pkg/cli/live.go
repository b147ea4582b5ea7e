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
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
)

// live keeps a cluster up to date, over restarts of the API server.
type live struct {
	cancel  context.CancelFunc
	factory informers.SharedInformerFactory
	clock   clock.PassiveClock
	// synced tell whether the handlers have seen what was there.
	synced []cache.InformerSynced

	mu sync.Mutex
	// heard is when the API server told something last, failed when it did not
	// answer last, and err how.
	heard, failed time.Time
	err           error
}

// watcher is told what happens to leases: what they are now, nil for deleted.
type watcher func(name string, lease *coordinationv1.Lease, now time.Time)

// follow keeps a cluster up to date that was fetched, until it is stopped. leases
// may be nil.
func follow(ctx context.Context, client kubernetes.Interface, c *cluster, clock clock.PassiveClock, leases watcher) *live {
	ctx, cancel := context.WithCancel(ctx)
	l := &live{cancel: cancel, clock: clock, heard: clock.Now()}
	l.factory = informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(c.namespace))
	core, apps, coordination := l.factory.Core().V1(), l.factory.Apps().V1(), l.factory.Coordination().V1()
	l.add(coordination.Leases().Informer(), func(obj any, gone bool) {
		lease, ok := obj.(*coordinationv1.Lease)
		if !ok {
			return
		}
		now := clock.Now()
		if gone {
			c.tracker.LeaseGone(lease.Name, now)
		} else {
			c.tracker.SawLease(lease, now)
		}
		if leases != nil && gone {
			leases(lease.Name, nil, now)
		} else if leases != nil {
			leases(lease.Name, lease, now)
		}
	})
	l.add(core.Pods().Informer(), func(obj any, gone bool) {
		pod, ok := obj.(*corev1.Pod)
		switch {
		case !ok:
		case gone:
			c.tracker.PodGone(pod, clock.Now())
		default:
			c.tracker.SawPod(pod, clock.Now())
		}
	})
	for _, informer := range []cache.SharedIndexInformer{
		core.ConfigMaps().Informer(), apps.ReplicaSets().Informer(), apps.Deployments().Informer(),
	} {
		l.add(informer, func(any, bool) {})
	}
	l.factory.Start(ctx.Done())
	cache.WaitForCacheSync(ctx.Done(), l.synced...)
	c.leases, c.pods, c.configMaps = coordination.Leases().Lister(), core.Pods().Lister(), core.ConfigMaps().Lister()
	c.replicaSets, c.deployments = apps.ReplicaSets().Lister(), apps.Deployments().Lister()
	return l
}

// add has f called for what an informer tells.
func (l *live) add(informer cache.SharedIndexInformer, f func(obj any, gone bool)) {
	tell := func(obj any, gone bool) {
		l.mu.Lock()
		l.heard = l.clock.Now()
		l.mu.Unlock()
		f(obj, gone)
	}
	// Neither fails before the informer was started.
	_ = informer.SetWatchErrorHandler(func(_ *cache.Reflector, err error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.failed, l.err = l.clock.Now(), err
	})
	handler, _ := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { tell(obj, false) },
		UpdateFunc: func(_, obj any) { tell(obj, false) },
		DeleteFunc: func(obj any) {
			if last, ok := obj.(cache.DeletedFinalStateUnknown); ok {
				obj = last.Obj // the watch broke meanwhile
			}
			tell(obj, true)
		},
	})
	l.synced = append(l.synced, handler.HasSynced)
}

// trouble tells since when the API server has not answered, and how, if it has
// failed and was not heard since.
func (l *live) trouble() (since time.Time, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil || l.heard.After(l.failed) {
		return time.Time{}, nil
	}
	return l.heard, l.err
}

// stop ends it.
func (l *live) stop() {
	l.cancel()
	l.factory.Shutdown()
}
