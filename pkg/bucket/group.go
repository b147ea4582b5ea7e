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

package bucket

import (
	"fmt"
	"strings"

	"knative.dev/pkg/leaderelection"
)

// Group is all leases of one queue with one bucket count. It is comparable.
type Group struct {
	// Prefix is what the names of the leases have in common: the lower case
	// <component>.<queue>, or what the configuration maps it to.
	Prefix string
	// Buckets is the number of leases in the group.
	Buckets uint32
}

// NewGroup returns the group that the electors of the component's queue
// contend for under the given configuration.
func NewGroup(component, queue string, cfg *leaderelection.Config) Group {
	prefix := component + "." + queue
	if mapped := cfg.LeaseNamesPrefixMapping[prefix]; mapped != "" {
		prefix = mapped
	}
	return Group{Prefix: strings.ToLower(prefix), Buckets: cfg.Buckets}
}

// Name returns the name of the lease of the bucket with the given ordinal.
func (g Group) Name(ordinal uint32) string {
	return fmt.Sprintf("%s.%02d-of-%02d", g.Prefix, ordinal, g.Buckets)
}

// Names returns the names of all leases of the group, by ordinal.
func (g Group) Names() []string {
	names := make([]string, 0, g.Buckets)
	for ordinal := range g.Buckets {
		names = append(names, g.Name(ordinal))
	}
	return names
}

// Webhook tells whether the queue is a webhook's: all of its replicas serve, its
// leases only decide who writes its certificates, and spreading those is of no
// use to anybody.
func (g Group) Webhook() bool { return strings.Contains(g.Prefix, "webhook") }

// String returns the part of the names that tells this group from others.
func (g Group) String() string {
	return fmt.Sprintf("%s-of-%02d", g.Prefix, g.Buckets)
}
