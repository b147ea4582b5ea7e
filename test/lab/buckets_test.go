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
	"strings"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// elect changes a key of the ConfigMap that the replicas read when they start.
func (l *Lab) elect(key, value string) {
	l.T.Helper()
	l.tracef("election changed: %s: %s", key, value)
	cms := l.Kube().CoreV1().ConfigMaps(leasestesting.Namespace)
	cm, err := cms.Get(l.ctx, ElectionConfigMap, metav1.GetOptions{})
	l.try(err)
	cm.Data[key] = value
	_, err = cms.Update(l.ctx, cm, metav1.UpdateOptions{})
	l.try(err)
}

// leases counts those whose names end so.
func (l *Lab) leases(suffix string) int {
	n := 0
	for _, lease := range leasestesting.Objects(l.API, &coordinationv1.Lease{}) {
		if strings.HasSuffix(lease.Name, suffix) {
			n++
		}
	}
	return n
}

// evenOf reports whether all of n buckets whose names end so are led, and each queue is even.
func (l *Lab) evenOf(suffix string, n int) bool {
	led := 0
	for bucket := range l.Leaders() {
		if strings.HasSuffix(bucket, suffix) {
			led++
		}
	}
	for _, counts := range l.Spread() {
		if uneven(counts) {
			return false
		}
	}
	return led == n
}

// advices are the pieces of advice that contain a text.
func (l *Lab) advices(text string) int {
	n := 0
	for _, event := range l.Events() {
		if strings.Contains(event, "LeaderElectionAdvice") && strings.Contains(event, text) {
			n++
		}
	}
	return n
}

// TestCase10NotRestarted: the replicas use the bucket count that they read when they started, and so do we.
func TestCase10NotRestarted(t *testing.T) {
	// They may have read another renew deadline as well: the wait is bounded by the lease duration, 21 s longer.
	run(t, Options{Election: map[string]string{"buckets": "4"}, GapLimit: (36 + 21) * time.Second}, func(l *Lab) {
		l.Arrange([]int{4, 0}, []int{4, 0}, []int{4, 0})
		l.elect("buckets", "8")
		l.StartController()
		l.Strict()
		before := l.Leaders()
		l.WaitEven(5 * time.Minute)
		settled(l, before, 6)
		time.Sleep(30 * time.Minute)
		if !l.Even() || l.leases("-of-04") != 12 || l.leases("-of-08") != 0 {
			l.T.Errorf("spread = %s, want it kept", l)
		}
		if n := l.advices("rollout restart"); n != 1 {
			l.T.Errorf("%d pieces of advice that a restart is due, want 1: %q", n, l.Events())
		}
	})
}

// TestCase11OldLeasesAreLeft: after the restart nobody uses the leases of the old bucket count, however their holders
// ended. They count for nothing, and go.
func TestCase11OldLeasesAreLeft(t *testing.T) {
	ends := map[string]func(l *Lab, old []*Replica){
		"released": func(l *Lab, _ []*Replica) { l.Rollout() },
		"expired": func(l *Lab, old []*Replica) {
			l.BeginRollout()
			for _, r := range old {
				l.Start(1)
				l.Vanish(r)
			}
		},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			run(t, Options{Election: map[string]string{"buckets": "4"}}, func(l *Lab) {
				l.StartController()
				old := l.Arrange([]int{2, 2}, []int{2, 2}, []int{2, 2})
				time.Sleep(2 * time.Minute)
				l.elect("buckets", "8")
				end(l, old)
				l.Wait("even spread of the new leases", 6*time.Minute, func() bool { return l.evenOf("-of-08", 24) })
				time.Sleep(3 * time.Minute)
				if n := l.leases("-of-04"); n != 12 {
					l.T.Errorf("%d old leases after some minutes, want all 12", n)
				}
				time.Sleep(10 * time.Minute)
				if before, now := l.leases("-of-04"), l.leases("-of-08"); before != 0 || now != 24 {
					l.T.Errorf("%d old and %d new leases, want 0 and 24", before, now)
				}
				if !l.evenOf("-of-08", 24) {
					l.T.Errorf("spread = %s", l)
				}
				time.Sleep(30 * time.Minute)
				unwarned(l)
			})
		})
	}
}

