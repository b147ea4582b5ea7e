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

package balance_test

import (
	"fmt"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// A replica came back after a restart, and another one just started. One of the
// five leases is in transit already.
func ExampleMake() {
	p := balance.Make(balance.Snapshot{
		Replicas: []balance.Replica{
			{Name: "controller-1"},
			{Name: "controller-2"},
			{Name: "controller-3", Standing: balance.ReplicaOnProbation},
		},
		Groups: []balance.Group{{
			Name: "pipelinerun",
			Leases: []balance.Lease{
				{Name: "00-of-05", Holder: "controller-1"},
				{Name: "01-of-05", Holder: "controller-1"},
				{Name: "02-of-05", Holder: "controller-1"},
				{Name: "03-of-05", Holder: "controller-1", Pinned: balance.LastLease},
				{Name: "04-of-05", From: "controller-1"},
			},
		}},
	})
	for _, m := range p.Moves {
		fmt.Printf("%s moves from %s to %s\n", m.Lease, m.From, m.To)
	}
	for _, placement := range p.Placements {
		fmt.Printf("%s should go to %s\n", placement.Lease, placement.To)
	}
	for _, s := range p.Stays {
		fmt.Printf("%s stays on %s: %s\n", s.Lease, s.Holder, s.Reason.Sentence())
	}
	// Output:
	// 00-of-05 moves from controller-1 to controller-2
	// 04-of-05 should go to controller-2
	// 01-of-05 stays on controller-1: The replica became ready too short a time ago.
}
