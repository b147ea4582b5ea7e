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

// settle relieves the sellers of a zone that are over their quota. The buyers
// of a zone buy there what they bought there before, and nothing elsewhere.
func (m *market) settle(zone []int) {
	sold := 0
	for _, i := range zone {
		sold += len(m.sellers[i].sales)
	}
	spare := m.setQuotas(zone, sold)
	s := newSearch(m, zone)
	m.addBallast(s.zone[:spare])
	for s.anyOver() {
		if s.relieve() {
			continue
		}
		rise, ok := s.rise()
		if !ok {
			m.dropBallast(zone)
			high, low := s.split()
			m.settle(high)
			m.settle(low)
			return
		}
		s.raise(rise)
	}
	m.dropBallast(zone)
}

// setQuotas sets the quotas so that all totals in the zone would be the same,
// and just high enough for the extras. It returns the room that is too much.
func (m *market) setQuotas(zone []int, extras int) (spare int) {
	total := extras
	for _, i := range zone {
		total += m.sellers[i].load
	}
	level := (total + len(zone) - 1) / len(zone)
	for _, i := range zone {
		m.sellers[i].quota = level - m.sellers[i].load
	}
	return level*len(zone) - total
}

// addBallast adds a buyer that stands for no group. It takes up the room that
// is too much, one extra from each of the given sellers, and can be made to buy
// elsewhere as the others can. What decides where it ends up is only the worth
// to them: that is how the totals are left free to differ by one.
func (m *market) addBallast(sellers []int) {
	m.buyers = append(m.buyers, buyer{})
	for _, i := range sellers {
		m.sell(len(m.buyers)-1, bid{seller: i})
	}
}

// dropBallast takes the buyer that came last away again.
func (m *market) dropBallast(zone []int) {
	last := len(m.buyers) - 1
	for _, i := range zone {
		s := &m.sellers[i]
		s.sales = slices.DeleteFunc(s.sales, func(s sale) bool { return s.buyer == last })
	}
	m.buyers = m.buyers[:last]
}