// TestCase11KeptOnRequest: nothing is removed without being asked to.
func TestCase11KeptOnRequest(t *testing.T) {
	ours := map[string]string{"clean-up-leftovers": "false"}
	run(t, Options{Election: map[string]string{"buckets": "4"}, Ours: ours}, func(l *Lab) {
		l.StartController()
		l.Arrange([]int{2, 2}, []int{2, 2}, []int{2, 2})
		l.elect("buckets", "8")
		l.Rollout()
		time.Sleep(time.Hour)
		if n := l.leases("-of-04"); n != 12 {
			l.T.Errorf("%d old leases, want 12", n)
		}
		if n := l.advices("clean-up-leftovers"); n != 1 {
			l.T.Errorf("%d pieces of advice, want 1: %q", n, l.Events())
		}
	})
}

// TestCase12TwoBucketCounts: as long as replicas with both counts live, nothing moves and nothing is removed.
func TestCase12TwoBucketCounts(t *testing.T) {
	run(t, Options{Election: map[string]string{"buckets": "4"}}, func(l *Lab) {
		l.StartController()
		old := l.Arrange([]int{4, 0}, []int{4, 0}, []int{4, 0})
		l.elect("buckets", "8")
		l.BeginRollout()
		l.Start(1)
		time.Sleep(30 * time.Minute) // far longer than we wait for a rollout
		untouched(l)
		if before, now := l.leases("-of-04"), l.leases("-of-08"); before != 12 || now != 24 {
			l.T.Errorf("%d old and %d new leases, want 12 and 24", before, now)
		}
		l.Stop(old[0])
		l.Start(1)
		l.Stop(old[1])
		l.Wait("even spread of the new leases", 6*time.Minute, func() bool { return l.evenOf("-of-08", 24) })
	})
}

// TestCase16ElectionIsRefused: the replicas that run have read a good configuration, which stays in force.
func TestCase16ElectionIsRefused(t *testing.T) {
	for key, values := range map[string][]string{"buckets": {"0", "11", "ten"}, "lease-duration": {"60", "ten"}} {
		for _, value := range values {
			t.Run(key+"="+value, func(t *testing.T) {
				run(t, Options{}, func(l *Lab) {
					l.StartController()
					l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
					l.elect(key, value)
					before := l.Leaders()
					l.Strict()
					l.WaitEven(5 * time.Minute)
					settled(l, before, 15)
					time.Sleep(30 * time.Minute)
					if n := l.leases("-of-10"); n != 30 {
						l.T.Errorf("%d leases, want 30", n)
					}
					warned := 0
					for _, event := range l.Events() {
						if strings.HasPrefix(event, "Warning LeaderElectionConfigInvalid") {
							warned++
						}
					}
					if warned != 1 {
						l.T.Errorf("%d warnings, want 1: %q", warned, l.Events())
					}
				})
			})
		}
	}
}

// TestCase40OurConfigMapIsInvalid: we run, move nothing and say why, until it is valid.
func TestCase40OurConfigMapIsInvalid(t *testing.T) {
	run(t, Options{Ours: map[string]string{"strategy": "sideways"}}, func(l *Lab) {
		l.StartController()
		l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
		time.Sleep(20 * time.Minute)
		untouched(l)
		said := strings.Join(l.trace, "\n")
		if !strings.Contains(said, "Our configuration is invalid") {
			l.T.Errorf("nothing says why nothing moves")
		}
		l.Configure("strategy", "handover")
		before := l.Leaders()
		l.Strict()
		l.WaitEven(4 * time.Minute)
		settled(l, before, 15)
	})
}
