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

package deployment

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/status"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// statusMap is the status ConfigMap in the API, nil for none.
func (b *bench) statusMap() *corev1.ConfigMap {
	for _, cm := range leasestesting.Objects(b.api, &corev1.ConfigMap{}) {
		if cm.Name == status.ConfigMapName {
			return cm
		}
	}
	return nil
}

// show is what the status ConfigMap says of the Deployment.
func (b *bench) show() status.Deployment {
	b.t.Helper()
	cm := b.statusMap()
	if cm == nil {
		b.t.Fatal("there is no status")
	}
	s, err := status.FromConfigMap(cm)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, d := range s.Deployments {
		if d.Name == name {
			return d
		}
	}
	b.t.Fatalf("the status does not tell of the Deployment:\n%s", cm.Data[status.Key])
	return status.Deployment{}
}

// annotate has somebody set or, with "", remove an annotation of the status
// ConfigMap.
func (b *bench) annotate(key, value string) {
	b.t.Helper()
	cm := b.statusMap()
	if cm == nil {
		cm = leasestesting.MakeConfigMap(status.ConfigMapName)
	}
	cm = cm.DeepCopy()
	if value == "" {
		delete(cm.Annotations, key)
	} else {
		metav1.SetMetaDataAnnotation(&cm.ObjectMeta, key, value)
	}
	b.api.Seed(cm)
	b.sync()
}

// TestStatusOfARound: what the status tells while leases move, and that it is not
// written when nothing changes.
func TestStatusOfARound(t *testing.T) {
	b := uneven(t)
	b.reconcileAt(61)
	d := b.show()
	q := d.Queues[0]
	if d.State != status.Moving || q.State != status.Moving || len(d.Handovers) != 2 {
		t.Errorf("at 61s: %s, queue %s, %d handovers", d.State, q.State, len(d.Handovers))
	}
	want := status.Handover{
		Lease: taskrun.Name(0), From: "pod-a", To: "pod-b", Step: "hold",
		Began: metav1.Time{Time: at(61)}, Until: metav1.Time{Time: at(60 + 50 + 2)},
	}
	if diff := cmp.Diff(want, d.Handovers[0]); diff != "" {
		t.Errorf("handover (-want, +got):\n%s", diff)
	}
	b.until(62, 110, "pod-a_1")
	if b.shows > 2 {
		t.Errorf("%d writes while the leases were held, want one or two", b.shows)
	}
	b.until(111, 125, "pod-a_1")
	b.write("pod-b_1", taskrun.Name(0))
	b.until(126, 160, "pod-a_1", "pod-b_1")
	d = b.show()
	if d.State != status.Balanced || d.Since == nil || d.Since.Time.Before(at(126)) || len(d.Handovers) != 0 {
		t.Errorf("at the end: %s since %v, %d handovers", d.State, d.Since, len(d.Handovers))
	}
	if len(d.Recent) != 2 || d.Recent[0].Result != "done" || d.Recent[0].From != "pod-a" || d.Recent[0].To != "pod-b" {
		t.Errorf("recent: %+v, want two that are done", d.Recent)
	}
	shows := b.shows
	b.until(161, 600, "pod-a_1", "pod-b_1")
	if b.shows != shows {
		t.Errorf("%d writes although nothing happened", b.shows-shows)
	}
	if shows > 8 {
		t.Errorf("%d writes for one round", shows)
	}
}

// TestStatusNotTooOften: there are 5 s between two writes, and the last change is
// not forgotten.
func TestStatusNotTooOften(t *testing.T) {
	b := uneven(t)
	b.configure(config.ConfigMapName, "stabilization-window", "10m")
	b.reconcileAt(61)
	for second := 62; second <= 66; second++ {
		b.configure(config.ConfigMapName, "stabilization-window", "10m", "strategy", []string{"delete", "handover"}[second%2])
		b.reconcileAt(float64(second))
		if want := 1 + (second-61)/5; b.shows != want {
			t.Errorf("at %ds: %d writes, want %d", second, b.shows, want)
		}
	}
	b.configure(config.ConfigMapName, "stabilization-window", "10m", "deployments", name+", another")
	b.reconcileAt(67)
	if got := b.woken[len(b.woken)-1]; got > 4*time.Second {
		t.Errorf("it comes back after %s, want it to come when it may write", got)
	}
}

