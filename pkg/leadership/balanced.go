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

package leadership

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Queue returns the name of a bucket's queue as it is in the lease's name,
// and the rest, which tells the bucket: "a.b.03-of-10" is "a.b", "03-of-10".
func Queue(lease string) (queue, bucket string) {
	dot := strings.LastIndex(lease, ".")
	if dot < 0 {
		return "", lease
	}
	return lease[:dot], lease[dot+1:]
}

// ShortQueue returns the word of a queue's name that tells it from the others:
// "pipelinerun" of "...reconciler.pipelinerun.reconciler".
func ShortQueue(queue string) string {
	queue = strings.TrimSuffix(queue, ".reconciler")
	return queue[strings.LastIndex(queue, ".")+1:]
}

// BalancedSince returns the moment since when, without a break up to the end
// of the timeline, every bucket has had exactly one leader and in each queue
// the buckets per replica have differed by at most one. It returns false if
// that is not so at the end. The replicas are those that buckets should be
// spread over; a bucket that somebody else leads is not in order.
func (t Timeline) BalancedSince(replicas []string) (time.Time, bool) {
	moments := t.edges()
	slices.Reverse(moments)
	var since time.Time
	for _, moment := range moments {
		if t.Fault(moment, replicas) != "" {
			break
		}
		since = moment
	}
	return since, !since.IsZero()
}

// edges returns the moments at which anything changes.
func (t Timeline) edges() []time.Time {
	all := make([]time.Time, 0, len(t.Buckets))
	for _, bucket := range t.Buckets {
		all = append(all, edges(bucket, t.Until)...)
	}
	slices.SortFunc(all, time.Time.Compare)
	return slices.CompactFunc(all, time.Time.Equal)
}

// Fault says what is not in order at a moment, by the rules of BalancedSince:
// the first bucket, or the first queue, that is not. It is empty if all is.
func (t Timeline) Fault(at time.Time, replicas []string) string {
	counts := map[string]map[string]int{}
	for _, bucket := range t.Buckets {
		leaders := bucket.LeadersAt(at)
		if len(leaders) != 1 {
			return fmt.Sprintf("%s has %d leaders", bucket.Lease, len(leaders))
		}
		leader := Replica(leaders[0])
		if !slices.Contains(replicas, leader) {
			return fmt.Sprintf("%s is led by %s, which is none of %s", bucket.Lease, leader, strings.Join(replicas, ", "))
		}
		queue, _ := Queue(bucket.Lease)
		if counts[queue] == nil {
			counts[queue] = map[string]int{}
		}
		counts[queue][leader]++
	}
	for _, queue := range slices.Sorted(maps.Keys(counts)) {
		if !even(counts[queue], replicas) {
			return fmt.Sprintf("%s is uneven", queue)
		}
	}
	return ""
}

// even tells whether counts per replica differ by at most one. A replica
// that has nothing counts too.
func even(perReplica map[string]int, replicas []string) bool {
	least, most := perReplica[replicas[0]], perReplica[replicas[0]]
	for _, replica := range replicas[1:] {
		least, most = min(least, perReplica[replica]), max(most, perReplica[replica])
	}
	return most-least <= 1
}
