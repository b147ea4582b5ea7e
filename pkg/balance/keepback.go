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

// KeepBack is the plan without the moves for which why, asked in the plan's
// order, has a reason: those leases stay, for that reason.
func (p Plan) KeepBack(why func(Move) Reason) Plan {
	var moves []Move
	stays := p.Stays[:len(p.Stays):len(p.Stays)] // the original keeps its own
	for _, m := range p.Moves {
		if reason := why(m); reason != "" {
			stays = append(stays, Stay{Group: m.Group, Lease: m.Lease, Holder: m.From, To: m.To, Reason: reason})
			continue
		}
		moves = append(moves, m)
	}
	p.Moves, p.Stays = moves, stays
	if len(stays) > 0 {
		p.sort()
	}
	return p
}

// Targets are where the plan sends each lease that moves or is in transit.
func (p Plan) Targets() map[string]string {
	targets := make(map[string]string, len(p.Placements)+len(p.Moves))
	for _, l := range p.Placements {
		targets[l.Lease] = l.To
	}
	for _, l := range p.Moves {
		targets[l.Lease] = l.To
	}
	return targets
}
