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
	"errors"
	"fmt"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"k8s.io/apimachinery/pkg/types"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// scope is the instrumentation scope of our metrics.
const scope = "github.com/tektoncd/leases-controller/pkg/reconciler/deployment"

// The attributes of our metrics. All of their values are bounded by what
// exists: the series of a replica that vanished disappear.
const (
	attrDeployment = attribute.Key("deployment")
	attrQueue      = attribute.Key("queue")
	attrReplica    = attribute.Key("replica")
	attrReason     = attribute.Key("reason")
	attrStrategy   = attribute.Key("strategy")
	attrResult     = attribute.Key("result")
	attrCause      = attribute.Key("cause")
)

// shown is what the gauges show of a Deployment.
type shown struct {
	view    observe.View
	stays   []balance.Stay
	invalid bool
}

// metrics are the instruments of the reconciler.
type metrics struct {
	held, present, expected, surplus, invalid metric.Int64ObservableGauge

	handovers, takeovers             metric.Int64Counter
	took, leaderless, both, orphaned metric.Float64Histogram

	mu    sync.Mutex
	shown map[types.NamespacedName]shown
}

// seconds are the bounds of our histograms: the promises of the README (27, 36
// and 67 s) are among them.
var seconds = metric.WithExplicitBucketBoundaries(1, 2, 5, 10, 15, 20, 27, 36, 50, 67, 90, 120, 180)

// newMetrics makes the instruments. It fails only if a name is not legal.
func newMetrics(provider metric.MeterProvider) (*metrics, error) {
	meter := provider.Meter(scope)
	m := &metrics{shown: map[types.NamespacedName]shown{}}
	errs := make([]error, 0, 12)
	gauge := func(into *metric.Int64ObservableGauge, name, description, unit string) {
		var err error
		*into, err = meter.Int64ObservableGauge(name, metric.WithDescription(description), metric.WithUnit(unit))
		errs = append(errs, err)
	}
	histogram := func(into *metric.Float64Histogram, name, description string) {
		var err error
		*into, err = meter.Float64Histogram(name, metric.WithDescription(description), metric.WithUnit("s"), seconds)
		errs = append(errs, err)
	}
	gauge(&m.held, "tekton.leases.held", "Leases that a replica leads, by queue.", "{lease}")
	gauge(&m.present, "tekton.leases.present", "Leases of a queue that exist.", "{lease}")
	gauge(&m.expected, "tekton.leases.expected", "Leases that a queue should have: its bucket count.", "{lease}")
	gauge(&m.surplus, "tekton.leases.surplus", "Surplus leases of a queue that stay, by reason.", "{lease}")
	gauge(&m.invalid, "tekton.leases.election.invalid", "1 while the ConfigMap that the replicas read their election from is refused, else 0.", "{configmap}")
	histogram(&m.took, "tekton.leases.handover.duration", "Time from the first write of a handover to its end.")
	histogram(&m.leaderless, "tekton.leases.leaderless.duration", "Time in which nobody led the bucket of a handover.")
	histogram(&m.both, "tekton.leases.overlap.duration", "Time in which two replicas led the bucket of a handover, at the most (strategy delete).")
	histogram(&m.orphaned, "tekton.leases.takeover.leaderless.duration", "Time from the last write of the leader that has ended to the first of its next one.")
	counter := func(into *metric.Int64Counter, name, description, unit string) {
		var err error
		*into, err = meter.Int64Counter(name, metric.WithDescription(description), metric.WithUnit(unit))
		errs = append(errs, err)
	}
	counter(&m.handovers, "tekton.leases.handovers", "Handovers that ended, by strategy and result.", "{handover}")
	counter(&m.takeovers, "tekton.leases.takeovers", "Leases that nobody led and that were given away, by cause and result.", "{lease}")
	_, err := meter.RegisterCallback(m.observe, m.held, m.present, m.expected, m.surplus, m.invalid)
	if err = errors.Join(append(errs, err)...); err != nil {
		return nil, fmt.Errorf("failed to make the metrics: %w", err)
	}
	return m, nil
}

// ended counts a handover that ended.
func (m *metrics) ended(ctx context.Context, key types.NamespacedName, strategy string, o handover.Outcome) {
	set := metric.WithAttributes(attrDeployment.String(key.Name), attrStrategy.String(strategy))
	m.handovers.Add(ctx, 1, set, metric.WithAttributes(attrResult.String(string(o.Result))))
	if o.Result == handover.NotBegun {
		return
	}
	m.took.Record(ctx, o.Took.Seconds(), set)
	if o.Gap > 0 {
		m.leaderless.Record(ctx, o.Gap.Seconds(), set)
	}
	if o.Overlap > 0 {
		m.both.Record(ctx, o.Overlap.Seconds(), set)
	}
}

// tookOver counts a lease that nobody led and that was given away.
func (m *metrics) tookOver(ctx context.Context, key types.NamespacedName, cause string, o handover.Outcome) {
	set := metric.WithAttributes(attrDeployment.String(key.Name), attrCause.String(cause))
	m.takeovers.Add(ctx, 1, set, metric.WithAttributes(attrResult.String(string(o.Result))))
	if o.Gap > 0 {
		m.orphaned.Record(ctx, o.Gap.Seconds(), set)
	}
}

// show makes the gauges show a Deployment.
func (m *metrics) show(key types.NamespacedName, view observe.View, plan balance.Plan, invalid bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.shown[key] = shown{view: view, stays: plan.Stays, invalid: invalid}
}

// forget removes the series of a Deployment.
func (m *metrics) forget(key types.NamespacedName) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.shown, key)
}

// observe is called when the metrics are read.
func (m *metrics) observe(_ context.Context, o metric.Observer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, s := range m.shown {
		switch deployment := metric.WithAttributes(attrDeployment.String(key.Name)); {
		case s.invalid:
			o.ObserveInt64(m.invalid, 1, deployment)
		case len(s.view.Groups) > 0:
			o.ObserveInt64(m.invalid, 0, deployment)
		}
		for _, g := range s.view.Groups {
			queue := metric.WithAttributes(attrDeployment.String(key.Name), attrQueue.String(g.String()))
			o.ObserveInt64(m.present, int64(g.Present()), queue)
			o.ObserveInt64(m.expected, int64(len(g.Leases)), queue)
			for _, r := range s.view.Replicas {
				o.ObserveInt64(m.held, int64(g.Held(r.Pod.Name)), queue, metric.WithAttributes(attrReplica.String(r.Pod.Name)))
			}
			for reason, n := range reasons(s.stays, g.String()) {
				o.ObserveInt64(m.surplus, int64(n), queue, metric.WithAttributes(attrReason.String(string(reason))))
			}
		}
	}
	return nil
}
