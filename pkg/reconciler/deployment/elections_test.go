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
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

var errLister = errors.New("the cache is broken")

// failingConfigMaps is a lister that fails.
type failingConfigMaps struct{ corev1listers.ConfigMapLister }

func (failingConfigMaps) ConfigMaps(string) corev1listers.ConfigMapNamespaceLister {
	return failingGet{}
}

type failingGet struct {
	corev1listers.ConfigMapNamespaceLister
}

func (failingGet) Get(string) (*corev1.ConfigMap, error) { return nil, errLister }

var tekton = handover.Timing{RetryPeriod: 10 * time.Second, RenewDeadline: 40 * time.Second}

// begun is the work of the Deployment, with its electors' configuration read.
func (b *bench) begun() (*work, bool) {
	w := b.work[key]
	if w == nil {
		w = b.remember(key, b.deployment)
	}
	fault := b.readElection(b.context(), w)
	return w, fault
}

// TestCase13NoElectionConfigMap: a ConfigMap that is missing means knative's
// defaults, and is not an error.
func TestCase13NoElectionConfigMap(t *testing.T) {
	for what, d := range map[string]*leasestesting.DeploymentBuilder{
		"none of that name":    leasestesting.MakeDeployment(name).Env("CONFIG_LEADERELECTION_NAME", electionMap),
		"another name is used": leasestesting.MakeDeployment(name).Env("CONFIG_LEADERELECTION_NAME", "renamed"),
		"no name is set":       leasestesting.MakeDeployment(name),
	} {
		t.Run(what, func(t *testing.T) {
			b := uneven(t)
			if err := b.configMapCache.Delete(leasestesting.MakeConfigMap(electionMap)); err != nil {
				t.Fatal(err)
			}
			b.deploy(d.Replicas(2).Obj())
			w, fault := b.begun()
			if diff := cmp.Diff(tekton, w.timing()); diff != "" || fault {
				t.Errorf("fault = %v, timing (-want, +got):\n%s", fault, diff)
			}
			b.reconcileAt(61)
			if got := len(b.wrote()); got != 2 {
				t.Errorf("%d writes, want 2 holds", got)
			}
			for _, e := range b.said() {
				if strings.HasPrefix(e, "Warning") {
					t.Errorf("event %q, want no warning", e)
				}
			}
		})
	}
}

// TestCase16InvalidElection: what knative refuses leaves the last good one in
// force and is said once, and again when it is another fault.
func TestCase16InvalidElection(t *testing.T) {
	b := newBench(t)
	b.configure(electionMap, "retry-period", "2s", "renew-deadline", "10s", "lease-duration", "15s")
	b.begun()
	warnings := func(data ...string) int {
		t.Helper()
		b.configure(electionMap, data...)
		for range 3 {
			if w, fault := b.begun(); fault || w.timing().RetryPeriod != 2*time.Second {
				t.Errorf("%v: fault = %v, timing %+v; want the last good one", data, fault, w.timing())
			}
		}
		said := b.said()
		for _, e := range said {
			if !strings.HasPrefix(e, "Warning LeaderElectionConfigInvalid ConfigMap \""+electionMap+"\" is invalid") {
				t.Errorf("event %q", e)
			}
		}
		return len(said)
	}
	for _, step := range []struct {
		value string
		want  int
	}{{"0", 1}, {"11", 1}, {"ten", 1}, {"ten", 0}, {"60", 1}} {
		if got := warnings("buckets", step.value); got != step.want {
			t.Errorf("buckets %q: %d warnings, want %d", step.value, got, step.want)
		}
	}
	b.configure(electionMap)
	if w, fault := b.begun(); fault || w.timing() != tekton {
		t.Errorf("valid again: fault = %v, timing %+v", fault, w.timing())
	}
	b.configure(electionMap, "buckets", "60")
	b.begun()
	if got := len(b.said()); got != 1 {
		t.Errorf("the same fault again: %d warnings, want 1", got)
	}
}

// TestElectionNeverGood: then nothing moves.
func TestElectionNeverGood(t *testing.T) {
	b := uneven(t)
	b.configure(electionMap, "buckets", "ten")
	b.writesNothing(61, 70)
	b.configure(electionMap)
	b.reconcileAt(71)
	if got := len(b.wrote()); got != 2 {
		t.Errorf("valid again: %d writes, want 2 holds", got)
	}
}

