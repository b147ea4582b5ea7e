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
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
	"github.com/tektoncd/leases-controller/pkg/status"
)

// controllerName is the Deployment of the leases controller.
const controllerName = "tekton-leases-controller"

// everyDeployment, among those to balance, stands for all that have leases.
const everyDeployment = "*"

// settings are the leases controller's, with what is wrong with them.
type settings struct {
	*config.Config
	err error
}

// look is the status of the Deployments named, of those to balance if none is.
func (c *cluster) look(names []string, now time.Time) (status.Status, error) {
	s, err := c.settings()
	if err != nil {
		return status.Status{}, err
	}
	out := status.Status{
		APIVersion: status.APIVersion, Kind: status.Kind, Namespace: c.namespace, Time: metav1.Time{Time: now},
		Controller: c.controller(s, now), Deployments: []status.Deployment{},
	}
	chosen, missing, err := c.choose(names, s)
	if err != nil {
		return out, err
	}
	for _, name := range missing {
		out.Deployments = append(out.Deployments, status.Absent(name))
	}
	for _, d := range chosen {
		one, err := c.deployment(d, s, now)
		if err != nil {
			return out, err
		}
		if slices.Contains(names, d.Name) || slices.Contains(s.Deployments, d.Name) || len(one.Queues) > 0 {
			out.Deployments = append(out.Deployments, one)
		}
	}
	return out, nil
}

// choose finds the Deployments named, or else those to balance, of which some may
// be missing.
func (c *cluster) choose(names []string, s settings) (chosen []*appsv1.Deployment, missing []string, err error) {
	asked := len(names) > 0
	if len(names) == 0 && !slices.Contains(s.Deployments, everyDeployment) {
		names = s.Deployments
	}
	if len(names) == 0 {
		all, err := c.deployments.Deployments(c.namespace).List(labels.Everything())
		if err != nil {
			return nil, nil, fmt.Errorf("failed to list the Deployments of namespace %s: %w", c.namespace, err)
		}
		for _, d := range all {
			if s.Manages(d.Name) {
				chosen = append(chosen, d)
			}
		}
		slices.SortFunc(chosen, func(a, b *appsv1.Deployment) int { return strings.Compare(a.Name, b.Name) })
		return chosen, nil, nil
	}
	for _, name := range names {
		d, err := c.deployments.Deployments(c.namespace).Get(name)
		if apierrors.IsNotFound(err) && !asked && (c.installed() || len(names) > 1) {
			missing = append(missing, name)
			continue
		}
		if apierrors.IsNotFound(err) {
			return nil, nil, fmt.Errorf("there is no Deployment %s in namespace %s: is it another one (-n)?", name, c.namespace)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("failed to read Deployment %s: %w", name, err)
		}
		chosen = append(chosen, d)
	}
	return chosen, missing, nil
}

// settings reads the leases controller's ConfigMap.
func (c *cluster) settings() (settings, error) {
	cm, err := c.configMap(config.ConfigMapName)
	if err != nil {
		return settings{}, err
	}
	cfg, err := config.NewFromConfigMap(cm)
	if err != nil {
		return settings{config.Default(), err}, nil //nolint:nilerr // the fault is part of what is looked at
	}
	return settings{cfg, nil}, nil
}

// configMap is a ConfigMap of the namespace, nil if there is none.
func (c *cluster) configMap(name string) (*corev1.ConfigMap, error) {
	cm, err := c.configMaps.ConfigMaps(c.namespace).Get(name)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("failed to read ConfigMap %s: %w", name, err)
	}
	return cm, nil
}

func (c *cluster) controller(s settings, now time.Time) status.Controller {
	pause := c.pause(now)
	out := status.Controller{Installed: c.installed(), Ready: c.ready(), Strategy: string(s.Strategy), DryRun: s.DryRun, Paused: pause.String()}
	if out.Ready {
		out.Silent = c.silent()
	}
	_, known := c.recall()
	out.Known = known && out.Ready
	if pause.Err != nil {
		out.PauseError = pause.Err.Error()
	}
	if s.err != nil {
		out.ConfigError = s.err.Error()
	}
	return out
}

// installed tells whether the leases controller is, ready whether a process of it
// is.
func (c *cluster) installed() bool {
	_, err := c.deployments.Deployments(c.namespace).Get(controllerName)
	return err == nil
}

func (c *cluster) ready() bool {
	d, err := c.deployments.Deployments(c.namespace).Get(controllerName)
	return err == nil && d.Status.ReadyReplicas > 0
}

// silent is for how long no process of it has renewed the lease of its own
// election, if that has expired for sure. Under another prefix of its name
// (map-lease-prefix) it is not found.
func (c *cluster) silent() string {
	leases, err := c.leases.Leases(c.namespace).List(labels.Everything())
	if err != nil {
		return ""
	}
	for _, l := range leases {
		if !strings.HasPrefix(l.Name, controllerName+".") || l.Spec.RenewTime == nil {
			continue
		}
		age, valid := c.ages.of(l.Spec.RenewTime.Time), time.Duration(ptr.Deref(l.Spec.LeaseDurationSeconds, 0))*time.Second
		if age > valid+tolerance {
			return duration.HumanDuration(age)
		}
	}
	return ""
}

