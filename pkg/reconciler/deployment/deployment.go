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
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	appsv1listers "k8s.io/client-go/listers/apps/v1"
	corev1listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/utils/clock"
	deploymentreconciler "knative.dev/pkg/client/injection/kube/reconciler/apps/v1/deployment"
	"knative.dev/pkg/leaderelection"
	pkgreconciler "knative.dev/pkg/reconciler"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

const (
	// minInterval is the shortest time between two reconciles of a Deployment:
	// its leases change in bursts.
	minInterval = time.Second
	// stepInterval is the same while handovers are in flight. An old holder
	// contends for a lease again one retry period after it stopped, so each
	// moment between its stop and the lease's release, and between the sight of
	// the target's identity and the release of the next lease, is a chance for
	// it to win the lease back (numbers in the package's documentation).
	stepInterval = 100 * time.Millisecond
	// maxInterval is when an even Deployment is looked at again without an
	// event.
	maxInterval = 30 * time.Second
	// waitInterval is the same while surplus leases wait for something.
	waitInterval = 2 * time.Second
)

// Reconciler evens out the leases of Deployments.
type Reconciler struct {
	// leases writes Leases. Only handovers use it.
	leases      handover.Client
	configMaps  corev1listers.ConfigMapLister
	deployments appsv1listers.DeploymentLister
	pods        corev1listers.PodLister
	observer    *observe.Observer
	// store is our own configuration.
	store *config.Store
	clock clock.PassiveClock
	// identity is what this process writes into the leases that it holds.
	identity string
	// enqueueAfter brings a Deployment back.
	enqueueAfter func(types.NamespacedName, time.Duration)
	metrics      *metrics
	brake        brake
	// status is where we show it all.
	status *publisher

	// mu makes a reconcile and the end of our leadership exclude each other.
	mu   turn
	work map[types.NamespacedName]*work
	// retired: our leadership has ended. A reconcile that waited for that end
	// does nothing: it would leave work, and series, that nobody ends.
	retired bool
	// former is what became of the handovers of Deployments that are not ours any
	// more.
	former map[types.NamespacedName]*history
	// absent are the Deployments of which was said that they are not there.
	absent map[string]bool
}

// turn is a lock. It is a channel because a reconcile keeps it while it makes
// calls: in the virtual time of testing/synctest those may only take time if
// whoever waits for the lock lets the time pass.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

// Lock implements sync.Locker.
func (t turn) Lock() { t <- struct{}{} }

// Unlock implements sync.Locker.
func (t turn) Unlock() { <-t }

var (
	_ deploymentreconciler.Interface    = (*Reconciler)(nil)
	_ pkgreconciler.OnDeletionInterface = (*Reconciler)(nil)
)

// ReconcileKind brings the leases of a Deployment one step nearer to even. API
// errors are logged and tried again; the error returned is that of a lister.
func (r *Reconciler) ReconcileKind(ctx context.Context, d *appsv1.Deployment) pkgreconciler.Event {
	if err := r.readSettings(d.Namespace); err != nil {
		return err
	}
	r.missed(types.NamespacedName{Namespace: d.Namespace, Name: d.Name}, false)
	return r.reconcile(ctx, d, r.blocked(d))
}

// ObserveDeletion finishes what is in flight for a Deployment that vanished: an
// upgrade can delete it and create it anew.
func (r *Reconciler) ObserveDeletion(ctx context.Context, key types.NamespacedName) error {
	if err := r.readSettings(key.Namespace); err != nil {
		return err
	}
	if w := r.missed(key, true); w != nil {
		return r.reconcile(ctx, w.deployment, balance.NotManaged)
	}
	r.lookAbsent(ctx, key)
	return nil
}

// missed notes whether a Deployment is missing, and returns the work on it, if
// there is some.
func (r *Reconciler) missed(key types.NamespacedName, missing bool) *work {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.work[key]
	switch {
	case w == nil:
	case !missing:
		w.missing = time.Time{}
	case w.missing.IsZero():
		w.missing = r.clock.Now()
	}
	return w
}

