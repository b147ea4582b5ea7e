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
	"cmp"
	"slices"
)

// market hands out the extras of all groups. A buyer stands for a group and
// buys extras, at most one from each seller. A seller stands for a replica and
// must sell its quota, no more and no less.
type market struct {
	buyers  []buyer
	sellers []seller
}

type buyer struct {
	wants  int   // extras to buy
	bids   []bid // the highest first
	closed []int // sellers that it has bought from or may not, sorted
}

// bid is what an extra from one seller is worth to a buyer. Without a bid it
// is worth nothing, but can be bought.
type bid struct {
	seller int
	worth  int64
}

type seller struct {
	load  int // leases of the replica above the levels, which all have in common
	quota int // extras that it must sell
	price int64
	sales []sale
}

type sale struct {
	buyer int
	worth int64 // to the buyer
}

// room is how many extras the seller has still to sell. It is over if negative.
func (s *seller) room() int { return s.quota - len(s.sales) }

func (b *buyer) mayBuy(seller int) bool {
	_, closed := slices.BinarySearch(b.closed, seller)
	return !closed
}

func (b *buyer) close(seller int) {
	k, _ := slices.BinarySearch(b.closed, seller)
	b.closed = slices.Insert(b.closed, k, seller)
}

func (b *buyer) reopen(seller int) {
	k, _ := slices.BinarySearch(b.closed, seller)
	b.closed = slices.Delete(b.closed, k, k+1)
}

// newMarket sets up a market for the extras of the groups.
func newMarket(tallies []tally, width int) *market {
	m := &market{buyers: make([]buyer, len(tallies)), sellers: make([]seller, width)}
	values := newValues(tallies)
	for g, t := range tallies {
		b := &m.buyers[g]
		b.wants = t.extras
		for _, c := range t.cells {
			if c.fixed > t.level {
				m.sellers[c.replica].load += c.fixed - t.level
				b.close(c.replica)
			} else if worth := values.of(c, t.level); worth > 0 {
				b.bids = append(b.bids, bid{c.replica, worth})
			}
		}
		slices.SortStableFunc(b.bids, func(x, y bid) int { return cmp.Compare(y.worth, x.worth) })
	}
	return m
}

// sell sells one extra.
func (m *market) sell(buyer int, b bid) {
	m.buyers[buyer].close(b.seller)
	m.sellers[b.seller].sales = append(m.sellers[b.seller].sales, sale{buyer, b.worth})
}

// bought lists for each buyer the sellers that it has bought from.
func (m *market) bought() [][]int {
	bought := make([][]int, len(m.buyers))
	for i, s := range m.sellers {
		for _, sold := range s.sales {
			bought[sold.buyer] = append(bought[sold.buyer], i)
		}
	}
	return bought
}
