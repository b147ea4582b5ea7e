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
	"math"
	"slices"
)

// search relieves sellers over their quota: some of their buyers buy elsewhere
// at no loss, which is where the worth less the price is the same. Whoever is
// in their way there does likewise, and so on, until one comes to a seller with
// room. It works in rounds, in each of which a seller is asked once.
type search struct {
	*market
	zone []int  // the sellers, the cheapest first
	seen []bool // by seller: asked in this round, or not of the zone
	pos  []int  // by seller: its position in the zone
	skip []int  // by position: itself, or if seen a later one to look at
	// spent is, by buyer, the gain from which on it has nowhere else to buy in
	// this round.
	spent []int64
}

func newSearch(m *market, zone []int) *search {
	s := &search{
		market: m,
		zone:   zone,
		seen:   make([]bool, len(m.sellers)),
		pos:    make([]int, len(m.sellers)),
		skip:   make([]int, len(zone)+1),
		spent:  make([]int64, len(m.buyers)+1), // one more for the ballast
	}
	for i := range s.seen {
		s.seen[i] = true
	}
	s.begin()
	return s
}

// begin starts a round. Of sellers with the same price, those with the most
// room come first.
func (s *search) begin() {
	slices.SortFunc(s.zone, func(i, j int) int {
		x, y := &s.sellers[i], &s.sellers[j]
		return cmp.Or(cmp.Compare(x.price, y.price), cmp.Compare(y.room(), x.room()), cmp.Compare(i, j))
	})
	for k, i := range s.zone {
		s.seen[i] = false
		s.pos[i] = k
		s.skip[k] = k
	}
	s.skip[len(s.zone)] = len(s.zone)
	for g := range s.spent {
		s.spent[g] = math.MaxInt64
	}
}

func (s *search) anyOver() bool {
	return slices.ContainsFunc(s.zone, func(i int) bool { return s.sellers[i].room() < 0 })
}

// relieve is a round. It tells whether it moved anything. If not, the sellers
// seen are just those at which the buyers of those over their quota could buy
// at no loss, directly or by the way of others, and none of them has room.
func (s *search) relieve() (moved bool) {
	s.begin()
	for _, i := range s.zone {
		from := &s.sellers[i]
		if from.room() < 0 {
			s.see(i)
		}
		for k := 0; from.room() < 0 && k < len(from.sales); {
			if s.moveSale(i, k) {
				moved = true
			} else {
				k++
			}
		}
	}
	return moved
}

func (s *search) see(i int) {
	s.seen[i] = true
	s.skip[s.pos[i]] = s.pos[i] + 1
}

// unseen returns the first position from k on of a seller that is not seen.
func (s *search) unseen(k int) int {
	for s.skip[k] != k {
		s.skip[k] = s.skip[s.skip[k]]
		k = s.skip[k]
	}
	return k
}

// moveSale moves sale k of a seller to one that brings its buyer the same gain.
func (s *search) moveSale(from, k int) bool {
	sold := s.sellers[from].sales[k]
	gain := sold.worth - s.sellers[from].price
	if gain >= s.spent[sold.buyer] {
		return false
	}
	b := &s.buyers[sold.buyer]
	for _, bid := range b.bids {
		i := bid.seller
		if !s.seen[i] && bid.worth-s.sellers[i].price == gain && b.mayBuy(i) && s.makeRoom(i) {
			s.move(from, k, bid)
			return true
		}
	}
	// Without a bid the gain is what the price takes away.
	for p := s.unseen(s.priced(-gain)); p < len(s.zone); p = s.unseen(p + 1) {
		i := s.zone[p]
		if s.sellers[i].price != -gain {
			break
		}
		if b.mayBuy(i) && s.makeRoom(i) {
			s.move(from, k, bid{seller: i})
			return true
		}
	}
	s.spent[sold.buyer] = gain
	return false
}

// priced returns the position of the first seller with at least this price.
func (s *search) priced(price int64) int {
	p, _ := slices.BinarySearchFunc(s.zone, price, func(i int, price int64) int {
		return cmp.Compare(s.sellers[i].price, price)
	})
	return p
}

// makeRoom tells whether a seller can sell one more: it has room, or was able
// to pass one on.
func (s *search) makeRoom(i int) bool {
	if s.sellers[i].room() > 0 {
		return true
	}
	s.see(i)
	for k := range s.sellers[i].sales {
		if s.moveSale(i, k) {
			return true
		}
	}
	return false
}

func (s *search) move(from, k int, to bid) {
	f := &s.sellers[from]
	buyer, last := f.sales[k].buyer, len(f.sales)-1
	f.sales[k] = f.sales[last]
	f.sales = f.sales[:last]
	s.buyers[buyer].reopen(from)
	s.sell(buyer, to)
}