// TestStatusSurvives: nobody's edits are lost, conflicts and faults are, and what
// somebody deletes comes back.
func TestStatusSurvives(t *testing.T) {
	gone := schema.GroupResource{Resource: "configmaps"}
	cases := map[string]func(*bench){
		"a conflict": func(b *bench) {
			b.fault = first("update", leasestesting.Fault{Err: apierrors.NewConflict(gone, status.ConfigMapName, errors.New("changed"))})
		},
		"a server that fails": func(b *bench) {
			b.fault = first("update", leasestesting.Fault{Err: apierrors.NewInternalError(errors.New("oh"))})
		},
		"a broken connection": func(b *bench) { b.fault = first("get", leasestesting.Fault{Broken: true}) },
		"it is deleted": func(b *bench) {
			hand := b.api.NewClient("somebody", leasestesting.ClientOptions{}).Kube().CoreV1().ConfigMaps(leasestesting.Namespace)
			if err := hand.Delete(b.t.Context(), status.ConfigMapName, metav1.DeleteOptions{}); err != nil {
				b.t.Fatal(err)
			}
			if err := b.configMapCache.Delete(leasestesting.MakeConfigMap(status.ConfigMapName)); err != nil {
				b.t.Fatal(err)
			}
		},
		"somebody writes into it": func(b *bench) {
			cm := b.statusMap().DeepCopy()
			cm.Data = map[string]string{status.Key: "gone", "other": "kept"}
			metav1.SetMetaDataAnnotation(&cm.ObjectMeta, "somebody", "was here")
			b.api.Seed(cm)
		},
	}
	for what, trouble := range cases {
		t.Run(what, func(t *testing.T) {
			b := uneven(t)
			b.configure(config.ConfigMapName, "stabilization-window", "10m")
			b.reconcileAt(61)
			trouble(b)
			b.configure(config.ConfigMapName, "stabilization-window", "9m")
			b.pod(b.replica("pod-b").NotReady(at(0)).Obj())
			b.until(67, 80, "pod-a_1")
			if got := b.show().Replicas[1].Standing; got != balance.HolderNotReady {
				t.Errorf("pod-b is %q in the status, want it not ready", got)
			}
			cm := b.statusMap()
			if what == "somebody writes into it" && (cm.Data["other"] != "kept" || cm.Annotations["somebody"] == "") {
				t.Errorf("what somebody else wrote is gone: %v", cm)
			}
			if _, part := cm.Labels["app.kubernetes.io/part-of"]; part || len(cm.OwnerReferences) > 0 {
				t.Errorf("labels %v, owners %v, want no part of Tekton and no owner", cm.Labels, cm.OwnerReferences)
			}
		})
	}
}

// first is a fault of the first call with a verb to a ConfigMap.
func first(verb string, fault leasestesting.Fault) func(leasestesting.Request) leasestesting.Fault {
	done := false
	return func(r leasestesting.Request) leasestesting.Fault {
		if done || r.Resource != "configmaps" || r.Verb != verb {
			return leasestesting.Fault{}
		}
		done = true
		return fault
	}
}

// TestStatusOfTheNextLeader: a process that takes over tells since when what it
// finds has been so, also of what it has not looked at yet, and shows nothing of
// what is not managed any more.
func TestStatusOfTheNextLeader(t *testing.T) {
	b := uneven(t)
	b.configure(config.ConfigMapName, "stabilization-window", "10m", "deployments", name+", another")
	b.until(61, 75, "pod-a_1")
	before := b.show()
	cm := b.statusMap().DeepCopy()
	cm.Data[status.Key] = strings.Replace(cm.Data[status.Key], "deployments:\n", "deployments:\n- name: another\n  state: Waiting\n- name: former\n  state: Waiting\n", 1)
	b.api.Seed(cm)
	b.stop(b.context())
	b.lead()
	b.until(76, 90, "pod-a_1")
	after := b.show()
	if before.State != status.Waiting || !after.Since.Equal(before.Since) || !after.Queues[0].Since.Equal(before.Queues[0].Since) {
		t.Errorf("%s since %v, queue since %v; before %s since %v", after.State, after.Since, after.Queues[0].Since, before.State, before.Since)
	}
	text := b.statusMap().Data[status.Key]
	if !strings.Contains(text, "name: another") || strings.Contains(text, "name: former") {
		t.Errorf("want another, and not what was managed formerly:\n%s", text)
	}
}

// TestStatusOfSeveral: each Deployment has its place, and one that is not managed
// any more has none.
func TestStatusOfSeveral(t *testing.T) {
	b := uneven(t)
	b.configure(config.ConfigMapName, "stabilization-window", "10m")
	b.reconcileAt(61)
	b.configure(config.ConfigMapName, "deployments", "other")
	b.reconcileAt(67)
	other := leasestesting.MakeDeployment("other").Args("-disable-ha").Obj()
	if err := b.ReconcileKind(b.context(), other); err != nil {
		t.Fatal(err)
	}
	b.reconcileAt(75)
	s, err := status.FromConfigMap(b.statusMap())
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Deployments) != 1 || s.Deployments[0].Name != "other" || s.Deployments[0].State != status.NotApplicable || s.Deployments[0].Detail == "" {
		t.Errorf("status %+v, want only the other one, with what there is to say", s.Deployments)
	}
	if _, ok := b.work[types.NamespacedName{Namespace: leasestesting.Namespace, Name: name}]; ok {
		t.Error("the first one is still remembered")
	}
}

// TestStatusOfWhatStays: the status has the reason of each surplus lease that
// stays.
func TestStatusOfWhatStays(t *testing.T) {
	b := uneven(t)
	b.configure(config.ConfigMapName, "stabilization-window", "10m")
	b.reconcileAt(61)
	d := b.show()
	want := []status.Stay{{
		Reason: balance.ReplicaOnProbation, Meaning: balance.ReplicaOnProbation.Sentence(),
		Step: status.Step{Queue: "taskrun", From: "pod-a", To: "pod-b", Buckets: []string{"00", "01"}},
	}}
	if diff := cmp.Diff(want, d.Queues[0].Stays); diff != "" {
		t.Errorf("stays (-want, +got):\n%s", diff)
	}
	if got := d.Replicas[0].EligibleAt; got == nil || got.Time.Before(at(300)) {
		t.Errorf("pod-a is eligible at %v", got)
	}
}