// pause is what the status ConfigMap asks for. Until when is by the clocks there.
func (c *cluster) pause(now time.Time) status.Pause {
	cm, err := c.configMap(status.ConfigMapName)
	if err != nil {
		return status.Pause{}
	}
	return status.PauseOf(cm, c.ages.newest.Add(now.Sub(c.ages.now)))
}

// deployment is the status of one Deployment.
func (c *cluster) deployment(d *appsv1.Deployment, s settings, now time.Time) (status.Deployment, error) {
	policy, detail, err := c.policy(d, s, now)
	if err != nil {
		return status.Deployment{}, err
	}
	observer := observe.Observer{Tracker: c.tracker, Pods: c.pods, ReplicaSets: c.replicaSets}
	view, err := observer.View(d, policy, nil, now)
	if err != nil {
		return status.Deployment{}, err
	}
	transit, err := c.transit(view) // whose holds they are needs the replicas
	if err == nil {
		view, err = observer.View(d, policy, transit, now)
	}
	if err != nil {
		return status.Deployment{}, err
	}
	if policy.Blocked == "" && view.Webhook {
		policy.Blocked, detail = balance.NotApplicable, status.NotElecting(status.Webhook)
	}
	memory := c.memory(d.Name)
	memory.standings(view, c.ages, now)
	view, unseen := status.Foresee(view)
	memory.pins(view, c.ages, now)
	plan := view.Plan().KeepBack(func(m balance.Move) balance.Reason { return memory.waits(m.Group, c.ages, now) })
	if s.Strategy == config.Handover {
		plan = view.Together(plan)
	}
	if s.DryRun {
		plan = plan.KeepBack(func(balance.Move) balance.Reason { return balance.DryRun })
	}
	out := status.Of(d.Name, view, plan, policy.Blocked, now)
	out.Detail, out.Unseen = detail, unseen
	memory.tell(&out)
	return out, nil
}

// policy is what the controller would look at a Deployment with, and what there
// is to say about why nothing of it may move.
func (c *cluster) policy(d *appsv1.Deployment, s settings, now time.Time) (observe.Policy, string, error) {
	name, _ := config.ElectionConfigMapName(&d.Spec.Template)
	cm, err := c.configMap(name)
	if err != nil {
		return observe.Policy{}, "", err
	}
	election, fault := config.Election(cm)
	if fault != nil {
		election, _ = config.Election(nil) // the defaults are never invalid
	}
	timing := handover.Timing{RetryPeriod: election.RetryPeriod, RenewDeadline: election.RenewDeadline}
	p := observe.Policy{
		Window: s.StabilizationWindow, MaxRolloutWait: s.MaxRolloutWait,
		RetryPeriod: timing.RetryPeriod, GiveUp: timing.GiveUp(), LateLimit: timing.LateLimit(),
	}
	elects, why := config.Elects(&d.Spec.Template)
	switch {
	case !elects:
		p.Blocked = balance.NotApplicable
		return p, status.NotElecting(why), nil
	case !s.Manages(d.Name):
		p.Blocked = balance.NotManaged
		return p, fmt.Sprintf("Key deployments of ConfigMap %s does not name it.", config.ConfigMapName), nil
	case s.err != nil:
		p.Blocked = balance.ConfigInvalid
	case fault != nil:
		p.Blocked = balance.ConfigInvalid
		return p, fault.Error() + ".", nil //nolint:nilerr // the fault is part of what is looked at
	case c.pause(now).On:
		p.Blocked = balance.Paused
	}
	out, fault := observe.OptsOut("Deployment", d)
	if out && p.Blocked == "" {
		p.Blocked = balance.OptedOut
	}
	if fault != nil {
		return p, fault.Error() + ".", nil //nolint:nilerr // the fault is part of what is looked at
	}
	return p, "", nil
}

// transit are the holds of the leases controller on leases of the replicas.
func (c *cluster) transit(view observe.View) (map[string]observe.Transit, error) {
	leases, err := c.leases.Leases(c.namespace).List(labels.Everything())
	if err != nil {
		return nil, fmt.Errorf("failed to list the leases of namespace %s: %w", c.namespace, err)
	}
	transit := map[string]observe.Transit{}
	for _, l := range leases {
		group, _, err := bucket.Parse(l.Name)
		if err != nil || !bucket.IsOwn(ptr.Deref(l.Spec.HolderIdentity, "")) {
			continue
		}
		old, err := handover.Origin(l)
		if err != nil {
			continue // the view shows that it is in a handover, and nobody knows more
		}
		for _, r := range view.Replicas {
			if r.Hostname != "" && r.Hostname == bucket.HostnameOf(ptr.Deref(old.HolderIdentity, "")) {
				transit[l.Name] = observe.Transit{Group: group, From: r.Pod.Name}
			}
		}
	}
	return transit, nil
}
