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
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"
)

// completeDeployments completes the names of the namespace's Deployments.
func (l *looker) completeDeployments(cmd *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
	c, err := l.cluster(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	all, err := c.deployments.Deployments(c.namespace).List(labels.Everything())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var names []string
	for _, d := range all {
		if d.Name != controllerName && !slices.Contains(given, d.Name) {
			names = append(names, d.Name)
		}
	}
	slices.Sort(names)
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeQueues completes the names of queues, and behind a slash of buckets.
func (l *looker) completeQueues(cmd *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(given) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	s, err := l.look(cmd.Context(), nil)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var names []string
	for _, d := range s.Deployments {
		for _, q := range d.Queues {
			names = append(names, q.Name)
		}
		for _, q := range d.Queues {
			for _, lease := range q.Leases {
				names = append(names, q.Name+"/"+lease.Bucket)
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
