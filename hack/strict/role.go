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

package main

import (
	"fmt"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"
)

// strictRole is the shipped Role, in which leases may be changed and deleted by
// name only. RBAC knows no names where something is created, and list and watch
// are for all leases at once.
func strictRole(shipped []byte, namespace string, prefixes []string) (*rbacv1.Role, error) {
	role := &rbacv1.Role{}
	if err := yaml.UnmarshalStrict(shipped, role); err != nil {
		return nil, fmt.Errorf("failed to read the Role: %w", err)
	}
	role.Namespace = namespace
	var rules []rbacv1.PolicyRule
	for _, rule := range role.Rules {
		if !slices.Contains(rule.Resources, "leases") {
			rules = append(rules, rule)
			continue
		}
		named := *rule.DeepCopy()
		named.Verbs = slices.DeleteFunc(named.Verbs, func(verb string) bool { return !byName(verb) })
		named.ResourceNames = append(managed(prefixes), own())
		rule.Verbs = slices.DeleteFunc(rule.Verbs, byName)
		rules = append(rules, rule, named)
	}
	role.Rules = rules
	return role, nil
}

// byName are the verbs that are limited to names.
func byName(verb string) bool { return verb == "update" || verb == "delete" }
