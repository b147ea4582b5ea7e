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
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

func TestCase19HolderIsGone(t *testing.T) {
	run(t, Options{}, func(l *Lab) {
		l.StartController()
		replicas := l.Arrange([]int{4, 3, 3}, []int{3, 4, 3}, []int{3, 3, 4})
		time.Sleep(10 * time.Minute)
		untouched(l)
		gone := replicas[1]
		l.setReplicas(2)
		l.Vanish(gone)
		time.Sleep(55 * time.Second)
		for _, w := range l.Writes.All() {
			if strings.HasPrefix(w.From, gone.Name) {
				l.T.Errorf("%s of the vanished replica was written before it expired: %v", w.Lease, w)
			}
		}
		l.WaitLed(40 * time.Second)
		l.WaitEven(5 * time.Minute)
	})
}

func TestCase20UnusualLeases(t *testing.T) {
	run(t, Options{}, func(l *Lab) {
		names := l.Group(Queues[0]).Names()
		l.API.Seed(
			leasestesting.MakeLease(names[0]).Obj(),
			leasestesting.MakeLease(names[1]).Holder("").Duration(1).Obj(),
			leasestesting.MakeLease(names[2]).Holder("no underscore").Duration(60).Renewed(time.Now()).Obj(),
			leasestesting.MakeLease(names[3]).Holder("_").Duration(60).Obj(),
			leasestesting.MakeLease(names[4]).Holder(Deployment+"-x_y").Obj(),
			leasestesting.MakeLease(names[5]).Renewed(time.Now()).Obj(),
			leasestesting.MakeLease("not.a.bucket.11-of-10").Obj(),
			leasestesting.MakeLease("99-of-10").Obj(),
		)
		l.StartController()
		time.Sleep(time.Minute)
		l.Scale(2)
		l.WaitLed(2 * time.Minute)
		l.Strict()
		l.WaitEven(5 * time.Minute)
	})
}

// TestCase30OthersLeases puts next to ours what else may live in the namespace, all of it uneven.
func TestCase30OthersLeases(t *testing.T) {
	others := []string{
		"tekton-pipelines-webhook.configmapwebhook.00-of-10", "tekton-pipelines-webhook.configmapwebhook.01-of-10",
		"events-controller.github.com.tektoncd.pipeline.pkg.reconciler.notifications.taskrun.reconciler.00-of-01",
		"tekton-pipelines-controller", "tekton-pipelines-controller.lock", "my-app-lock", "kube-controller-manager",
		"tekton-pipelines-controller.my-app.queue.00-of-02", "tekton-pipelines-controller.my-app.queue.01-of-02",
		"controller.tektonresolverframework.git.00-of-10", "watcher.github.com.tektoncd.chains.pkg.reconciler.taskrun.reconciler.00-of-10",
	}
	run(t, Options{}, func(l *Lab) {
		webhook := leasestesting.MakeDeployment("tekton-pipelines-webhook").Obj()
		rs := leasestesting.MakeReplicaSet(webhook, "66d5")
		pod := leasestesting.MakePod("tekton-pipelines-webhook-66d5-abcde").OwnedBy(rs).Ready(time.Now()).Obj()
		idle := leasestesting.MakePod("tekton-pipelines-webhook-66d5-fghij").OwnedBy(rs).Ready(time.Now()).Obj()
		l.API.Seed(webhook, rs, pod, idle)
		for _, name := range others {
			l.API.Seed(leasestesting.MakeLease(name).Holder(pod.Name + "_8f").Renewed(time.Now()).Duration(60).Obj())
		}
		stop := renew(l, others)
		defer stop()
		l.StartController()
		l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
		before := l.Leaders()
		l.Strict()
		l.WaitEven(4 * time.Minute)
		settled(l, before, 15)
		time.Sleep(10 * time.Minute)
	})
}

