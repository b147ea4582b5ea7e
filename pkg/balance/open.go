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

import "slices"

// run sells all extras: first of all so that the totals are as even as can be,
// then for the most worth.
func (m *market) run() {
	zone := make([]int, len(m.sellers))
	for i := range zone {
		zone[i] = i
	}
	m.open(zone)
	m.settle(zone)
}

// open lets every buyer have what it likes best while all is free, and spreads
// what it does not care about over the sellers with room. Some sellers are over
// their quota then, and settle has to relieve them.
func (m *market) open(zone []int) {
	wanted := 0
	for g := range m.buyers {
		b := &m.buyers[g]
		wanted += b.wants
		for _, bid := range b.bids[:min(b.wants, len(b.bids))] {
			m.sell(g, bid)
		}
	}
	m.setQuotas(zone, wanted)
	queue := slices.Clone(zone)
	for g := range m.buyers {
		queue = m.fill(g, queue)
	}
}

// fill lets a buyer have what it still wants from the sellers at the front of
// the queue, which then go to its end, or if need be from any others.
func (m *market) fill(buyer int, queue []int) []int {
	b := &m.buyers[buyer]
	missing := b.wants - len(b.bids)
	for tries := len(queue); tries > 0 && missing > 0; tries-- {
		i := queue[0]
		queue = queue[1:]
		if m.sellers[i].room() > 0 && b.mayBuy(i) {
			m.sell(buyer, bid{seller: i})
			missing--
		}
		if m.sellers[i].room() > 0 {
			queue = append(queue, i)
		}
	}
	for i := 0; missing > 0; i++ {
		if b.mayBuy(i) {
			m.sell(buyer, bid{seller: i})
			missing--
		}
	}
	return queue
}