func TestElectionUnreadable(t *testing.T) {
	b := newBench(t)
	b.configMaps = failingConfigMaps{}
	if _, fault := b.begun(); !fault {
		t.Error("no fault, though nothing could be read")
	}
}

// TestTimingOf: a process that may have read another configuration than is there
// now is bounded by what can be seen of it.
func TestTimingOf(t *testing.T) {
	created := func(seconds float64) *observe.Replica {
		return &observe.Replica{
			Pod:     reading(electionMap, leasestesting.MakePod("pod-a").Created(at(seconds)).Obj()),
			Process: observe.Process{Longest: 17 * time.Second},
		}
	}
	another := created(10)
	reading("another", another.Pod)
	cm := leasestesting.MakeConfigMap(electionMap)
	cm.CreationTimestamp = metav1.NewTime(at(0))
	edited := cm.DeepCopy()
	edited.ManagedFields = []metav1.ManagedFieldsEntry{{Time: ptr.To(metav1.NewTime(at(50)))}, {}, {Time: ptr.To(metav1.NewTime(at(20)))}}
	cases := map[string]struct {
		configMap *corev1.ConfigMap
		noName    bool
		duration  *int32
		replica   *observe.Replica
		want      handover.Timing
	}{
		"it has read what is there": {configMap: cm, duration: ptr.To[int32](60), replica: created(10), want: tekton},
		"in the same second":        {configMap: cm, duration: ptr.To[int32](60), replica: created(0), want: tekton},
		"there is none":             {duration: ptr.To[int32](60), replica: created(10), want: handover.Timing{RetryPeriod: 17 * time.Second, RenewDeadline: 61 * time.Second}},
		"it is older":               {configMap: edited, duration: ptr.To[int32](60), replica: created(49), want: handover.Timing{RetryPeriod: 17 * time.Second, RenewDeadline: 61 * time.Second}},
		"it started after the edit": {configMap: edited, duration: ptr.To[int32](60), replica: created(50), want: tekton},
		"its pod names another ConfigMap": {
			configMap: cm, duration: ptr.To[int32](60), replica: another,
			want: handover.Timing{RetryPeriod: 17 * time.Second, RenewDeadline: 61 * time.Second},
		},
		"its lease lasts longer":            {configMap: cm, duration: ptr.To[int32](90), replica: created(10), want: handover.Timing{RetryPeriod: 17 * time.Second, RenewDeadline: 91 * time.Second}},
		"its lease lasts shorter":           {configMap: cm, duration: ptr.To[int32](15), replica: created(10), want: handover.Timing{RetryPeriod: 17 * time.Second, RenewDeadline: 40 * time.Second}},
		"its lease says nothing":            {configMap: cm, replica: created(10), want: handover.Timing{RetryPeriod: 17 * time.Second, RenewDeadline: 40 * time.Second}},
		"the process is unknown":            {configMap: cm, duration: ptr.To[int32](60), want: handover.Timing{RetryPeriod: 10 * time.Second, RenewDeadline: 61 * time.Second}},
		"the ConfigMap's name is not known": {configMap: cm, noName: true, duration: ptr.To[int32](60), replica: created(10), want: handover.Timing{RetryPeriod: 17 * time.Second, RenewDeadline: 61 * time.Second}},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			b := newBench(t)
			if tc.configMap != nil {
				b.add(b.configMapCache, tc.configMap)
			} else if err := b.configMapCache.Delete(cm); err != nil {
				t.Fatal(err)
			}
			if tc.noName {
				env := b.deployment.Spec.Template.Spec.Containers[0].Env
				env[0] = corev1.EnvVar{Name: env[0].Name, ValueFrom: &corev1.EnvVarSource{}}
			}
			w, _ := b.begun()
			got := w.timingOf(coordinationv1.LeaseSpec{LeaseDurationSeconds: tc.duration}, tc.replica)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("timing (-want, +got):\n%s", diff)
			}
		})
	}
}

// reading has the process in a pod read its election from a ConfigMap.
func reading(configMap string, pod *corev1.Pod) *corev1.Pod {
	pod.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "CONFIG_LEADERELECTION_NAME", Value: configMap}}
	return pod
}

