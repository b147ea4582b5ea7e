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
	"math/rand/v2"
	"testing"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// BenchmarkMake plans size groups of ten leases over size replicas. In the
// hindered case a tenth of everything stands in the way, which takes a second
// market.
func BenchmarkMake(b *testing.B) {
	holders := map[string]func(r *rand.Rand, size, lease int) int{
		"one":    func(*rand.Rand, int, int) int { return 0 },
		"half":   func(r *rand.Rand, size, _ int) int { return r.IntN(size / 2) },
		"random": func(r *rand.Rand, size, _ int) int { return r.IntN(size) },
		"even":   func(_ *rand.Rand, size, lease int) int { return lease % size },
	}
	for _, kind := range []string{"even", "one", "half", "random"} {
		for _, size := range []int{250, 500, 1000, 2000} {
			b.Run(fmt.Sprintf("%s/%d", kind, size), func(b *testing.B) {
				s := sized(size, holders[kind])
				for b.Loop() {
					balance.Make(s)
				}
			})
		}
	}
	b.Run("hindered/1000", func(b *testing.B) {
		s := hindered(sized(1000, holders["half"]))
		for b.Loop() {
			balance.Make(s)
		}
	})
}

func hindered(s balance.Snapshot) balance.Snapshot {
	for i := 0; i < len(s.Replicas); i += 10 {
		s.Replicas[i].Standing = balance.ReplicaOnProbation
	}
	for g := range s.Groups {
		if g%10 == 0 {
			s.Groups[g].Blocked = balance.HandoverInFlight
		}
		s.Groups[g].Leases[g%10].Pinned = balance.LastLease
	}
	return s
}

func sized(size int, holder func(r *rand.Rand, size, lease int) int) balance.Snapshot {
	r := rand.New(rand.NewPCG(1, uint64(size)))
	var s balance.Snapshot
	for i := range size {
		s.Replicas = append(s.Replicas, balance.Replica{Name: fmt.Sprintf("tekton-pipelines-controller-%06d", i)})
	}
	for g := range size {
		group := balance.Group{Name: fmt.Sprintf("tekton-pipelines-controller.reconciler-%06d", g)}
		for l := range 10 {
			group.Leases = append(group.Leases, balance.Lease{
				Name:   fmt.Sprintf("%s.%02d-of-10", group.Name, l),
				Holder: s.Replicas[holder(r, size, 10*g+l)].Name,
			})
		}
		s.Groups = append(s.Groups, group)
	}
	return s
}
