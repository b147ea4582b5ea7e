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
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/clock"
	kubeclient "knative.dev/pkg/client/injection/kube/client"
	cminformer "knative.dev/pkg/configmap/informer"
	"knative.dev/pkg/controller"
	"knative.dev/pkg/injection"
	"knative.dev/pkg/leaderelection"
	"knative.dev/pkg/logging"
	"knative.dev/pkg/reconciler"

	"github.com/tektoncd/leases-controller/pkg/reconciler/deployment"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// Controller is one process of our own controller: the whole of it, with informers, work queue and election.
type Controller struct {
	// Name is the name of its client.
	Name   string
	Client *leasestesting.Client

	lab       *Lab
	clock     clock.PassiveClock
	startedAt time.Time
	cancel    context.CancelFunc
	done      sync.WaitGroup
	// unelected: it acts without being elected.
	unelected bool
	crash     *crash

	mu sync.Mutex
	// elector is what it is elected by, nil before.
	elector leaderelection.Elector
}

// ControllerOption is a way to start a process of our controller.
type ControllerOption func(*Controller)

// Unelected has the process act at once, whoever else does: its leader election is switched off.
func Unelected(c *Controller) { c.unelected = true }

// DiesAt has the process die at the write given, counting its writes to managed leases from 1 as they reach the
// server.
func DiesAt(write int, at Moment) ControllerOption {
	return func(c *Controller) { c.crash = &crash{controller: c, write: write, at: at} }
}

// StartController starts one more process of our controller, and does not wait for it. It is elected as in
// production, so that a second one is a standby.
func (l *Lab) StartController(opts ...ControllerOption) *Controller {
	l.T.Helper()
	l.started++
	c := &Controller{Name: fmt.Sprintf("%s-%d", controllerName, l.started), lab: l, startedAt: time.Now()}
	c.clock = aheadClock(l.skew(c.Name))
	for _, opt := range opts {
		opt(c)
	}
	network := l.network(c.Name)
	if c.crash != nil {
		network.Fault = c.crash.around(network.Fault)
	}
	network.QPS, network.Burst = 50, 100
	c.Client = l.API.NewClient(c.Name, network)
	ctx, cancel := context.WithCancel(l.ctx)
	c.cancel = cancel
	l.mu.Lock()
	l.running = append(l.running, c)
	l.mu.Unlock()
	l.tracef("%s starts", c.Name)
	c.done.Go(func() { c.run(ctx) })
	return c
}

// Stop asks the process to end, as SIGTERM does, and waits until it has.
func (c *Controller) Stop() {
	c.lab.tracef("%s is asked to stop", c.Name)
	c.cancel()
	c.done.Wait()
	c.forget()
}

// Kill ends the process at once. What it had sent before may still reach the server.
func (c *Controller) Kill() {
	c.lab.tracef("%s is killed", c.Name)
	c.Client.Cut()
	c.cancel()
	c.done.Wait()
	c.forget()
}

func (c *Controller) forget() {
	c.lab.mu.Lock()
	defer c.lab.mu.Unlock()
	c.lab.running = slices.DeleteFunc(c.lab.running, func(other *Controller) bool { return other == c })
}

// run does what sharedmain does, without its signals, ports and flags.
func (c *Controller) run(ctx context.Context) {
	ctx = injection.WithNamespaceScope(logging.WithLogger(ctx, c.logger()), leasestesting.Namespace)
	ctx, startInformers := injection.EnableInjectionOrDie(ctx, c.Client.Config())
	kc := kubeclient.Get(ctx)

	// The generated reconciler's own broadcaster never ends, and with it the bubble would not either.
	broadcaster := record.NewBroadcaster()
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&sink{EventSink: &typedcorev1.EventSinkImpl{Interface: kc.CoreV1().Events("")}})
	ctx = controller.WithEventRecorder(ctx,
		broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: controllerName}))

	ctx, err := deployment.WithOwnElection(ctx, c.Client.Config())
	if err != nil {
		c.lab.tracef("%s cannot start: %v", c.Name, err)
		return
	}
	cc := leaderelection.GetConfig(ctx).GetComponentConfig(controllerName)
	// One host runs all processes: only the name tells them apart.
	cc.Identity = c.Name + "_" + c.lab.dice.uuid(c.Name)
	if !c.unelected {
		ctx = leaderelection.WithDynamicLeaderElectorBuilder(ctx, kc, cc)
	}

	cmw := cminformer.NewInformedWatcher(kc, leasestesting.Namespace)
	impl := deployment.NewController(c.clock)(ctx, cmw)
	if err := cmw.Start(ctx.Done()); err != nil {
		c.lab.tracef("%s cannot watch its ConfigMaps: %v", c.Name, err)
		return
	}
	startInformers()
	if !c.unelected {
		if err := c.elect(ctx, impl); err != nil {
			c.lab.tracef("%s cannot be elected: %v", c.Name, err)
			return
		}
	}
	if err := controller.StartAll(ctx, impl); err != nil {
		c.lab.tracef("%s ended: %v", c.Name, err)
	}
}

// elect runs the election of the controller, which it would otherwise do itself, so that we know its elector.
func (c *Controller) elect(ctx context.Context, impl *controller.Impl) error {
	elector, err := leaderelection.BuildElector(ctx, impl.Reconciler.(reconciler.LeaderAware), impl.Name, impl.MaybeEnqueueBucketKey)
	if err != nil {
		return err
	}
	impl.Reconciler = unaware{impl.Reconciler}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.elector = elector
	c.done.Go(func() { elector.Run(ctx) })
	return nil
}

// unaware is a reconciler that is elected elsewhere.
type unaware struct{ controller.Reconciler }

// logger writes into the lab's trace. What is fatal ends the goroutine that says so, not the test.
func (c *Controller) logger() *zap.SugaredLogger {
	return zap.New(&traceCore{lab: c.lab, name: c.Name}, zap.WithFatalHook(zapcore.WriteThenGoexit)).Sugar()
}

// sink names each Event apart: client-go names them by the time in nanoseconds, which stands still here while several
// are made.
type sink struct {
	record.EventSink
	n int
}

// Create implements record.EventSink. The broadcaster calls it from one goroutine.
func (s *sink) Create(event *corev1.Event) (*corev1.Event, error) {
	s.n++
	event = event.DeepCopy()
	event.Name = fmt.Sprintf("%s.%d", event.Name, s.n)
	return s.EventSink.Create(event)
}
