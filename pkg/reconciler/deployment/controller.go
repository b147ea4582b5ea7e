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

package deployment

import (
	"context"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel"
	"go.uber.org/zap"
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
	kubeclient "knative.dev/pkg/client/injection/kube/client"
	deploymentinformer "knative.dev/pkg/client/injection/kube/informers/apps/v1/deployment"
	replicasetinformer "knative.dev/pkg/client/injection/kube/informers/apps/v1/replicaset"
	statefulsetinformer "knative.dev/pkg/client/injection/kube/informers/apps/v1/statefulset"
	leaseinformer "knative.dev/pkg/client/injection/kube/informers/coordination/v1/lease"
	configmapinformer "knative.dev/pkg/client/injection/kube/informers/core/v1/configmap"
	podinformer "knative.dev/pkg/client/injection/kube/informers/core/v1/pod"
	deploymentreconciler "knative.dev/pkg/client/injection/kube/reconciler/apps/v1/deployment"
	"knative.dev/pkg/configmap"
	"knative.dev/pkg/controller"
	"knative.dev/pkg/logging"
	pkgreconciler "knative.dev/pkg/reconciler"
	"knative.dev/pkg/system"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// agentName is the source of our Events.
const agentName = "tekton-leases-controller"

// NewController returns the constructor of the controller, which wires the
// reconciler to the informers of the namespace that its context is scoped to. All
// configuration is read through the ConfigMap informer, not through the watcher:
// the ConfigMaps of the managed controllers have names that only their Deployments
// know.
func NewController(clock clock.PassiveClock) func(context.Context, configmap.Watcher) *controller.Impl {
	return func(ctx context.Context, _ configmap.Watcher) *controller.Impl { return newController(ctx, clock) }
}

func newController(ctx context.Context, clock clock.PassiveClock) *controller.Impl {
	logger := logging.FromContext(ctx)
	metrics, err := newMetrics(otel.GetMeterProvider(), clock)
	if err != nil {
		logger.Fatalw("Failed to start", zap.Error(err))
	}
	deployments := deploymentinformer.Get(ctx)
	r := &Reconciler{
		leases:      kubeclient.Get(ctx).CoordinationV1().Leases(system.Namespace()),
		configMaps:  configmapinformer.Get(ctx).Lister(),
		deployments: deployments.Lister(),
		pods:        podinformer.Get(ctx).Lister(),
		observer: &observe.Observer{
			Tracker:     observe.NewTracker(),
			Pods:        podinformer.Get(ctx).Lister(),
			ReplicaSets: replicasetinformer.Get(ctx).Lister(),
		},
		clock:    clock,
		identity: bucket.NewOwnIdentity(uuid.NewString()),
		metrics:  metrics,
		status: &publisher{
			client: kubeclient.Get(ctx).CoreV1().ConfigMaps(system.Namespace()),
			lister: configmapinformer.Get(ctx).Lister().ConfigMaps(system.Namespace()),
		},
		mu:     newTurn(),
		work:   map[types.NamespacedName]*work{},
		former: map[types.NamespacedName]*history{},
	}
	r.store = config.NewStore(func() {
		if err := r.store.Err(); err != nil {
			logger.Warnw("Our configuration is invalid, the last good one stays in force", zap.Error(err))
		} else {
			logger.Infow("Our configuration changed", "configuration", r.store.Load())
		}
	})
	impl := deploymentreconciler.NewImpl(ctx, r, func(impl *controller.Impl) controller.Options {
		return controller.Options{
			AgentName:         agentName,
			SkipStatusUpdates: true,
			PromoteFilterFunc: r.isManaged,
			PromoteFunc: func(pkgreconciler.Bucket) {
				r.lead()
				r.eachAbsent(impl.EnqueueKey)
			},
			DemoteFunc: func(pkgreconciler.Bucket) { r.stop(context.WithoutCancel(ctx)) },
		}
	})
	impl.Concurrency = 1 // a Deployment is one unit of work, and there are few
	r.enqueueAfter = impl.EnqueueKeyAfter
	r.watch(ctx, impl)
	return impl
}

// watch feeds the tracker and brings the Deployments back when something
// changes that they depend on.
func (r *Reconciler) watch(ctx context.Context, impl *controller.Impl) {
	logger := logging.FromContext(ctx)
	resync := func() { r.enqueue(ctx, impl, r.isManaged) }
	h := handlers{tracker: r.observer.Tracker, clock: r.clock, resync: resync}
	add := func(informer cache.SharedIndexInformer, handler cache.ResourceEventHandler) {
		if _, err := informer.AddEventHandler(handler); err != nil {
			logger.Fatalw("Failed to watch", zap.Error(err))
		}
	}
	add(deploymentinformer.Get(ctx).Informer(), controller.HandleAll(impl.Enqueue))
	add(replicasetinformer.Get(ctx).Informer(), controller.HandleAll(func(any) { resync() }))
	add(podinformer.Get(ctx).Informer(), on[*corev1.Pod]{h.pod, h.podGone})
	sets := statefulSets{named: func() []string { return r.settings().Deployments }, logger: logger, said: map[types.UID]string{}}
	add(statefulsetinformer.Get(ctx).Informer(), on[*appsv1.StatefulSet]{sets.seen, sets.gone})
	add(leaseinformer.Get(ctx).Informer(), on[*coordinationv1.Lease]{h.lease, h.leaseGone})
	add(configmapinformer.Get(ctx).Informer(), configMaps{func() {
		// Whether a Deployment is managed may change, for all of them. A
		// standby must know it as well: it filters what it will take over.
		if err := r.readSettings(system.Namespace()); err != nil {
			logger.Errorw("Failed to read our configuration", zap.Error(err))
		}
		r.enqueue(ctx, impl, func(any) bool { return true })
		r.eachAbsent(impl.EnqueueKey)
	}})
}

// enqueue brings back the Deployments of the namespace that pass the filter.
func (r *Reconciler) enqueue(ctx context.Context, impl *controller.Impl, filter func(any) bool) {
	all, err := r.deployments.List(labels.Everything())
	if err != nil {
		logging.FromContext(ctx).Errorw("Failed to list the Deployments", zap.Error(err))
		return
	}
	for _, d := range all {
		if filter(d) {
			impl.Enqueue(d)
		}
	}
}

// isManaged tells whether an object is a Deployment that we are told to manage.
func (r *Reconciler) isManaged(obj any) bool {
	d, ok := obj.(*appsv1.Deployment)
	return ok && r.settings().Manages(d.Name)
}
