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
	"maps"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// settled checks the end of a scenario in which nothing failed: the spread became even with the fewest moves. Where a
// target's identity was not known, chance may have added some, but no lease that went to its place was moved again.
func settled(l *Lab, before map[string]string, optimum int) {
	l.T.Helper()
	moved := 0
	for bucket, leader := range l.Leaders() {
		if before[bucket] != leader {
			moved++
		}
	}
	taken := len(l.Writes.Taken())
	l.T.Logf("%d leases taken for %d moves, even at %v", taken, optimum, l.Now())
	if moved < optimum || moved > taken {
		l.T.Errorf("%d buckets have another leader, want from %d to %d, as many as were taken", moved, optimum, taken)
	}
	if taken > 5*optimum {
		l.T.Errorf("%d leases were taken for %d moves", taken, optimum)
	}
}

func TestCase01OneOfTwoReplicasRestarts(t *testing.T) {
	run(t, Options{Election: map[string]string{"buckets": "8"}}, func(l *Lab) {
		l.StartController()
		l.Arrange([]int{4, 4}, []int{4, 4}, []int{4, 4})
		l.Replace(l.Replicas()[0])
		if got, want := l.String(), "pipelinerun 8/0, resolutionrequest 8/0, taskrun 8/0"; got != want {
			l.T.Fatalf("spread = %s, want %s", got, want)
		}
		before := l.Leaders()
		l.Strict()
		l.WaitEven(3 * time.Minute)
		if got, want := l.String(), "pipelinerun 4/4, resolutionrequest 4/4, taskrun 4/4"; got != want {
			l.T.Errorf("spread = %s, want %s", got, want)
		}
		settled(l, before, 12)
		// A lease that chance returned to its old holder takes a second round.
		if taken := l.Writes.Taken(); len(taken) == 12 && l.Now()-taken[0].At > 85*time.Second {
			l.T.Errorf("even %v after the first move began, want 85s at the most", l.Now()-taken[0].At)
		}
	})
}

func TestCase02FirstStart(t *testing.T) {
	run(t, Options{Election: map[string]string{"buckets": "3"}}, func(l *Lab) {
		l.StartController()
		l.Arrange([]int{3, 0, 0}, []int{3, 0, 0}, []int{3, 0, 0})
		l.Strict()
		l.WaitEven(20 * time.Minute)
		if got, want := l.String(), "pipelinerun 1/1/1, resolutionrequest 1/1/1, taskrun 1/1/1"; got != want {
			l.T.Errorf("spread = %s, want %s", got, want)
		}
		taken := len(l.Writes.Taken())
		l.T.Logf("%d leases taken for 6 moves, even at %v", taken, l.Now())
		if taken < 6 {
			l.T.Errorf("%d leases were taken for 6 moves", taken)
		}
	})
}

func TestCase03EvenStaysUntouched(t *testing.T) {
	cases := map[string]struct {
		buckets string
		spread  [][]int
		time    time.Duration
	}{
		"even":           {"10", [][]int{{5, 5}, {5, 5}, {5, 5}}, time.Hour},
		"with remainder": {"5", [][]int{{3, 2}, {2, 3}, {3, 2}}, 20 * time.Minute},
		"more replicas":  {"10", [][]int{{4, 3, 3}, {3, 4, 3}, {3, 3, 4}}, 10 * time.Minute},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			run(t, Options{Election: map[string]string{"buckets": tc.buckets}}, func(l *Lab) {
				l.StartController()
				l.Arrange(tc.spread...)
				before := l.Leaders()
				l.Strict()
				time.Sleep(tc.time)
				untouched(l)
				if !maps.Equal(before, l.Leaders()) {
					l.T.Errorf("spread changed to %s", l)
				}
			})
		})
	}
}

func TestCase04ScaleOutAndIn(t *testing.T) {
	run(t, Options{}, func(l *Lab) {
		l.StartController()
		l.Arrange([]int{5, 5}, []int{5, 5}, []int{5, 5})
		l.Scale(4)
		before, optimum := l.Leaders(), l.Optimum()
		if optimum != 14 {
			l.T.Errorf("optimum = %d, want 14: the totals go from 15/15 to 8/8/7/7", optimum)
		}
		l.Strict()
		l.WaitEven(20 * time.Minute)
		settled(l, before, optimum)

		time.Sleep(5 * time.Minute)
		l.Lax()
		taken := len(l.Writes.Taken())
		l.Scale(3)
		l.WaitLed(time.Minute)
		optimum = l.Optimum()
		l.Strict()
		l.WaitEven(20 * time.Minute)
		if more := len(l.Writes.Taken()) - taken; more < optimum || more > optimum+1 {
			l.T.Errorf("%d leases were taken for %d moves", more, optimum)
		}
	})
}

