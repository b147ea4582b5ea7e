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

package install

import (
	"context"
	"time"

	"k8s.io/client-go/rest"
)

// Namespace is where both Tekton and the leases controller are installed, unless
// the options name another.
const Namespace = "tekton-pipelines"

// TektonOptions say what is changed in Tekton's manifests. What is zero stays
// as it is shipped.
type TektonOptions struct {
	Namespace                                 string
	Replicas                                  int
	Buckets                                   int
	LeaseDuration, RenewDeadline, RetryPeriod time.Duration
	// Events and Resolvers ask for these controllers as well, with the same
	// replicas, buckets and timings.
	Events, Resolvers bool
	// Args are given to each container behind those that it is shipped with.
	Args []string
	// Version is put behind the names of the images, with an @, so that pods of
	// one cluster can be of several versions.
	Version string
}

// LeasesOptions say what is changed in our manifests. What is zero stays as
// it is shipped.
type LeasesOptions struct {
	Namespace string
	Replicas  int
	// Data are keys of the ConfigMap config-leader-election-leases, for
	// example "strategy".
	Data map[string]string
}

// tektonFiles are the parts of Tekton's config directory that are applied, in
// this order.
var tektonFiles = []string{
	"100-namespace/*.yaml", "200-*.yaml", "201-*.yaml", "300-crds/*.yaml", "config-*.yaml", "controller.yaml",
}

// eventsFiles and resolversFiles are those of the two that have to be asked for.
var (
	eventsFiles    = []string{"events.yaml"}
	resolversFiles = []string{"resolvers/*.yaml"}
)

// chainsFiles are those of Tekton Chains.
var chainsFiles = []string{"*.yaml"}

// leasesFiles are those of ours: what is in sub-directories is optional.
var leasesFiles = []string{"*.yaml"}

// Tekton installs Tekton Pipelines from the config directory of its module.
// It returns when the API server has everything, and before the pods run.
func Tekton(ctx context.Context, cfg *rest.Config, dir string, options TektonOptions) error {
	c, err := newCluster(cfg)
	if err != nil {
		return err
	}
	return c.install(ctx, dir, options.files(), options.change)
}

// Chains installs Tekton Chains from the config directory of its module, where
// Tekton Pipelines is installed already. It returns before the pods run.
func Chains(ctx context.Context, cfg *rest.Config, dir string, options TektonOptions) error {
	c, err := newCluster(cfg)
	if err != nil {
		return err
	}
	return c.install(ctx, dir, chainsFiles, options.change)
}

// Leases installs the leases controller from our config directory, or changes
// what is installed. It returns before the pods run.
func Leases(ctx context.Context, cfg *rest.Config, dir string, options LeasesOptions) error {
	c, err := newCluster(cfg)
	if err != nil {
		return err
	}
	return c.install(ctx, dir, leasesFiles, options.change)
}

// DeleteLeases removes all that Leases installed with these options. What is gone
// already is no error.
func DeleteLeases(ctx context.Context, cfg *rest.Config, dir string, options LeasesOptions) error {
	c, err := newCluster(cfg)
	if err != nil {
		return err
	}
	return c.remove(ctx, dir, leasesFiles, options.change)
}
