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

package witness

import (
	"strings"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// Optimum returns the smallest number of moves that makes leases even over the
// replicas, if the replicas lead them as given, by the name of the lease. A lease
// that nobody leads, or somebody else, does not have to be moved.
func Optimum(replicas []string, leaders map[string]string) int {
	var s balance.Snapshot
	for _, name := range replicas {
		s.Replicas = append(s.Replicas, balance.Replica{Name: name})
	}
	groups := map[string][]balance.Lease{}
	for name, leader := range leaders {
		group := name[:strings.LastIndex(name, ".")+1]
		groups[group] = append(groups[group], balance.Lease{Name: name, Holder: leader})
	}
	for name, leases := range groups {
		s.Groups = append(s.Groups, balance.Group{Name: name, Leases: leases})
	}
	return len(balance.Make(s).Moves)
}
