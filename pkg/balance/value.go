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

// values says what an extra on a replica is worth to a group. One move saved is
// worth more than all leases given back, and one given back more than all
// likeness to another plan.
type values struct{ move, giveBack, likeness int64 }

func newValues(tallies []tally) values {
	leases := int64(1)
	for _, t := range tallies {
		leases += int64(t.counted)
	}
	return values{move: leases * leases, giveBack: leases, likeness: 1}
}

// of is the worth of one lease above the level to a replica.
func (v values) of(c cell, level int) (worth int64) {
	switch {
	case c.has > level:
		worth = v.move
	case c.has+c.away > level:
		worth = v.giveBack
	}
	if c.kept > level {
		worth += v.likeness
	}
	return worth
}