// TestCase04AtShortTimings: with a short retry period an old holder tries again when its lease is released, so that most
// tries bring nothing to a replica that has not led in the queue yet. All that it should have is tried at once.
func TestCase04AtShortTimings(t *testing.T) {
	short := map[string]string{"buckets": "8", "lease-duration": "15s", "renew-deadline": "10s", "retry-period": "2s"}
	run(t, Options{Election: short}, func(l *Lab) {
		l.StartController()
		l.Arrange([]int{4, 4}, []int{4, 4}, []int{4, 4})
		l.Scale(3)
		from := l.Now()
		l.Strict()
		l.WaitEven(5 * time.Minute)
		l.T.Logf("%d leases taken, even after %v", len(l.Writes.Taken()), l.Now()-from)
	})
}

func TestCase06QueuesUnevenTotalsEven(t *testing.T) {
	run(t, Options{Election: map[string]string{"buckets": "8"}}, func(l *Lab) {
		l.StartController()
		l.Arrange([]int{4, 4}, []int{8, 0}, []int{0, 8})
		before := l.Leaders()
		l.Strict()
		l.WaitEven(3 * time.Minute)
		if got, want := l.String(), "pipelinerun 4/4, resolutionrequest 4/4, taskrun 4/4"; got != want {
			l.T.Errorf("spread = %s, want %s", got, want)
		}
		settled(l, before, 8)
	})
}

func TestCase07RemaindersAreSpread(t *testing.T) {
	cases := map[string]struct {
		spread [][]int
		moves  int
	}{
		"all on one replica": {[][]int{{5, 0}, {5, 0}, {5, 0}}, 7},
		"9/6":                {[][]int{{3, 2}, {3, 2}, {3, 2}}, 1},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			run(t, Options{Election: map[string]string{"buckets": "5"}}, func(l *Lab) {
				l.StartController()
				l.Arrange(tc.spread...)
				before := l.Leaders()
				l.Strict()
				l.WaitEven(4 * time.Minute)
				settled(l, before, tc.moves)
			})
		})
	}
}

func TestCase08OneBucketThreeReplicas(t *testing.T) {
	run(t, Options{Election: map[string]string{"buckets": "1"}}, func(l *Lab) {
		l.StartController()
		l.Arrange([]int{1, 0, 0}, []int{1, 0, 0}, []int{1, 0, 0})
		l.Strict()
		time.Sleep(time.Hour)
		untouched(l)
		advised(l, 3, l.Replicas()[1].Name, l.Replicas()[2].Name)
	})
}

func TestCase09MoreReplicasThanBuckets(t *testing.T) {
	run(t, Options{Election: map[string]string{"buckets": "2"}}, func(l *Lab) {
		l.StartController()
		l.Arrange([]int{1, 1, 0}, []int{1, 0, 1}, []int{0, 1, 1})
		l.Strict()
		time.Sleep(time.Hour)
		untouched(l)
		advised(l, 3, l.Replicas()[2].Name)
	})
}

func TestCase22ReplicaNeverReady(t *testing.T) {
	run(t, Options{}, func(l *Lab) {
		l.StartController()
		l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
		l.setReplicas(3)
		l.createPod()
		l.syncStatus()
		l.Strict()
		l.Wait("even spread over the two others", 20*time.Minute, func() bool {
			for _, counts := range l.Spread() {
				if counts[0] != 5 || counts[1] != 5 {
					return false
				}
			}
			return true
		})
	})
}

func TestCase28RollingUpdate(t *testing.T) {
	run(t, Options{}, func(l *Lab) {
		l.StartController()
		l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
		l.Rollout()
		if taken := l.Writes.Taken(); len(taken) != 0 {
			l.T.Errorf("%d leases were taken during the rollout, the first is %v", len(taken), taken[0])
		}
		took := l.WaitEven(5 * time.Minute)
		l.T.Logf("%d leases taken after it, even after %v", len(l.Writes.Taken()), took)
	})
}

// advised checks that each advice was given once, n in all, and that the idle replicas are named.
func advised(l *Lab, n int, idle ...string) {
	l.T.Helper()
	var texts []string
	for _, e := range leasestesting.Objects(l.API, &corev1.Event{}) {
		if e.Reason == "LeaderElectionAdvice" {
			texts = append(texts, e.Message)
			if e.Count != 1 {
				l.T.Errorf("advice was given %d times: %s", e.Count, e.Message)
			}
		}
	}
	if len(texts) != n {
		l.T.Errorf("%d pieces of advice, want %d: %q", len(texts), n, texts)
	}
	for _, name := range idle {
		if !strings.Contains(strings.Join(texts, "; "), name) {
			l.T.Errorf("%s is idle but not named: %q", name, texts)
		}
	}
}
