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

// Package deployment reconciles the Deployments whose replicas share their work
// by leader-election leases: it keeps the leases of each of their queues evenly
// spread over the replicas that can lead.
//
// A reconcile is four calls: observe the Deployment, plan, act, and report. It
// never waits: work in flight is finished by coming back at the time that a
// handover names. What is in flight is remembered per Deployment, and can be
// lost at any time: all that others need to know of it is in the Leases.
//
// A replica that never led anything has published no identity, so the first
// lease that it gets in a queue is released to whoever comes first, and its old
// holder is one of them: it contends again one retry period after it stopped.
// Two things keep it from winning. The leases of a queue that move are chosen so
// that they were last renewed at about the same time: their waits end together,
// and the target contends for all of them while the old holder contends for
// none. And while handovers are in flight, steps are taken as soon as they are
// due, not once a second. In the lab (two replicas, three queues of 10, the
// returned one gets half; Tekton's default timings), a lease came back to its old
// holder and had to be moved again in 31 of 60 runs without both, and until even
// it took 107 s at the median and 133 s at the 95th percentile. With them 84 of
// 21,084 handovers were in vain, and it took 66 s and 73 s (hack/lab.sh).
//
// With three replicas and more, a lease that is released to whoever comes first
// may also go to a replica that has its share already, and must be moved again.
// What keeps that rare is that no lease of a queue is bound as long as one is
// open for a replica whose identity is not known: a known replica that comes
// first then gets a lease that is for it anyway. And steps that bind wait until
// the plan knows of the leases that were acquired in the same moment. In the lab
// (30 seeds, Tekton's default timings), leases taken at the mean and at the most,
// and seconds until even at the median and at the 95th percentile:
//
//	3 queues of                              needed  without it               with it
//	 3 leases, all on one of 3 replicas           6  11.4, 20; 235 s, 501 s   9.8, 17; 199 s, 415 s
//	10 leases, all on one of 3 replicas          20  25.1, 34; 146 s, 335 s  21.4, 31;  71 s, 198 s
//	10 leases, 2 replicas scaled to 4            14  21.8, 30; 187 s, 314 s  19.3, 33; 148 s, 258 s
//	10 leases, all on one of 2 replicas          15  15.1, 17;  68 s, 117 s  15.1, 17;  68 s, 117 s
//
// What remains is chance: a replica that is to get one lease of a queue, and
// whose identity is not known, wins it with 1 in as many as contend for it, and
// nothing that can be written into a lease tells it from the others. To take
// fewer leases at once only takes longer: of several that are open, the first
// that it wins is enough for it to get the others by name.
//
// # When a planned move waits
//
// The plan says what should move. Some things keep a move from beginning now;
// none of them stops what is in flight.
//
//   - A brake, while the API is in trouble: most of our own calls fail, several
//     processes renew nothing, or one of some reads, made right before the first
//     lease is taken, fails or takes longer than a second. It resets itself half a
//     minute after the last sign; until then the API is probed every 5 s.
//   - The history of the lease. One that comes back to its old holder, or that
//     somebody takes out of our hands, may be taken again after 15 s and after a
//     minute; the third time it is left alone for half an hour. The plan goes
//     around it as long as another lease can move in its place.
//   - The luck of the queue. When nothing but what came back came of a try, the
//     next waits for 15 s and for a minute; after the third, the queue is left
//     alone for half an hour, with an Event. If the replica that it is meant for
//     leads anything, so that it can lead, that takes eight tries, the first five
//     of which cost no pause: by chance alone a single lease comes back every
//     third time. (2 replicas, 3 queues of 2, one restarts, 40 seeds: until
//     even 114 s at the median, 243 s at the 95th percentile, 365 s at the most;
//     with three tries for everybody 122 s, 2,099 s and 2,107 s.)
//     As long as nobody knows the identity that a replica has in a queue, chance
//     also decides among the others who acquires a lease that is meant for it.
//     Tries that brought it to a wrong replica are free up to twice the number of
//     contenders; from then on the pause between them grows from half a minute to
//     half an hour, with an Event. After two tries in a row that brought nothing to
//     a replica that leads nothing anywhere, one lease of the queue is tried at a time.
//     (A third replica beside two, 3 queues of 8 buckets, timings of 15/10/2, 60
//     seeds: even after 75 s at the median, 118 s at the 95th percentile and 152 s
//     at the most; with one at a time for it as well 75 s, 160 s and 2,082 s.)
//   - The limit that our configuration sets on the handovers in flight.
//
// # Ping-pong
//
// A lease that is moved from one process to another three times in a row and half
// an hour was moved back twice, by somebody else, since both processes live on. It is
// pinned where it is for half an hour, and the plan goes around it. When four
// such repeats happen among all leases of a Deployment, nothing of it moves for
// half an hour. Both are said by an Event. A process that restarts has another
// identity, so replicas that fail are not mistaken for it.
//
// What nobody leads is given away in the same way, but at once and whatever keeps
// leases from being balanced: those of a process that its node reported as ended
// (failover), and those that a stopped process released (steering). Their targets
// are chosen less strictly than those of moves, since they have to go somewhere.
// In the lab (15 runs, 30 leases, default timings), until every bucket of a killed
// replica was led again: 19 s at the median and 22 s at the most, 77 and 80 s
// without. Handovers needed after 3 replicas became 2: none, 2 and up to 5
// without; after a rolling update of 3: none and up to 4, 3 and up to 6 without.
package deployment
