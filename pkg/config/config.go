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

package config

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"knative.dev/pkg/leaderelection"
)

// ConfigMapName is the name of our ConfigMap as it is shipped. At run time
// CONFIG_LEADERELECTION_NAME counts.
const ConfigMapName = "config-leader-election-leases"

// Strategy is the way in which a lease is moved.
type Strategy string

const (
	// Handover moves a lease only once its holder has stopped leading.
	Handover Strategy = "handover"
	// Delete deletes the lease at once, at the price of two leaders for a while.
	Delete Strategy = "delete"
)

// Config is what our own keys say.
type Config struct {
	// Deployments are the names of the Deployments whose leases we even out, and
	// "*" for all that have some. Manages reads them.
	Deployments []string
	// Strategy is the way in which leases are moved.
	Strategy Strategy
	// StabilizationWindow is how long a replica must have been Ready before it
	// gets leases.
	StabilizationWindow time.Duration
	// MaxHandoversInFlight is how many leases of one Deployment may be on their
	// way at once. 0 means no limit.
	MaxHandoversInFlight int
	// FastFailover gives leases that nobody leads to other replicas at once.
	FastFailover bool
	// MaxRolloutWait is how long a rollout may keep the replicas that are Ready
	// from being balanced.
	MaxRolloutWait time.Duration
	// CleanUpLeftovers deletes leases of bucket counts that are no longer used.
	CleanUpLeftovers bool
	// Margin is the least safety that is added to the wait of a handover, 0 for
	// what the holder's lateness demands.
	Margin time.Duration
	// DryRun: everything is planned and told, nothing is written.
	DryRun bool
}

// all stands for every Deployment that shares its work by leases.
const all = "*"

// inMemory are Deployments that keep state of their keys in memory, which is
// lost to whoever leads a bucket next: "*" does not stand for them.
var inMemory = []string{"tekton-events-controller", "pipelines-as-code-watcher"}

// Manages tells whether we are told to even out the leases of a Deployment, if
// it has any.
func (c *Config) Manages(deployment string) bool {
	if slices.Contains(c.Deployments, deployment) {
		return true
	}
	return slices.Contains(c.Deployments, all) && deployment != ownDeployment && !slices.Contains(inMemory, deployment)
}

// Named are the Deployments that are there by name.
func (c *Config) Named() []string {
	return slices.DeleteFunc(slices.Clone(c.Deployments), func(name string) bool { return name == all })
}

// Default returns the configuration of an empty ConfigMap.
func Default() *Config {
	return &Config{
		Deployments:         []string{"tekton-pipelines-controller"},
		Strategy:            Handover,
		StabilizationWindow: 30 * time.Second,
		FastFailover:        true,
		MaxRolloutWait:      10 * time.Minute,
		CleanUpLeftovers:    true,
	}
}

// DeepCopy returns a copy that shares nothing with the original.
func (c *Config) DeepCopy() *Config {
	out := *c
	out.Deployments = slices.Clone(c.Deployments)
	return &out
}

// NewFromConfigMap reads our ConfigMap. None at all means the defaults.
func NewFromConfigMap(cm *corev1.ConfigMap) (*Config, error) {
	if cm == nil {
		return Default(), nil
	}
	return parse(cm.Name, cm.Data)
}

// NewFromMap reads the data of our ConfigMap.
func NewFromMap(data map[string]string) (*Config, error) {
	return parse(leaderelection.ConfigMapName(), data)
}
