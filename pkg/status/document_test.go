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

package status

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// sample is a status with a bit of everything.
func sample() Status {
	view := observe.View{
		Replicas: []observe.Replica{replica("a", ""), replica("b", balance.ReplicaOnProbation)},
		Groups:   []observe.Group{queue(taskrun, "a", "a", "a", "a>")},
	}
	view.Replicas[0].Process = observe.Process{Renewals: observe.MinRenewals, Lateness: time.Second}
	view.Replicas[1].EligibleAt = now.Add(20 * time.Second)
	plan := balance.Plan{
		Moves: []balance.Move{{Group: taskrun.String(), Lease: taskrun.Name(0), From: "a", To: "b"}},
		Stays: []balance.Stay{{Group: taskrun.String(), Lease: taskrun.Name(1), Holder: "a", To: "b", Reason: balance.ReplicaOnProbation}},
	}
	d := Of("tekton", view, plan, "", now)
	at := metav1.Time{Time: now}
	d.Since, d.Queues[0].Since = &at, &at
	d.Handovers = []Handover{{Lease: taskrun.Name(3), From: "a", To: "b", Step: "hold", Began: at, Until: at}}
	d.Recent = []Ended{{Lease: taskrun.Name(2), From: "b", To: "a", Result: "done", At: at, Took: "58s"}}
	d.Muted = []Muted{{Lease: taskrun.Name(1), Identity: "a_1", Reason: balance.BackingOff, Until: at}}
	d.Advice = []string{"Do something."}
	return Status{
		APIVersion: APIVersion, Kind: Kind, Namespace: "n", Time: at,
		Controller: Controller{Installed: true, Ready: true, Known: true, Strategy: "handover", Paused: Forever}, Deployments: []Deployment{d},
	}
}

// TestDocument: what is written is what others read, in this form. A change of
// it is a change of APIVersion, unless it only adds something.
func TestDocument(t *testing.T) {
	const want = `apiVersion: leases.tekton.dev/v1alpha1
controller:
  installed: true
  known: true
  paused: forever
  ready: true
  strategy: handover
deployments:
- advice:
  - Do something.
  even: false
  handovers:
  - began: "2026-03-01T12:00:00Z"
    from: a
    lease: tekton.pkg.reconciler.taskrun.reconciler.03-of-04
    step: hold
    to: b
    until: "2026-03-01T12:00:00Z"
  muted:
  - identity: a_1
    lease: tekton.pkg.reconciler.taskrun.reconciler.01-of-04
    reason: BackingOff
    until: "2026-03-01T12:00:00Z"
  name: tekton
  queues:
  - buckets: 4
    even: false
    group: tekton.pkg.reconciler.taskrun.reconciler-of-04
    held:
    - leases: 3
      replica: a
    - leases: 0
      replica: b
    moves:
    - buckets:
      - "00"
      from: a
      queue: taskrun
      to: b
    name: taskrun
    since: "2026-03-01T12:00:00Z"
    state: Moving
    stays:
    - buckets:
      - "01"
      from: a
      meaning: The replica became ready too short a time ago.
      queue: taskrun
      reason: ReplicaOnProbation
      to: b
  recent:
  - at: "2026-03-01T12:00:00Z"
    from: b
    lease: tekton.pkg.reconciler.taskrun.reconciler.02-of-04
    result: done
    to: a
    took: 58s
  replicas:
  - leases: 3
    name: a
    node: node-a
  - eligibleAt: "2026-03-01T12:00:20Z"
    leases: 0
    name: b
    node: node-b
    standing: ReplicaOnProbation
  since: "2026-03-01T12:00:00Z"
  state: Moving
kind: LeasesStatus
namespace: "n"
time: "2026-03-01T12:00:00Z"
`
	got, err := sample().Document()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("document (-want, +got):\n%s", diff)
	}
	read, err := FromConfigMap(&corev1.ConfigMap{Data: map[string]string{Key: got}})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := read.Document(); err != nil || again != got {
		t.Errorf("read and written again (-want, +got, error %v):\n%s", err, cmp.Diff(got, again))
	}
	if !Same(sample(), read) {
		t.Error("what was read is not the same")
	}
}

func TestSame(t *testing.T) {
	cases := map[string]struct {
		change func(*Status)
		want   bool
	}{
		"nothing":         {func(*Status) {}, true},
		"time goes by":    {func(s *Status) { s.Time.Time = s.Time.Add(time.Hour) }, true},
		"how late":        {func(s *Status) { s.Deployments[0].Replicas[0].Lateness = "3s" }, true},
		"what was unseen": {func(s *Status) { s.Deployments[0].Unseen = 3 }, true},
		"a pause":         {func(s *Status) { s.Controller.Paused = "" }, false},
		"a lease":         {func(s *Status) { s.Deployments[0].Queues[0].Leases[1].Reason = balance.HolderLate }, false},
		"a standing":      {func(s *Status) { s.Deployments[0].Replicas[1].Standing = "" }, false},
		"a step":          {func(s *Status) { s.Deployments[0].Handovers[0].Step = "open" }, false},
		"one is gone":     {func(s *Status) { s.Deployments = nil }, false},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			s := sample()
			tc.change(&s)
			if got := Same(sample(), s); got != tc.want {
				t.Errorf("Same = %v, want %v", got, tc.want)
			}
		})
	}
}