// TestLastChange: only who wrote a timing counts.
func TestLastChange(t *testing.T) {
	wrote := func(seconds float64, fields string) metav1.ManagedFieldsEntry {
		e := metav1.ManagedFieldsEntry{Time: ptr.To(metav1.NewTime(at(seconds)))}
		if fields != "" {
			e.FieldsV1 = &metav1.FieldsV1{Raw: []byte(fields)}
		}
		return e
	}
	cases := map[string]struct {
		wrote []metav1.ManagedFieldsEntry
		want  float64
	}{
		"nobody since it was made": {want: 10},
		"before it was made":       {wrote: []metav1.ManagedFieldsEntry{wrote(5, `{"f:data":{"f:retry-period":{}}}`)}, want: 10},
		"a label":                  {wrote: []metav1.ManagedFieldsEntry{wrote(20, `{"f:metadata":{"f:labels":{"f:team":{}}}}`)}, want: 10},
		"buckets":                  {wrote: []metav1.ManagedFieldsEntry{wrote(20, `{"f:data":{".":{},"f:buckets":{}}}`)}, want: 10},
		"a timing":                 {wrote: []metav1.ManagedFieldsEntry{wrote(20, `{"f:data":{"f:buckets":{},"f:renew-deadline":{}}}`)}, want: 20},
		"an old key":               {wrote: []metav1.ManagedFieldsEntry{wrote(20, `{"f:data":{"f:leaseDuration":{}}}`)}, want: 20},
		"the last of several": {
			wrote: []metav1.ManagedFieldsEntry{wrote(20, `{"f:data":{"f:renew-deadline":{}}}`), wrote(30, `{"f:data":{"f:lease-duration":{}}}`), wrote(25, `{"f:data":{"f:retry-period":{}}}`)},
			want:  30,
		},
		"what cannot be read may be one": {wrote: []metav1.ManagedFieldsEntry{wrote(20, `{"f:data":`)}, want: 20},
		"what is not told may be one":    {wrote: []metav1.ManagedFieldsEntry{wrote(20, "")}, want: 20},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			cm := leasestesting.MakeConfigMap(electionMap)
			cm.CreationTimestamp, cm.ManagedFields = metav1.NewTime(at(10)), tc.wrote
			if got := lastChange(cm); !got.Equal(at(tc.want)) {
				t.Errorf("last change %v, want %v", got, at(tc.want))
			}
		})
	}
}

// TestRemovedKey: the API server leaves no stamp for a key that is removed, but we
// see it. The replicas of that moment read what was there before.
func TestRemovedKey(t *testing.T) {
	b := newBench(t)
	b.configure(electionMap, "renew-deadline", "50s")
	b.begun()
	for what, change := range map[string]func(){
		"removed":                func() { b.configure(electionMap) },
		"and set and gone again": func() { b.configure(electionMap, "renew-deadline", "55s"); b.begun(); b.configure(electionMap) },
	} {
		old := reading(electionMap, b.replica("pod-old").Created(at(100)).Obj())
		b.pod(old)
		change()
		w, _ := b.begun()
		record := coordinationv1.LeaseSpec{LeaseDurationSeconds: ptr.To[int32](60)}
		if got := w.timingOf(record, &observe.Replica{Pod: old}).RenewDeadline; got != 61*time.Second {
			t.Errorf("%s: renew deadline %s of a replica of before, want the bound of its lease duration, 61s", what, got)
		}
		young := reading(electionMap, leasestesting.MakePod("pod-new").Created(at(101)).Obj())
		if got := w.timingOf(record, &observe.Replica{Pod: young}).RenewDeadline; got != 40*time.Second {
			t.Errorf("%s: renew deadline %s of a younger replica, want 40s", what, got)
		}
	}
}

// TestTimingUnknown: where a lease lasts for long and the timings of its holder
// are not known, nobody would lead for as long, so it stays.
func TestTimingUnknown(t *testing.T) {
	b := uneven(t)
	cm := leasestesting.MakeConfigMap(electionMap, "lease-duration", "1h")
	cm.CreationTimestamp = metav1.NewTime(at(1e6)) // made again, after the pods
	b.add(b.configMapCache, cm)
	for second := 70.0; second <= 150; second += 10 {
		b.time.now = at(second)
		b.write("pod-a_1", taskrun.Names()...)
		for _, lease := range taskrun.Names() {
			l := b.lease(lease).DeepCopy()
			l.Spec.LeaseDurationSeconds = ptr.To[int32](3600)
			b.api.Seed(l)
		}
		b.sync()
		b.reconcileAt(second + 1)
	}
	if wrote := b.wrote(); len(wrote) > 0 {
		t.Errorf("wrote %q", wrote)
	}
	if !strings.Contains(b.log.String(), string(balance.TimingUnknown)) {
		t.Errorf("nothing says why the leases stay:\n%s", b.log.String())
	}
}
