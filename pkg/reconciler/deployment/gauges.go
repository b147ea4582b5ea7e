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
	"runtime"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"k8s.io/apimachinery/pkg/types"
	"knative.dev/pkg/changeset"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// Version is that of the controller. A release sets it when it links.
var Version = "devel"

// shown is what the gauges show of a Deployment: the state after its last
// reconcile.
type shown struct {
	view observe.View
	plan balance.Plan
	// lost are the queues in which nobody leads any lease any more.
	lost []observe.Group
	// leftAlone counts the leases that are not moved for a while, by reason.
	leftAlone map[balance.Reason]int
	// inFlight are the handovers, by step, and oldest is when the first began.
	inFlight map[handover.Step]int
	oldest   time.Time
	paused   bool
	// electionInvalid: the ConfigMap of the electors is refused.
	electionInvalid bool
	// success is when a reconcile succeeded last.
	success time.Time
}

// shows is what the gauges show of a Deployment from now on.
func (r *Reconciler) shows(w *work, view observe.View, plan balance.Plan) shown {
	s := shown{
		view: view, plan: plan,
		leftAlone:       w.history.resting(view, r.clock.Now()),
		inFlight:        map[handover.Step]int{},
		paused:          r.pause(w.key.Namespace, r.clock.Now()).On,
		electionInvalid: w.electionFault != "",
	}
	for _, h := range w.inFlight() {
		s.inFlight[h.Step()]++
		if s.oldest.IsZero() || h.Began().Before(s.oldest) {
			s.oldest = h.Began()
		}
	}
	return s
}

// show makes the gauges show a Deployment. wanted: it should have replicas, so
// that a queue that is gone has lost its leaders.
func (m *metrics) show(key types.NamespacedName, s shown, wanted bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := m.shown[key]
	s.success = before.success
	if wanted {
		s.lost = before.lostSince(s.view)
	}
	m.shown[key] = s
}

// lostSince are the queues that were there and are not any more, with no other
// bucket count in their place.
func (s shown) lostSince(view observe.View) []observe.Group {
	there := map[string]bool{}
	for _, g := range view.Groups {
		there[g.Prefix] = true
	}
	var lost []observe.Group
	for _, all := range [][]observe.Group{s.view.Groups, s.lost} {
		for _, g := range all {
			if !there[g.Prefix] {
				lost, there[g.Prefix] = append(lost, g), true
			}
		}
	}
	return lost
}

// succeeded notes that a reconcile of a Deployment succeeded, if it is shown.
func (m *metrics) succeeded(key types.NamespacedName) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, ok := m.shown[key]; ok {
		s.success = m.clock.Now()
		m.shown[key] = s
	}
}

// configured makes the gauges show our configuration: the one in force, nil for
// none, and whether the ConfigMap is refused as it is now.
func (m *metrics) configured(c *config.Config, invalid bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.config, m.invalid = c, invalid
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
	o.ObserveInt64(m.buildInfo, 1, metric.WithAttributes(buildInfo()...))
	if m.config != nil {
		o.ObserveInt64(m.configInfo, 1, metric.WithAttributes(configInfo(m.config)...))
	}
	o.ObserveInt64(m.configInvalid, number(m.invalid))
	for key, s := range m.shown {
		m.observeDeployment(o, key, s)
		for _, g := range s.view.Groups {
			m.observeQueue(o, key, s, g)
		}
		for _, g := range s.lost {
			o.ObserveInt64(m.unowned, int64(len(g.Leases)), metric.WithAttributes(attrDeployment.String(key.Name), attrQueue.String(g.String())))
		}
	}
	return nil
}

// observeDeployment observes what is so for a whole Deployment.
func (m *metrics) observeDeployment(o metric.Observer, key types.NamespacedName, s shown) {
	deployment := metric.WithAttributes(attrDeployment.String(key.Name))
	o.ObserveInt64(m.paused, number(s.paused), deployment)
	o.ObserveInt64(m.electionInvalid, number(s.electionInvalid), deployment)
	age := time.Duration(0)
	if !s.oldest.IsZero() {
		age = m.clock.Now().Sub(s.oldest)
	}
	o.ObserveInt64(m.oldest, int64(age.Seconds()), deployment)
	if !s.success.IsZero() {
		o.ObserveInt64(m.lastSuccess, s.success.Unix(), deployment)
	}
	for _, step := range handover.Steps {
		o.ObserveInt64(m.inFlight, int64(s.inFlight[step]), deployment, metric.WithAttributes(attrStep.String(string(step))))
	}
	for standing, n := range standings(s.view) {
		o.ObserveInt64(m.replicas, int64(n), deployment, metric.WithAttributes(attrStanding.String(standing)))
	}
	for reason, n := range s.leftAlone {
		o.ObserveInt64(m.leftAlone, int64(n), deployment, metric.WithAttributes(attrReason.String(string(reason))))
	}
}

