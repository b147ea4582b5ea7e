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

package lab

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
	"github.com/tektoncd/leases-controller/test/witness"
)

// Spread returns how many buckets of each queue each replica leads, by pod, as the electors say. Replicas are in the
// order of their start.
func (l *Lab) Spread() map[string][]int {
	spread, _ := l.spread(l.Replicas())
	return spread
}

// spread also returns how many buckets do not have exactly one leader. l.mu is not held: the ledger calls changed, which
// takes it, while it is locked itself.
func (l *Lab) spread(replicas []*Replica) (map[string][]int, int) {
	spread, unled := map[string][]int{}, 0
	for _, bucket := range l.Ledger.Buckets() {
		group := groupOf(bucket)
		if spread[group] == nil {
			spread[group] = make([]int, len(replicas))
		}
		leaders := l.Ledger.Leaders(bucket)
		if len(leaders) != 1 {
			unled++
		}
		for _, leader := range leaders {
			pod, _, _ := strings.Cut(leader, "#")
			if i := slices.IndexFunc(replicas, func(r *Replica) bool { return r.Name == pod }); i >= 0 {
				spread[group][i]++
			}
		}
	}
	return spread, unled
}

// Even reports whether every bucket has one leader and each queue, and the totals, are as even as they can be.
func (l *Lab) Even() bool {
	replicas := l.Replicas()
	spread, unled := l.spread(replicas)
	totals := make([]int, len(replicas))
	for _, counts := range spread {
		if uneven(counts) {
			return false
		}
		for i, n := range counts {
			totals[i] += n
		}
	}
	return unled == 0 && !uneven(totals)
}

// groupOf is what the leases of one queue have in common.
func groupOf(lease string) string { return lease[:strings.LastIndex(lease, ".")] }

func uneven(counts []int) bool {
	return len(counts) > 0 && slices.Max(counts)-slices.Min(counts) > 1
}

// WaitEven waits until the spread is even, and ends the scenario if that takes longer than the limit.
func (l *Lab) WaitEven(limit time.Duration) time.Duration {
	l.T.Helper()
	return l.Wait("an even spread", limit, l.Even)
}

// WaitLed waits until every bucket that there is has exactly one leader.
func (l *Lab) WaitLed(limit time.Duration) time.Duration {
	l.T.Helper()
	return l.Wait("a leader for each bucket", limit, l.led)
}

// led reports whether every bucket that there is has exactly one leader.
func (l *Lab) led() bool {
	spread, unled := l.spread(l.Replicas())
	return unled == 0 && len(spread) > 0
}

// Wait waits for a condition, and returns how long that took.
func (l *Lab) Wait(what string, limit time.Duration, is func() bool) time.Duration {
	l.T.Helper()
	start := time.Now()
	for !is() {
		if time.Since(start) > limit {
			l.T.Fatalf("no %s within %v; spread %v", what, limit, l.String())
		}
		time.Sleep(500 * time.Millisecond)
	}
	return time.Since(start)
}

// String returns the spread in the notation of an administrator: pipelinerun 5/5, taskrun 8/2.
func (l *Lab) String() string {
	spread := l.Spread()
	queues := make([]string, 0, len(spread))
	for group, counts := range spread {
		short := strings.Split(strings.TrimSuffix(group, ".reconciler"), ".")
		text := strings.Trim(strings.ReplaceAll(fmt.Sprint(counts), " ", "/"), "[]")
		queues = append(queues, short[len(short)-1]+" "+text)
	}
	slices.SortFunc(queues, cmp.Compare[string])
	return strings.Join(queues, ", ")
}

// Leaders returns which replica leads each bucket, by the name of its pod; a bucket with no or several leaders is left
// out.
func (l *Lab) Leaders() map[string]string {
	leaders := map[string]string{}
	for _, bucket := range l.Ledger.Buckets() {
		if processes := l.Ledger.Leaders(bucket); len(processes) == 1 {
			leaders[bucket], _, _ = strings.Cut(processes[0], "#")
		}
	}
	return leaders
}

// Optimum returns the smallest number of moves that makes the present spread even.
func (l *Lab) Optimum() int { return optimum(l.Replicas(), l.Leaders()) }

// optimum returns the smallest number of moves that makes the leases even that are led as given, by pod.
func optimum(replicas []*Replica, leaders map[string]string) int {
	names := make([]string, 0, len(replicas))
	for _, r := range replicas {
		names = append(names, r.Name)
	}
	return witness.Optimum(names, leaders)
}

// Events returns the Events in the namespace as "<type> <reason>: <message>".
func (l *Lab) Events() []string {
	events := leasestesting.Objects(l.API, &corev1.Event{})
	lines := make([]string, 0, len(events))
	for _, e := range events {
		lines = append(lines, fmt.Sprintf("%s %s: %s", e.Type, e.Reason, e.Message))
	}
	return lines
}
