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
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"

	"github.com/tektoncd/leases-controller/pkg/config"
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
	attrStanding   = attribute.Key("standing")
	attrStep       = attribute.Key("step")
	attrStrategy   = attribute.Key("strategy")
	attrResult     = attribute.Key("result")
	attrCause      = attribute.Key("cause")
)

// metrics are the instruments of the reconciler. The gauges of a Deployment are
// those of the process that leads, so that they may be summed up over all of
// ours; what is said of a process itself comes from each.
type metrics struct {
	held, present, expected, unowned, imbalance, planned, surplus, leftAlone metric.Int64ObservableGauge
	replicas, inFlight, oldest, paused, electionInvalid, lastSuccess         metric.Int64ObservableGauge
	configInvalid, configInfo, buildInfo                                     metric.Int64ObservableGauge

	handovers, takeovers, overlaps               metric.Int64Counter
	took, leaderless, both, orphaned, reconciles metric.Float64Histogram

	clock clock.PassiveClock

	mu    sync.Mutex
	shown map[types.NamespacedName]shown
	// config is the configuration in force, nil before it was read; invalid: the
	// ConfigMap is refused as it is now.
	config  *config.Config
	invalid bool
}

// seconds are the bounds of our histograms: the promises of the README (27, 36
// and 67 s) are among them.
var seconds = []float64{1, 2, 5, 10, 15, 20, 27, 36, 50, 67, 90, 120, 180}

// reconcileSeconds are those of a reconcile. Each of its calls ends after
// callTimeout.
var reconcileSeconds = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// newMetrics makes the instruments. It fails only if a name is not legal.
func newMetrics(provider metric.MeterProvider, clock clock.PassiveClock) (*metrics, error) {
	b := &builder{meter: provider.Meter(scope)}
	m := &metrics{
		held:            b.gauge("held", "{lease}", "Leases that a replica leads, by queue."),
		present:         b.gauge("present", "{lease}", "Leases of a queue that exist."),
		expected:        b.gauge("expected", "{lease}", "Leases that a queue should have: its bucket count."),
		unowned:         b.gauge("unowned", "{lease}", "Leases of a queue that nobody leads, or that do not exist; those that are moved from one replica to another are not counted."),
		imbalance:       b.gauge("imbalance", "{lease}", "Most leases of a queue that a replica leads, less the fewest, over the replicas that are Ready; 1 at the most is even."),
		planned:         b.gauge("planned.moves", "{lease}", "Leases of a queue that are to move next."),
		surplus:         b.gauge("surplus", "{lease}", "Surplus leases of a queue that stay, by reason."),
		leftAlone:       b.gauge("left.alone", "{lease}", "Leases that are not moved for a while, because of what became of earlier handovers, by reason."),
		replicas:        b.gauge("replicas", "{pod}", "Replicas by standing: eligible, or why leases are moved neither to nor from them."),
		inFlight:        b.gauge("handovers.in.flight", "{handover}", "Handovers in flight, by step, those of leases that nobody led among them."),
		oldest:          b.gauge("handover.oldest.age", "s", "Age of the oldest handover in flight, 0 if there is none."),
		paused:          b.gauge("paused", "{deployment}", "1 while the balancing of the Deployment is paused, else 0."),
		electionInvalid: b.gauge("election.invalid", "{configmap}", "1 while the ConfigMap that the replicas read their election from is refused, else 0."),
		lastSuccess:     b.gauge("last.success.timestamp", "s", "Unix time of the last reconcile that succeeded."),
		configInvalid:   b.gauge("config.invalid", "{configmap}", "1 while the ConfigMap of the leases controller is refused, else 0."),
		configInfo:      b.gauge("config.info", "{configmap}", "1, with the configuration in force as labels."),
		buildInfo:       b.gauge("build.info", "{build}", "1, with the build of the leases controller as labels."),

		handovers:  b.counter("handovers", "{handover}", "Handovers that ended, by strategy and result."),
		takeovers:  b.counter("takeovers", "{lease}", "Leases that nobody led and that were given away, by cause and result."),
		overlaps:   b.counter("overlaps", "{handover}", "Handovers in which two replicas may have led the bucket."),
		took:       b.histogram("handover.duration", seconds, "Time from the first write of a handover to its end."),
		leaderless: b.histogram("leaderless.duration", seconds, "Time in which nobody led the bucket of a handover."),
		both:       b.histogram("overlap.duration", seconds, "Time in which two replicas led the bucket of a handover, at the most."),
		orphaned:   b.histogram("takeover.leaderless.duration", seconds, "Time from the last write of the leader that has ended to the first of its next one."),
		reconciles: b.histogram("reconcile.duration", reconcileSeconds, "Time that a reconcile took, by result: success, or error if it failed or one of its calls did."),

		clock: clock,
		shown: map[types.NamespacedName]shown{},
	}
	return m, b.observed(m.observe)
}

// builder makes instruments, and remembers what went wrong.
type builder struct {
	meter  metric.Meter
	gauges []metric.Observable
	errs   []error
}

// prefix is that of all of our metrics.
const prefix = "tekton.leases."

func (b *builder) gauge(name, unit, description string) metric.Int64ObservableGauge {
	g, err := b.meter.Int64ObservableGauge(prefix+name, metric.WithDescription(description), metric.WithUnit(unit))
	b.gauges, b.errs = append(b.gauges, g), append(b.errs, err)
	return g
}

func (b *builder) counter(name, unit, description string) metric.Int64Counter {
	c, err := b.meter.Int64Counter(prefix+name, metric.WithDescription(description), metric.WithUnit(unit))
	b.errs = append(b.errs, err)
	return c
}

func (b *builder) histogram(name string, bounds []float64, description string) metric.Float64Histogram {
	h, err := b.meter.Float64Histogram(prefix+name, metric.WithDescription(description), metric.WithUnit("s"), metric.WithExplicitBucketBoundaries(bounds...))
	b.errs = append(b.errs, err)
	return h
}

// observed has the callback called for all gauges when the metrics are read.
func (b *builder) observed(callback metric.Callback) error {
	_, err := b.meter.RegisterCallback(callback, b.gauges...)
	if err = errors.Join(append(b.errs, err)...); err != nil {
		return fmt.Errorf("failed to make the metrics: %w", err)
	}
	return nil
}

// begin makes the counters of a Deployment start with 0: Prometheus takes no
// notice of what a counter counts before it is seen for the first time.
func (m *metrics) begin(ctx context.Context, key types.NamespacedName) {
	deployment := attrDeployment.String(key.Name)
	for _, strategy := range []config.Strategy{config.Handover, config.Delete} {
		set := metric.WithAttributes(deployment, attrStrategy.String(string(strategy)))
		m.overlaps.Add(ctx, 0, set)
		for _, result := range handover.Results {
			m.handovers.Add(ctx, 0, set, metric.WithAttributes(attrResult.String(string(result))))
		}
	}
	for _, cause := range observe.Causes {
		m.takeovers.Add(ctx, 0, metric.WithAttributes(deployment, attrCause.String(string(cause)), attrResult.String(string(handover.Done))))
	}
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
		m.overlaps.Add(ctx, 1, set)
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

// reconciled notes the end of a reconcile of a Deployment.
func (m *metrics) reconciled(ctx context.Context, key types.NamespacedName, took time.Duration, ok bool) {
	result := "error"
	if ok {
		result = "success"
		m.succeeded(key)
	}
	m.reconciles.Record(ctx, took.Seconds(), metric.WithAttributes(attrDeployment.String(key.Name), attrResult.String(result)))
}