// observeQueue observes what is so for a queue.
func (m *metrics) observeQueue(o metric.Observer, key types.NamespacedName, s shown, g observe.Group) {
	queue := metric.WithAttributes(attrDeployment.String(key.Name), attrQueue.String(g.String()))
	o.ObserveInt64(m.present, int64(g.Present()), queue)
	o.ObserveInt64(m.expected, int64(len(g.Leases)), queue)
	o.ObserveInt64(m.unowned, int64(unowned(g)), queue)
	o.ObserveInt64(m.imbalance, int64(imbalance(s.view, g)), queue)
	o.ObserveInt64(m.planned, int64(planned(s.plan, g)), queue)
	for _, r := range s.view.Replicas {
		o.ObserveInt64(m.held, int64(g.Held(r.Pod.Name)), queue, metric.WithAttributes(attrReplica.String(r.Pod.Name)))
	}
	for reason, n := range reasons(s.plan.Stays, g.String()) {
		o.ObserveInt64(m.surplus, int64(n), queue, metric.WithAttributes(attrReason.String(string(reason))))
	}
}

// eligible is the standing of a replica that nothing speaks against.
const eligible = "Eligible"

// standings counts the replicas of a view by standing. Two are always there.
func standings(view observe.View) map[string]int {
	n := map[string]int{eligible: 0, string(balance.ReplicaOnProbation): 0}
	for _, r := range view.Replicas {
		if r.Standing == "" {
			n[eligible]++
		} else {
			n[string(r.Standing)]++
		}
	}
	return n
}

// unowned counts the leases of a queue that nobody leads, those that we are just
// giving away for that reason among them.
func unowned(g observe.Group) int {
	n := 0
	for _, l := range g.Leases {
		if l.Trouble == balance.LeaseUnowned || l.Trouble == balance.LeasesMissing || l.Transit != nil && l.Transit.Vacant {
			n++
		}
	}
	return n
}

// imbalance is by how much the replicas of a queue differ that are Ready. One on
// probation is among them, since it is about to get its share.
func imbalance(view observe.View, g observe.Group) int {
	least, most, sharing := len(g.Leases), 0, 0
	for _, r := range view.Replicas {
		if r.Standing == "" || r.Standing == balance.ReplicaOnProbation {
			n := g.Held(r.Pod.Name)
			least, most, sharing = min(least, n), max(most, n), sharing+1
		}
	}
	if sharing == 0 {
		return 0
	}
	return most - least
}

// planned counts the moves of a queue.
func planned(plan balance.Plan, g observe.Group) int {
	n := 0
	for _, m := range plan.Moves {
		if m.Group == g.String() {
			n++
		}
	}
	return n
}

// buildInfo is what is known of this binary.
func buildInfo() []attribute.KeyValue {
	return []attribute.KeyValue{
		attribute.String("version", Version), attribute.String("revision", changeset.Get()), attribute.String("go_version", runtime.Version()),
	}
}

// configInfo are the keys of our own ConfigMap but the Deployments, whose names
// are in every other series.
func configInfo(c *config.Config) []attribute.KeyValue {
	return []attribute.KeyValue{
		attribute.String("strategy", string(c.Strategy)),
		attribute.String("stabilization_window", c.StabilizationWindow.String()),
		attribute.String("max_handovers_in_flight", strconv.Itoa(c.MaxHandoversInFlight)),
		attribute.String("fast_failover", strconv.FormatBool(c.FastFailover)),
		attribute.String("max_rollout_wait", c.MaxRolloutWait.String()),
		attribute.String("clean_up_leftovers", strconv.FormatBool(c.CleanUpLeftovers)),
		attribute.String("margin", c.Margin.String()),
		attribute.String("dry_run", strconv.FormatBool(c.DryRun)),
	}
}

func number(is bool) int64 {
	if is {
		return 1
	}
	return 0
}
