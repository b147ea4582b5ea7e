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
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/types"
	appsv1listers "k8s.io/client-go/listers/apps/v1"
	corev1listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	kuberecord "k8s.io/client-go/tools/record"
	"k8s.io/utils/ptr"
	"knative.dev/pkg/controller"
	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/observe"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

const (
	name        = "tekton-pipelines-controller"
	electionMap = "config-leader-election-controller"
	ownIdentity = "tekton-leases-controller_0aef"
)

var (
	// start is when the tests begin, by our clock.
	start = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)
	// skew is how far the clock of the holders' node is behind.
	skew = 7 * time.Minute

	key     = types.NamespacedName{Namespace: leasestesting.Namespace, Name: name}
	taskrun = bucket.Group{Prefix: name + ".taskrun", Buckets: 4}
	// wide is another queue.
	wide = bucket.Group{Prefix: name + ".wide", Buckets: 6}
)

// at is the time so many seconds after start.
func at(seconds float64) time.Time {
	return start.Add(time.Duration(seconds * float64(time.Second)))
}

// manual is a clock that is set by hand.
type manual struct{ now time.Time }

func (m *manual) Now() time.Time                     { return m.now }
func (m *manual) Since(then time.Time) time.Duration { return m.now.Sub(then) }

// bench is a Reconciler over caches that are filled by hand and an API that has
// the leases.
type bench struct {
	*Reconciler
	t          *testing.T
	time       *manual
	api        *leasestesting.API
	deployment *appsv1.Deployment
	replicaSet *appsv1.ReplicaSet
	// caches by kind.
	deploymentCache, replicaSetCache, podCache, configMapCache cache.Indexer
	// fault is what the network does to our calls.
	fault func(leasestesting.Request) leasestesting.Fault
	// writes are our calls that were carried out, as "verb lease holder".
	writes []string
	// shows counts our writes of the status.
	shows int
	// woken are the times after which it wants to come back.
	woken  []time.Duration
	waking sync.Mutex
	events *kuberecord.FakeRecorder
	reader *sdkmetric.ManualReader
	log    bytes.Buffer
}

func newBench(t *testing.T) *bench {
	t.Helper()
	t.Setenv("CONFIG_LEADERELECTION_NAME", config.ConfigMapName)
	t.Setenv("SYSTEM_NAMESPACE", leasestesting.Namespace)
	namespaced := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	index := func() cache.Indexer { return cache.NewIndexer(cache.MetaNamespaceKeyFunc, namespaced) }
	b := &bench{
		t: t, time: &manual{now: start}, api: leasestesting.NewAPI(),
		deploymentCache: index(), replicaSetCache: index(), podCache: index(), configMapCache: index(),
		events: kuberecord.NewFakeRecorder(1000), reader: sdkmetric.NewManualReader(),
	}
	metrics, err := newMetrics(sdkmetric.NewMeterProvider(sdkmetric.WithReader(b.reader)), b.time)
	if err != nil {
		t.Fatalf("newMetrics: %v", err)
	}
	kube := b.client().Kube()
	b.Reconciler = &Reconciler{
		leases:      kube.CoordinationV1().Leases(leasestesting.Namespace),
		configMaps:  corev1listers.NewConfigMapLister(b.configMapCache),
		deployments: appsv1listers.NewDeploymentLister(b.deploymentCache),
		pods:        corev1listers.NewPodLister(b.podCache),
		observer: &observe.Observer{
			Tracker:     observe.NewTracker(),
			Pods:        corev1listers.NewPodLister(b.podCache),
			ReplicaSets: appsv1listers.NewReplicaSetLister(b.replicaSetCache),
		},
		store:        config.NewStore(),
		clock:        b.time,
		identity:     ownIdentity,
		enqueueAfter: b.wake,
		metrics:      metrics,
		status: &publisher{
			client: kube.CoreV1().ConfigMaps(leasestesting.Namespace),
			lister: corev1listers.NewConfigMapLister(b.configMapCache).ConfigMaps(leasestesting.Namespace),
		},
		mu:     newTurn(),
		work:   map[types.NamespacedName]*work{},
		former: map[types.NamespacedName]*history{},
	}
	b.configure(electionMap, "buckets", "4")
	b.deploy(leasestesting.MakeDeployment(name).Replicas(2).Env("CONFIG_LEADERELECTION_NAME", electionMap).Obj())
	return b
}

// wake notes when it wants to come back.
func (b *bench) wake(_ types.NamespacedName, d time.Duration) {
	b.waking.Lock()
	defer b.waking.Unlock()
	b.woken = append(b.woken, d)
}

// client is our connection to the API. It notes what it writes.
func (b *bench) client() *leasestesting.Client {
	var mu sync.Mutex
	b.api.Observe(func(o leasestesting.Observation) {
		mu.Lock()
		defer mu.Unlock()
		if o.Client != "ours" || o.Code >= 300 || o.Verb == "get" {
			return
		}
		if o.Resource == "configmaps" {
			b.shows++
			return
		}
		holder := ""
		if lease, ok := o.After.(*coordinationv1.Lease); ok {
			holder = " " + ptr.Deref(lease.Spec.HolderIdentity, "")
		}
		b.writes = append(b.writes, o.Verb+" "+strings.TrimPrefix(o.Name, name+".")+holder)
	})
	return b.api.NewClient("ours", leasestesting.ClientOptions{Fault: func(r leasestesting.Request) leasestesting.Fault {
		mu.Lock() // calls are made side by side
		defer mu.Unlock()
		if b.fault == nil {
			return leasestesting.Fault{}
		}
		return b.fault(r)
	}})
}

func (b *bench) add(indexer cache.Indexer, obj any) {
	b.t.Helper()
	if err := indexer.Add(obj); err != nil {
		b.t.Fatalf("failed to index: %v", err)
	}
}

// context is what a reconcile runs in.
func (b *bench) context() context.Context {
	encoder := zapcore.NewConsoleEncoder(zapcore.EncoderConfig{MessageKey: "message", LevelKey: "level", EncodeLevel: zapcore.CapitalLevelEncoder})
	logger := zap.New(zapcore.NewCore(encoder, zapcore.Lock(zapcore.AddSync(&b.log)), zap.DebugLevel))
	return controller.WithEventRecorder(logging.WithLogger(b.t.Context(), logger.Sugar()), b.events)
}

// reconcile is one reconcile of the Deployment at a time.
func (b *bench) reconcileAt(seconds float64) {
	b.t.Helper()
	b.time.now = at(seconds)
	b.sync()
	if err := b.ReconcileKind(b.context(), b.deployment); err != nil {
		b.t.Fatalf("ReconcileKind at %vs: %v", seconds, err)
	}
	b.status.calls.Wait()
	b.sync()
}

// said are the Events since the last time, without the name of the component.
func (b *bench) said() []string {
	var all []string
	for {
		select {
		case e := <-b.events.Events:
			all = append(all, strings.ReplaceAll(e, name+".", ""))
		default:
			return all
		}
	}
}

// wrote are our writes since the last time, sorted.
func (b *bench) wrote() []string {
	all := b.writes
	b.writes = nil
	slices.Sort(all)
	return all
}
