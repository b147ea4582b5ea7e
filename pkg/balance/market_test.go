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

package balance

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLevelOff(t *testing.T) {
	type split struct{ Level, Extras int }
	for name, tc := range map[string]struct {
		n, width int
		fixed    []int
		want     split
	}{
		"even":                              {n: 10, width: 5, want: split{2, 0}},
		"not even":                          {n: 10, width: 4, want: split{2, 2}},
		"fewer leases than replicas":        {n: 2, width: 3, want: split{0, 2}},
		"no lease":                          {n: 0, width: 3, want: split{0, 0}},
		"fixed below the level":             {n: 10, width: 4, fixed: []int{2, 1}, want: split{2, 2}},
		"fixed at the higher level":         {n: 10, width: 4, fixed: []int{3}, want: split{2, 1}},
		"fixed above it, for others to lag": {n: 10, width: 4, fixed: []int{7}, want: split{1, 0}},
		"fixed in two heights":              {n: 12, width: 3, fixed: []int{8, 3}, want: split{1, 0}},
		"all fixed":                         {n: 9, width: 3, fixed: []int{8, 1}, want: split{0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			var cells []cell
			for i, fixed := range tc.fixed {
				cells = append(cells, cell{replica: i, fixed: fixed})
			}
			level, extras := levelOff(tc.n, tc.width, cells)
			if diff := cmp.Diff(tc.want, split{level, extras}); diff != "" {
				t.Errorf("(-want, +got):\n%s", diff)
			}
		})
	}
}

// TestPrices checks the proof that the market is at its best: all buyers have
// what they want, and nobody would rather have something else at the prices.
func TestPrices(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 2))
		m := randomMarket(r, 1+r.IntN(12), r.IntN(40))
		m.run()
		bought := m.bought()
		if len(m.buyers) != len(bought) {
			t.Fatalf("seed %d: the ballast was not dropped", seed)
		}
		for g := range m.buyers {
			b := &m.buyers[g]
			if len(bought[g]) != b.wants {
				t.Errorf("seed %d: buyer %d bought %d extras, wants %d", seed, g, len(bought[g]), b.wants)
			}
			for i := range m.sellers {
				for _, j := range bought[g] {
					if b.mayBuy(i) && b.gain(m, i) > b.gain(m, j) {
						t.Errorf("seed %d: buyer %d has %d and would rather have %d", seed, g, j, i)
					}
				}
			}
		}
	}
}

// gain is what an extra from a seller is worth to the buyer, less the price.
func (b *buyer) gain(m *market, seller int) int64 {
	gain := -m.sellers[seller].price
	if k := slices.IndexFunc(b.bids, func(x bid) bool { return x.seller == seller }); k >= 0 {
		gain += b.bids[k].worth
	}
	return gain
}

// randomMarket makes up buyers that want all sorts of numbers of extras, at all
// sorts of worth. Nobody bars all sellers, so that all have one common total.
func randomMarket(r *rand.Rand, sellers, buyers int) *market {
	m := &market{buyers: make([]buyer, buyers), sellers: make([]seller, sellers)}
	for g := range m.buyers {
		b := &m.buyers[g]
		b.wants = r.IntN(sellers)
		for i := range sellers {
			if r.IntN(3) == 0 {
				b.bids = append(b.bids, bid{i, 1 + r.Int64N(5)})
			}
		}
		slices.SortStableFunc(b.bids, func(x, y bid) int { return int(y.worth - x.worth) })
	}
	return m
}

// TestZones has sellers that nothing can bring to a common total.
func TestZones(t *testing.T) {
	for name, tc := range map[string]struct {
		loads []int
		wants []int // of buyers that have no preference
		want  []int // totals
	}{
		"one common total":       {[]int{0, 0, 0}, []int{1, 1, 1}, []int{1, 1, 1}},
		"room for one more":      {[]int{1, 0, 1}, []int{1, 1}, []int{1, 1, 2}},
		"one is beyond reach":    {[]int{9, 0, 0}, []int{1, 1, 2}, []int{2, 2, 9}},
		"two in different ways":  {[]int{9, 5, 0, 0}, []int{1, 1}, []int{1, 1, 5, 9}},
		"one cannot be filled":   {[]int{0, 5, 5}, []int{2, 2}, []int{2, 6, 6}},
		"neither high nor low":   {[]int{0, 5, 5, 9}, []int{3, 3}, []int{2, 7, 7, 9}},
		"nothing to be had":      {[]int{3, 1}, nil, []int{1, 3}},
		"a single seller":        {[]int{3}, []int{0, 0}, []int{3}},
		"a higher load for some": {[]int{3, 3, 0, 0}, []int{2, 2, 2}, []int{3, 3, 3, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			m := &market{}
			for _, load := range tc.loads {
				m.sellers = append(m.sellers, seller{load: load})
			}
			for _, wants := range tc.wants {
				m.buyers = append(m.buyers, buyer{wants: wants})
			}
			m.run()
			var got []int
			for _, s := range m.sellers {
				got = append(got, s.load+len(s.sales))
			}
			slices.Sort(got)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("totals (-want, +got):\n%s", diff)
			}
		})
	}
}
