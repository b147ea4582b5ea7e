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

import "math"

// rise returns by how much the sellers seen must raise their prices before a
// buyer of theirs could as well buy from another. It is false if none could.
func (s *search) rise() (rise int64, ok bool) {
	rise = math.MaxInt64
	for buyer, gain := range s.leastGains() {
		rise = min(rise, gain-s.bestElsewhere(&s.buyers[buyer]))
	}
	return rise, rise < nowhere
}

// nowhere stands for infinity in sums and differences of worth and price.
const nowhere = math.MaxInt64 / 4

// leastGains returns the least gain of each buyer from the sellers seen.
func (s *search) leastGains() map[int]int64 {
	least := make(map[int]int64)
	for _, i := range s.zone {
		if !s.seen[i] {
			continue
		}
		for _, sold := range s.sellers[i].sales {
			gain := sold.worth - s.sellers[i].price
			if old, ok := least[sold.buyer]; !ok || gain < old {
				least[sold.buyer] = gain
			}
		}
	}
	return least
}

// bestElsewhere returns the most that a buyer could gain from one of the
// sellers not seen.
func (s *search) bestElsewhere(b *buyer) int64 {
	best := int64(-2 * nowhere)
	for _, bid := range b.bids {
		if !s.seen[bid.seller] && b.mayBuy(bid.seller) {
			best = max(best, bid.worth-s.sellers[bid.seller].price)
		}
	}
	for p := s.unseen(0); p < len(s.zone); p = s.unseen(p + 1) {
		if i := s.zone[p]; b.mayBuy(i) {
			return max(best, -s.sellers[i].price)
		}
	}
	return best
}

// raise raises the prices of the sellers seen.
func (s *search) raise(rise int64) {
	for _, i := range s.zone {
		if s.seen[i] {
			s.sellers[i].price += rise
		}
	}
}

// split parts the sellers seen from the others of the zone.
func (s *search) split() (seen, others []int) {
	for _, i := range s.zone {
		if s.seen[i] {
			seen = append(seen, i)
		} else {
			others = append(others, i)
		}
	}
	return seen, others
}
