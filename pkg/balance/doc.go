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

// Package balance decides which leases should move, and where to. It is pure:
// Make turns a Snapshot into a Plan, without a clock, an API or chance.
//
// # What counts
//
// A lease counts for the replica that a handover has bound it to (Target),
// else for the replica that leads it (Holder). A lease in transit (From) counts
// for the group, and can go to any eligible replica. So does a lease that is
// unowned: somebody will take it, and Make assumes that it goes where one is
// missing. It never appears in a plan, since nobody should move what we do not
// hold, but it may spare another lease a move. A lease of a replica that is not
// eligible, or not in the snapshot, counts for nobody; it is fixed where it is.
//
// Leases that are bound, pinned, the only one of their group, or led in a
// blocked group cannot leave their replica, but count.
//
// # What is best
//
// The best outcome is, in this order,
//
//  1. even in each group: n leases on m eligible replicas make n/m for each,
//     rounded down or up. Where fixed leases do not allow that, it is as near
//     to that as they do;
//  2. even in total: of all ways to give the roundings up, the one that makes
//     the totals over all groups as even as possible. If nothing is fixed, they
//     differ by one at most;
//  3. the one with the fewest moves;
//  4. the one in which most leases in transit go back where they came from,
//     which costs nobody an interruption.
//
// Even means the least sum of squares. Make always finds the best outcome; it is
// no approximation. Therefore a plan that is under way, in whatever stage, is
// planned again without a single further move.
//
// # How it is found
//
// The first rule leaves little to decide. It gives each group a level that
// all replicas reach, and some extras: as many replicas get one lease more.
// All that is open is which replicas, and there is a market for that. A buyer
// stands for each group, a seller for each replica. A buyer bids for an extra
// from a replica that has leases of the group above the level, because that
// saves a move. All other extras are worth nothing to it, but it has to buy a
// fixed number. A seller has to sell a quota, which is what brings it to the
// common total.
//
// At first everything is free, and each buyer takes what it likes best. Sellers
// that are over their quota then look for buyers that would gain as much (worth
// less price) elsewhere, directly or by displacing others who can go on. When
// there are none, these sellers and all in reach of them become dearer, until
// there are. In the end each seller has sold just its quota, and each buyer has
// what is best for it at the prices. No other outcome can be better: it
// would sell the same quotas for the same money, and no buyer would gain more.
//
// The totals cannot all be equal if the leases do not divide evenly. A further
// buyer, the ballast, who values nothing, takes up what is missing to the higher
// total, at most one from each seller.
//
// If sellers over their quota cannot pass anything on at any price, because of
// fixed leases, then their buyers have bought all there is elsewhere. Nothing
// will ever be traded between them and the rest, so that both parts go on
// as markets of their own, each with a common total of its own.
//
// # What stays, and why
//
// A second market without any obstacles shows which leases would move then. Of
// all its best outcomes, it prefers the one that is most like the plan. A lease
// that moves only there is a Stay. Its Reason is the first that there is of:
// what blocks the group, what pins the lease, the standing of the replica that
// leads it, the standing of the one that it would go to, and, for leases which
// would only make room for others, the reason that holds those up.
//
// # How long it takes
//
// A round of the market looks at each lease a few times, and it takes a few
// rounds, since prices have few different values. In practice the time is
// proportional to the number of leases, and to its logarithm for the sorting.
package balance
