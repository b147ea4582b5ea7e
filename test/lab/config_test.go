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

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

func TestCase13ElectionConfigMapIsMissing(t *testing.T) {
	t.Run("from the beginning", func(t *testing.T) {
		run(t, Options{NoElection: true, Election: map[string]string{}}, func(l *Lab) {
			l.StartController()
			l.Arrange([]int{1, 0}, []int{1, 0}, []int{1, 0})
			l.Strict()
			time.Sleep(30 * time.Minute)
			untouched(l)
			unwarned(l)
		})
	})
	t.Run("since the pods started", func(t *testing.T) {
		// They may have read another renew deadline: the wait is bounded by the
		// lease duration, which is 21 s longer than the default deadline.
		run(t, Options{GapLimit: (36 + 21) * time.Second}, func(l *Lab) {
			l.Arrange([]int{10, 0}, []int{10, 0}, []int{10, 0})
			l.try(l.Kube().CoreV1().ConfigMaps(leasestesting.Namespace).Delete(l.ctx, ElectionConfigMap, metav1.DeleteOptions{}))
			l.StartController()
			l.Strict()
			before := l.Leaders()
			l.WaitEven(4 * time.Minute)
			settled(l, before, 15)
			unwarned(l)
		})
	})
}

func TestCase14LegacyKeys(t *testing.T) {
	legacy := map[string]string{"buckets": "4", "leaseDuration": "15s", "renewDeadline": "10s", "retryPeriod": "2s"}
	run(t, Options{Election: legacy, GapLimit: 12 * time.Second}, func(l *Lab) {
		l.Arrange([]int{4, 0}, []int{4, 0}, []int{4, 0})
		time.Sleep(time.Minute)
		l.StartController()
		l.Strict()
		l.WaitEven(10 * time.Minute)
		// Retry period, renew deadline and margin. With the defaults it is 50 s and more.
		first := l.Writes.Taken()[0]
		for _, w := range l.Writes.All() {
			if w.Lease == first.Lease && w.To != first.To {
				if hold := w.At - first.At; hold < 12*time.Second || hold > 18*time.Second {
					l.T.Errorf("%s was held for %v, want about 14s", w.Lease, hold)
				}
				break
			}
		}
	})
}

func TestCase15MappedLeasePrefix(t *testing.T) {
	election := map[string]string{
		"buckets": "4",
		"map-lease-prefix." + Deployment + "." + Queues[1]: "My-TaskRuns",
	}
	run(t, Options{Election: election}, func(l *Lab) {
		l.StartController()
		l.Arrange([]int{4, 0}, []int{4, 0}, []int{4, 0})
		if !strings.Contains(l.String(), "my-taskruns 4/0") {
			l.T.Fatalf("spread = %s, want my-taskruns among it", l)
		}
		before := l.Leaders()
		l.Strict()
		l.WaitEven(4 * time.Minute)
		settled(l, before, 6)
	})
}

func TestCase17ElectionsAreDisabled(t *testing.T) {
	group := "tekton-pipelines-controller.github.com.tektoncd.pipeline.pkg.reconciler.taskrun.reconciler"
	var old []leasestesting.Object
	for _, ordinal := range []string{"00", "01", "02"} {
		old = append(old, leasestesting.MakeLease(group+"."+ordinal+"-of-03").
			Holder(Deployment+"-5d8f7c9b1f-gone_0b1c").Renewed(time.Unix(0, 0)).Duration(60).Obj())
	}
	run(t, Options{Args: []string{"-disable-ha=true"}, Objects: old}, func(l *Lab) {
		l.StartController()
		l.Scale(2)
		// One of the old holders' names is a replica's again.
		l.API.Seed(leasestesting.MakeLease(group + ".03-of-04").Holder(l.Replicas()[0].Name + "_0b1c").
			Renewed(time.Now()).Duration(60).Obj())
		time.Sleep(30 * time.Minute)
		untouched(l)
		unwarned(l)
		advised(l, 1)
	})
}

// untouched checks that our controller wrote no managed lease, not even in vain.
func untouched(l *Lab) {
	l.T.Helper()
	if writes := l.Writes.All(); len(writes) != 0 {
		l.T.Errorf("%d writes, want none; the first is %v", len(writes), writes[0])
	}
}

// unwarned checks that nothing was reported as wrong.
func unwarned(l *Lab) {
	l.T.Helper()
	for _, event := range l.Events() {
		if strings.HasPrefix(event, "Warning") {
			l.T.Errorf("unexpected Event: %s", event)
		}
	}
}

// TestCase18StatefulSet: Tekton runs as a StatefulSet, whose replicas take their buckets by ordinal or, in the other
// case, by leases. Nothing of it is written, and it is said why.
func TestCase18StatefulSet(t *testing.T) {
	cases := map[string]struct {
		env  []string
		want string
	}{
		"ordinals": {env: []string{"STATEFUL_CONTROLLER_ORDINAL", "STATEFUL_SERVICE_NAME"}, want: "STATEFUL_CONTROLLER_ORDINAL"},
		"leases":   {want: "only the leases of Deployments are balanced"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			run(t, Options{}, func(l *Lab) {
				// What the lab has put there is none of this case.
				l.try(l.Kube().AppsV1().Deployments(leasestesting.Namespace).Delete(l.ctx, Deployment, metav1.DeleteOptions{}))
				set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: leasestesting.Namespace, Name: Deployment, UID: "set"}}
				set.Spec.Template.Spec.Containers = []corev1.Container{{Name: "controller"}}
				for _, env := range tc.env {
					set.Spec.Template.Spec.Containers[0].Env = append(set.Spec.Template.Spec.Containers[0].Env, corev1.EnvVar{Name: env, Value: "x"})
				}
				l.API.Seed(set)
				var pods []string
				for _, ordinal := range []string{"-0", "-1"} {
					pod := leasestesting.MakePod(Deployment + ordinal).Ready(time.Now()).Obj()
					pod.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(set, appsv1.SchemeGroupVersion.WithKind("StatefulSet"))}
					l.API.Seed(pod)
					pods = append(pods, pod.Name)
				}
				names := l.Group(Queues[0]).Names()
				for _, name := range names {
					l.API.Seed(leasestesting.MakeLease(name).Holder(pods[0] + "_8f").Renewed(time.Now()).Duration(60).Obj())
				}
				stop := renew(l, names)
				defer stop()
				l.StartController()
				time.Sleep(30 * time.Minute)
				untouched(l)
				if said := strings.Join(l.trace, "\n"); strings.Count(said, "StatefulSet is left alone") != 1 || !strings.Contains(said, tc.want) {
					l.T.Errorf("it is not said once why nothing moves (%q)", tc.want)
				}
			})
		})
	}
}