// renew keeps others' leases alive until it is stopped.
func renew(l *Lab, names []string) (stop func()) {
	leases := l.API.NewClient("others", leasestesting.ClientOptions{}).Kube().CoordinationV1().Leases(leasestesting.Namespace)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(10 * time.Second):
			}
			for _, name := range names {
				lease, err := leases.Get(l.ctx, name, metav1.GetOptions{})
				if err != nil {
					continue // the invariants tell
				}
				lease.Spec.RenewTime = ptr.To(metav1.NowMicro())
				_, _ = leases.Update(l.ctx, lease, metav1.UpdateOptions{})
			}
		}
	}()
	return func() { close(done) }
}

// TestCase35LeaseDeletedByHand: the holder of a deleted or emptied lease leads on. Nobody else may get it from us.
func TestCase35LeaseDeletedByHand(t *testing.T) {
	cases := map[string]func(l *Lab, name string) error{
		"deleted": remove,
		"emptied": func(l *Lab, name string) error {
			return change(l, name, func(lease *coordinationv1.Lease) { lease.Spec.HolderIdentity = ptr.To("") })
		},
		"holder removed": func(l *Lab, name string) error {
			return change(l, name, func(lease *coordinationv1.Lease) { lease.Spec.HolderIdentity = nil })
		},
		"spec removed": func(l *Lab, name string) error {
			return change(l, name, func(lease *coordinationv1.Lease) { lease.Spec = coordinationv1.LeaseSpec{} })
		},
	}
	for name, spoil := range cases {
		t.Run(name, func(t *testing.T) {
			run(t, Options{}, func(l *Lab) {
				l.StartController()
				l.Arrange([]int{5, 5}, []int{5, 5}, []int{5, 5})
				time.Sleep(5 * time.Minute)
				before := l.Leaders()
				l.Strict()
				for _, lease := range l.Group(Queues[0]).Names() {
					l.try(spoil(l, lease))
					time.Sleep(7 * time.Second)
				}
				time.Sleep(2 * time.Minute)
				for bucket, leader := range l.Leaders() {
					if leader != before[bucket] {
						l.T.Errorf("%s went from %s to %s", bucket, before[bucket], leader)
					}
				}
			})
		})
	}
}

func remove(l *Lab, name string) error {
	return l.Kube().CoordinationV1().Leases(leasestesting.Namespace).Delete(l.ctx, name, metav1.DeleteOptions{})
}

func change(l *Lab, name string, edit func(*coordinationv1.Lease)) error {
	leases := l.Kube().CoordinationV1().Leases(leasestesting.Namespace)
	lease, err := leases.Get(l.ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	edit(lease)
	_, err = leases.Update(l.ctx, lease, metav1.UpdateOptions{})
	return err
}

// TestAllDeployments: with "*" we find by ourselves what to balance. Webhooks, and what keeps state in memory, stay as
// they are.
func TestAllDeployments(t *testing.T) {
	others := map[string]string{
		"tekton-pipelines-webhook": "tekton-pipelines-webhook.configmapwebhook",
		"tekton-events-controller": "events-controller.github.com.tektoncd.pipeline.pkg.reconciler.notifications.taskrun.reconciler",
	}
	run(t, Options{Ours: map[string]string{"deployments": "*"}}, func(l *Lab) {
		var renewed []string
		for name, prefix := range others {
			d := leasestesting.MakeDeployment(name).Replicas(2).Obj()
			rs := leasestesting.MakeReplicaSet(d, "66d5")
			l.API.Seed(d, rs)
			for _, suffix := range []string{"-abcde", "-fghij"} {
				l.API.Seed(leasestesting.MakePod(rs.Name + suffix).OwnedBy(rs).Ready(time.Now()).Obj())
			}
			leases := bucket.Group{Prefix: prefix, Buckets: 4}.Names()
			for _, lease := range leases {
				l.API.Seed(leasestesting.MakeLease(lease).Holder(rs.Name + "-abcde_8f").Renewed(time.Now()).Duration(60).Obj())
			}
			renewed = append(renewed, leases...)
		}
		stop := renew(l, renewed)
		defer stop()
		l.StartController()
		l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
		before := l.Leaders()
		l.Strict()
		l.WaitEven(4 * time.Minute)
		settled(l, before, 15)
		time.Sleep(10 * time.Minute)
	})
}