func (r *Reconciler) reconcile(ctx context.Context, d *appsv1.Deployment, blocked balance.Reason) (err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.retired {
		return nil
	}
	key := types.NamespacedName{Namespace: d.Namespace, Name: d.Name}
	w := r.workOn(key, d)
	now := r.clock.Now()
	if w == nil && blocked == balance.NotManaged {
		r.reflush(ctx, key, now)
		return nil
	}
	if w == nil {
		w = r.remember(key, d)
		r.metrics.begin(ctx, key)
	}
	if early := w.next.Sub(now); early > 0 {
		r.enqueueAfter(key, early)
		return nil
	}
	w.next = now.Add(minInterval)
	failures := r.brake.count()
	defer func() {
		r.metrics.reconciled(ctx, key, r.clock.Now().Sub(now), err == nil && r.brake.count() == failures)
	}()

	pause := r.pause(d.Namespace, now)
	r.sayPause(ctx, w, pause)
	r.saySettings(ctx, w)
	view, err := r.observe(ctx, w, blocked, now)
	if err == nil && (r.resume(ctx, w, view) || r.failover(ctx, w, view, blocked, now)) {
		view, err = r.observe(ctx, w, blocked, now) // they are in transit now
	}
	if err != nil {
		return err
	}
	if blocked == "" && view.Webhook {
		blocked = balance.NotApplicable
	}
	r.sayFaults(ctx, w, faults(w, view))
	if blocked == "" {
		r.restore(ctx, w, view)
	}
	plan := r.restrain(ctx, w, view, view.Plan(), now)
	if r.settings().Strategy == config.Handover {
		plan = view.Together(plan)
	}
	plan = r.probe(ctx, w, r.rehearse(w, view, plan), now)
	ended, wake := r.act(ctx, w, view, plan)
	wake = earlier(wake, r.nextDue(w, view, now))
	if !pause.Until.IsZero() {
		wake = earlier(wake, pause.Until)
	}
	r.learn(ctx, w, view, plan, ended)
	r.report(ctx, w, view, plan, ended)
	r.advise(ctx, w, view, blocked, r.cleanUp(ctx, w, view, blocked, now))
	r.sayRehearsed(ctx, w)
	wake = earlier(wake, r.publish(ctx, w, view, plan, blocked, ended, now))

	if w.podsUncertain(now) {
		wake = earlier(wake, w.missing.Add(cascade))
	}
	if blocked == balance.NotManaged && len(w.handovers) == 0 {
		r.stopRounds(ctx, w)
		r.forget(key, w, now)
		r.reflush(ctx, key, now)
		return nil
	}
	w.next = now.Add(w.interval())
	r.enqueueAfter(key, max(w.interval(), wake.Sub(r.clock.Now())))
	return nil
}

// reflush has the status written without a Deployment that is not ours any more.
func (r *Reconciler) reflush(ctx context.Context, key types.NamespacedName, now time.Time) {
	if again := r.flush(ctx, key, now).Sub(now); again < maxInterval {
		r.enqueueAfter(key, max(minInterval, again))
	}
}

// observe is the view of the Deployment now.
func (r *Reconciler) observe(ctx context.Context, w *work, blocked balance.Reason, now time.Time) (observe.View, error) {
	if fault := r.readElection(ctx, w); fault && blocked == "" {
		blocked = balance.ConfigInvalid
	}
	view, err := r.observer.View(w.deployment, observe.Policy{
		Window:         r.settings().StabilizationWindow,
		MaxRolloutWait: r.settings().MaxRolloutWait,
		RetryPeriod:    w.timing().RetryPeriod,
		GiveUp:         w.timing().GiveUp(),
		LateLimit:      w.timing().LateLimit(),
		Blocked:        blocked,
	}, w.transit(), now)
	w.history.pin(view, now)
	return view, err
}

// readSettings reads our own ConfigMap. None at all means the defaults.
func (r *Reconciler) readSettings(namespace string) error {
	cm, err := r.configMaps.ConfigMaps(namespace).Get(leaderelection.ConfigMapName())
	if apierrors.IsNotFound(err) {
		cm, err = nil, nil
	}
	if err != nil {
		return fmt.Errorf("failed to read our ConfigMap: %w", err)
	}
	r.store.Update(cm)
	r.metrics.configured(r.store.Load(), r.store.Err() != nil)
	return nil
}

// settings is our own configuration, the defaults as long as none was valid.
// Nothing moves in that case.
func (r *Reconciler) settings() *config.Config {
	if c := r.store.Load(); c != nil {
		return c
	}
	return config.Default()
}
