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
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/status"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestStatus: what is shown agrees with who leads, when leases have moved and when a standby has taken over, and is not
// written while nothing happens.
func TestStatus(t *testing.T) {
	run(t, Options{}, func(l *Lab) {
		ours := l.StartController()
		l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
		l.WaitEven(4 * time.Minute)
		time.Sleep(time.Minute)
		before := l.Status()
		agrees(l, before)
		version := l.statusMap().ResourceVersion
		time.Sleep(time.Hour)
		if now := l.statusMap().ResourceVersion; now != version {
			l.T.Errorf("the status was written although nothing happened:\n%v\n%v", before, l.Status())
		}
		l.StartController()
		time.Sleep(time.Minute)
		ours.Kill()
		time.Sleep(5 * time.Minute)
		after := l.Status()
		agrees(l, after)
		if !after.Deployments[0].Since.Equal(before.Deployments[0].Since) {
			l.T.Errorf("even since %v, was since %v", after.Deployments[0].Since, before.Deployments[0].Since)
		}
	})
}

// agrees checks that a status is that of an even Deployment, as the electors see it.
func agrees(l *Lab, s status.Status) {
	l.T.Helper()
	if len(s.Deployments) != 1 || s.Deployments[0].State != status.Balanced || len(s.Deployments[0].Handovers) > 0 {
		l.T.Fatalf("status %+v, want the Deployment balanced", s)
	}
	leads := map[string]int{}
	for _, leader := range l.Leaders() {
		leads[leader]++
	}
	for _, r := range s.Deployments[0].Replicas {
		if r.Leases != leads[r.Name] || r.Standing != "" {
			l.T.Errorf("%s: %d leases, %q; want %d, eligible", r.Name, r.Leases, r.Standing, leads[r.Name])
		}
	}
}

// TestDryRun: moves, a crash, a lease that is deleted by hand: all is told, and no lease is written. So the deleted one
// gets a second leader, as it would without us.
func TestDryRun(t *testing.T) {
	run(t, Options{Ours: map[string]string{"dry-run": "true"}, Tolerate: []string{OneLeader}}, func(l *Lab) {
		l.StartController()
		replicas := l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
		time.Sleep(3 * time.Minute)
		s := l.Status()
		if len(s.Deployments) != 1 || !s.Controller.DryRun {
			l.T.Fatalf("status %+v, want a dry run", s)
		}
		for _, q := range s.Deployments[0].Queues {
			if len(q.Stays) != 1 || q.Stays[0].Reason != balance.DryRun || len(q.Stays[0].Buckets) != 5 {
				l.T.Errorf("queue %s: stays %+v, want five leases, for the dry run", q.Name, q.Stays)
			}
		}
		l.try(remove(l, l.Group(Queues[0]).Name(9)))
		time.Sleep(time.Minute)
		l.Crash(replicas[0], 2*time.Second)
		time.Sleep(5 * time.Minute)
		untouched(l)
	})
}

// TestInTheDark: a status that does not say why surplus leases stay is noticed.
func TestInTheDark(t *testing.T) {
	run(t, Options{Tolerate: []string{InTheDark}}, func(l *Lab) {
		text, err := status.Status{APIVersion: status.APIVersion, Kind: status.Kind, Deployments: []status.Deployment{{
			Replicas: []status.Replica{{Name: "a"}, {Name: "b"}},
			Queues:   []status.Queue{{Group: "q", Buckets: 4, Held: []status.Share{{Replica: "a", Leases: 3}, {Replica: "b", Leases: 1}}}},
		}}}.Document()
		l.try(err)
		ours := l.API.NewClient(controllerName, leasestesting.ClientOptions{}).Kube().CoreV1().ConfigMaps(leasestesting.Namespace)
		_, err = ours.Create(l.ctx, &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: status.ConfigMapName}, Data: map[string]string{status.Key: text},
		}, metav1.CreateOptions{})
		l.try(err)
		if len(l.Violations()) != 1 {
			l.T.Errorf("violations %v, want one", l.Violations())
		}
	})
}
