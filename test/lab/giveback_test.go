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

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestCase34GiveBack ends a handover while the old holder still leads: it leads on without an interruption.
func TestCase34GiveBack(t *testing.T) {
	cases := map[string]func(l *Lab, ours *Controller){
		"target is deleted": func(l *Lab, _ *Controller) { l.Scale(1) },
		"target vanishes":   func(l *Lab, _ *Controller) { l.Vanish(l.Replicas()[1]) },
		"a rollout begins":  func(l *Lab, _ *Controller) { l.BeginRollout() },
		"opted out":         func(l *Lab, _ *Controller) { l.Configure("deployments", "another-controller") },
		"paused":            func(l *Lab, _ *Controller) { l.Pause("forever") },
		"a dry run":         func(l *Lab, _ *Controller) { l.Configure("dry-run", "true") },
		"our process stops": func(_ *Lab, ours *Controller) { ours.Stop() },
	}
	for name, end := range cases {
		t.Run(name, func(t *testing.T) {
			run(t, Options{}, func(l *Lab) {
				ours := l.StartController()
				l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
				before := l.Leaders()
				l.Wait("hold of each surplus lease", 2*time.Minute, func() bool { return held(l) == 15 })
				time.Sleep(5 * time.Second)
				since := time.Now()
				end(l, ours)
				time.Sleep(10 * time.Second)
				if n := held(l); n != 0 {
					l.T.Errorf("%d leases are still held by us", n)
				}
				time.Sleep(70 * time.Second)
				for _, gap := range l.Ledger.Gaps(since) {
					l.T.Errorf("nobody led %s for %v", gap.Bucket, gap.Length())
				}
				for bucket, leader := range l.Leaders() {
					if leader != before[bucket] {
						l.T.Errorf("%s went from %s to %s", bucket, before[bucket], leader)
					}
				}
			})
		})
	}
}

// held counts the leases that our controller holds.
func held(l *Lab) int { return len(l.heldBy(controllerName)) }

// heldBy returns the leases whose holder has that hostname.
func (l *Lab) heldBy(hostname string) []string {
	var names []string
	for _, lease := range leasestesting.Objects(l.API, &coordinationv1.Lease{}) {
		if strings.HasPrefix(holderOf(lease), hostname+"_") && !strings.HasPrefix(lease.Name, controllerName+".") {
			names = append(names, lease.Name)
		}
	}
	return names
}
