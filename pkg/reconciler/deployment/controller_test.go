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
	"slices"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	kuberecord "k8s.io/client-go/tools/record"
	"k8s.io/utils/clock"
	"knative.dev/pkg/controller"
	"knative.dev/pkg/injection"
	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/config"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// wired is the controller with its informers over an API that has a managed
// Deployment and another one. Its queue is not worked off.
type wired struct {
	t    *testing.T
	impl *controller.Impl
	api  *leasestesting.API
	hand kubernetes.Interface
}

// wire runs a test in a bubble of virtual time.
func wire(t *testing.T, test func(*wired)) {
	t.Helper()
	t.Setenv("CONFIG_LEADERELECTION_NAME", config.ConfigMapName)
	t.Setenv("SYSTEM_NAMESPACE", leasestesting.Namespace)
	synctest.Test(t, func(t *testing.T) {
		w := &wired{t: t, api: leasestesting.NewAPI(
			leasestesting.MakeDeployment(name).Obj(), leasestesting.MakeDeployment("other").Obj(),
			leasestesting.MakeLease(taskrun.Name(0)).Holder("pod-a_1").Renewed(start).Duration(60).Obj(),
			leasestesting.MakeConfigMap(config.ConfigMapName),
		)}
		w.hand = w.api.NewClient("somebody", leasestesting.ClientOptions{}).Kube()
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		ctx = injection.WithNamespaceScope(logging.WithLogger(ctx, zap.NewNop().Sugar()), leasestesting.Namespace)
		ctx, startInformers := injection.EnableInjectionOrDie(ctx, w.api.NewClient("ours", leasestesting.ClientOptions{}).Config())
		ctx = controller.WithEventRecorder(ctx, kuberecord.NewFakeRecorder(10))
		w.impl = newController(ctx, clock.RealClock{})
		defer w.impl.WorkQueue().ShutDown()
		startInformers()
		w.queued()
		test(w)
	})
}

// queued empties the queue once everything has settled.
func (w *wired) queued() []string {
	synctest.Wait()
	var names []string
	for q := w.impl.WorkQueue(); q.Len() > 0; synctest.Wait() {
		item, _ := q.Get()
		names = append(names, item.(types.NamespacedName).Name)
		q.Done(item)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TestWatch: what brings which Deployments back.
func TestWatch(t *testing.T) {
	ns := leasestesting.Namespace
	lease := func(w *wired, holder string, seconds float64) error {
		l, err := w.hand.CoordinationV1().Leases(ns).Get(w.t.Context(), taskrun.Name(0), metav1.GetOptions{})
		if err != nil {
			return err
		}
		renewed := metav1.NewMicroTime(at(seconds))
		l.Spec.HolderIdentity, l.Spec.RenewTime = &holder, &renewed
		_, err = w.hand.CoordinationV1().Leases(ns).Update(w.t.Context(), l, metav1.UpdateOptions{})
		return err
	}
	cases := map[string]struct {
		change func(*wired) error
		want   []string
	}{
		"nothing":               {change: func(*wired) error { return nil }},
		"a lease is renewed":    {change: func(w *wired) error { return lease(w, "pod-a_1", 10) }},
		"a lease changes hands": {change: func(w *wired) error { return lease(w, "pod-b_1", 10) }, want: []string{name}},
		"a lease is deleted": {change: func(w *wired) error {
			return w.hand.CoordinationV1().Leases(ns).Delete(w.t.Context(), taskrun.Name(0), metav1.DeleteOptions{})
		}, want: []string{name}},
		"a lease elsewhere": {change: func(w *wired) error {
			w.api.Seed(leasestesting.MakeLease(taskrun.Name(1)).Namespace("elsewhere").Holder("pod-a_1").Obj())
			return nil
		}},
		"a pod appears": {change: func(w *wired) error {
			w.api.Seed(leasestesting.MakePod("pod-a").Obj())
			return nil
		}, want: []string{name}},
		"a ReplicaSet appears": {change: func(w *wired) error {
			w.api.Seed(leasestesting.MakeReplicaSet(leasestesting.MakeDeployment(name).Obj(), "1"))
			return nil
		}, want: []string{name}},
		"a ConfigMap changes, it may be anybody's": {change: func(w *wired) error {
			w.api.Seed(leasestesting.MakeConfigMap(electionMap))
			return nil
		}, want: []string{"other", name}},
		"a Deployment changes": {change: func(w *wired) error {
			w.api.Seed(leasestesting.MakeDeployment("other").Replicas(3).Obj())
			return nil
		}, want: []string{"other"}},
		"all Deployments are to be managed": {change: func(w *wired) error {
			w.api.Seed(leasestesting.MakeConfigMap(config.ConfigMapName, "deployments", "*"),
				leasestesting.MakeDeployment("tekton-events-controller").Obj(), leasestesting.MakeDeployment("tekton-leases-controller").Obj())
			w.queued()
			return lease(w, "pod-b_1", 10)
		}, want: []string{"other", name}},
		"another Deployment is to be managed": {change: func(w *wired) error {
			w.api.Seed(leasestesting.MakeConfigMap(config.ConfigMapName, "deployments", "other"))
			w.queued()
			return lease(w, "pod-b_1", 10)
		}, want: []string{"other"}},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			wire(t, func(w *wired) {
				if err := tc.change(w); err != nil {
					w.t.Fatal(err)
				}
				if diff := cmp.Diff(tc.want, w.queued()); diff != "" {
					w.t.Errorf("brought back (-want, +got):\n%s", diff)
				}
			})
		})
	}
}

// TestOneAtATime: two reconciles of one process never run side by side.
func TestOneAtATime(t *testing.T) {
	wire(t, func(w *wired) {
		if w.impl.Concurrency != 1 {
			w.t.Errorf("concurrency %d, want 1", w.impl.Concurrency)
		}
	})
}