func TestFromConfigMap(t *testing.T) {
	cases := map[string]string{
		"nothing":         "",
		"no document":     "[",
		"another version": "apiVersion: leases.tekton.dev/v9\nkind: LeasesStatus\n",
		"another kind":    "apiVersion: " + APIVersion + "\nkind: ConfigMap\n",
	}
	for what, text := range cases {
		t.Run(what, func(t *testing.T) {
			cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: ConfigMapName}, Data: map[string]string{Key: text}}
			if _, err := FromConfigMap(cm); err == nil || !strings.Contains(err.Error(), "key status of ConfigMap leases-controller-status") {
				t.Errorf("error %v, want one that names key and ConfigMap", err)
			}
		})
	}
}

// many is a status with so many leases, each of which is in a handover, muted,
// and stays for a reason that no other has.
func many(leases int) Status {
	view := observe.View{Replicas: []observe.Replica{replica("tekton-pipelines-controller-5d8f7c9b1f-aaaaa", ""), replica("b", "")}}
	d := Deployment{}
	plan, at := balance.Plan{}, metav1.Time{Time: now}
	for i := range leases / 10 {
		group := bucket.Group{Prefix: fmt.Sprintf("tekton-pipelines-controller.github.com.tektoncd.pipeline.pkg.reconciler.number%d.reconciler", i), Buckets: 10}
		g := observe.Group{Group: group}
		for k := range group.Buckets {
			name := group.Name(k)
			g.Leases = append(g.Leases, observe.Lease{Name: name, Identity: "a", Holder: view.Replicas[0].Pod.Name})
			plan.Stays = append(plan.Stays, balance.Stay{Group: group.String(), Lease: name, Holder: view.Replicas[0].Pod.Name, To: "b", Reason: balance.Reason(fmt.Sprintf("Reason%d", k))})
			d.Handovers = append(d.Handovers, Handover{Lease: name, From: view.Replicas[0].Pod.Name, To: "b", Step: "assign", Began: at, Until: at})
			d.Muted = append(d.Muted, Muted{Lease: name, Identity: view.Replicas[0].Pod.Name + "_cf7e6c8b-0d4f-4e29-a2a0-0f2d7d7f1c55", Reason: balance.Muted, Until: at})
		}
		view.Groups = append(view.Groups, g)
	}
	of := Of("tekton-pipelines-controller", view, plan, "", now)
	of.Handovers, of.Muted = d.Handovers, d.Muted
	return Status{APIVersion: APIVersion, Kind: Kind, Deployments: []Deployment{of}}
}

// TestSize: 1000 leases fit whatever is to be said of each, and what does not is
// cut rather than lost.
func TestSize(t *testing.T) {
	cases := map[string]struct {
		leases    int
		truncated bool
	}{
		"1000 leases": {leases: 1000},
		"3000 leases": {leases: 3000, truncated: true},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			text, err := many(tc.leases).Document()
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d bytes", len(text))
			got, err := FromConfigMap(&corev1.ConfigMap{Data: map[string]string{Key: text}})
			if err != nil {
				t.Fatal(err)
			}
			d := got.Deployments[0]
			if len(text) > MaxSize || d.Truncated != tc.truncated || (len(d.Handovers) == tc.leases) == tc.truncated {
				t.Errorf("%d bytes, truncated %v, %d handovers", len(text), d.Truncated, len(d.Handovers))
			}
			for _, q := range d.Queues {
				if len(q.Stays) != 10 || q.Stays[0].Reason == "" {
					t.Fatalf("queue %s has lost its reasons", q.Name)
				}
			}
		})
	}
	if _, err := (Status{Deployments: []Deployment{{Name: strings.Repeat("x", MaxSize)}}}).Document(); err == nil {
		t.Error("what cannot be cut is no error")
	}
}

// FuzzFromConfigMap: whatever somebody writes into the ConfigMap, nothing panics,
// what is accepted can be written again, and an annotation that means nothing pauses.
func FuzzFromConfigMap(f *testing.F) {
	document, err := sample().Document()
	if err != nil {
		f.Fatal(err)
	}
	for _, pause := range []string{"", Forever, "2026-01-31T18:00:00Z", "0000-00-00", "\u202e" + strings.Repeat("x", 1024)} {
		f.Add(document, pause)
	}
	f.Add("a: &a [*a]", "false")
	f.Add("{", "9999-12-31T23:59:59.999999999+23:59")
	f.Add(strings.Repeat("[", 1<<12), " ")
	f.Fuzz(func(t *testing.T, document, pause string) {
		cm := NewConfigMap(document)
		cm.Annotations = map[string]string{PausedUntil: pause}
		if p := PauseOf(cm, now); p.Err != nil && p.String() != Forever {
			t.Errorf("pause %q, which is not legal, is %q", pause, p)
		}
		s, err := FromConfigMap(cm)
		if err != nil {
			return
		}
		again, err := s.Document()
		if err != nil {
			t.Fatalf("Document() of what was accepted = %v", err)
		}
		if len(again) > MaxSize {
			t.Errorf("the document has %d bytes, want %d at the most", len(again), MaxSize)
		}
		if _, err := FromConfigMap(NewConfigMap(again)); err != nil {
			t.Errorf("what was written again is refused: %v", err)
		}
	})
}
