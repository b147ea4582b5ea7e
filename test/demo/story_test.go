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

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/tektoncd/leases-controller/test/install"
	"github.com/tektoncd/leases-controller/test/witness"
)

// newStory returns a story whose electors and Leases the test plays, with one
// bucket in each of three queues.
func newStory(t *testing.T, objects ...*corev1.Pod) *story {
	t.Helper()
	client := fake.NewClientset(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node"}})
	s := &story{
		options: options{replicas: 2, buckets: 1, timings: allTimings["fast"], strategy: "handover", out: filepath.Join(t.TempDir(), "a.svg")},
		client:  client, board: newBoard(), journal: witness.NewJournal(),
		screen: &screen{out: io.Discard, started: time.Now()},
	}
	for _, pod := range objects {
		if err := client.Tracker().Add(pod); err != nil {
			t.Fatal("failed to add a pod:", err)
		}
	}
	return s
}

// lead makes a replica the holder and the leader of a bucket.
func (s *story) lead(queue, replica string) {
	name := prefix + queue + ".reconciler.00-of-01"
	s.board.setLease(name, replica+"_1", time.Now())
	s.log(replica, "started", name)
}

// log logs what an elector of the replica does.
func (s *story) log(replica, verb, lease string) {
	s.journal.Line(replica, []byte(logLine(time.Since(epoch).Seconds(), replica+"_1", verb, lease)))
}

var queueNames = []string{"pipelinerun", "resolutionrequest", "taskrun"}

func TestAllLed(t *testing.T) {
	for name, tc := range map[string]struct {
		play func(*story)
		want bool
	}{
		"all": {want: true, play: func(*story) {}},
		"a lease is missing": {play: func(s *story) {
			delete(s.board.leases, prefix+"taskrun.reconciler.00-of-01")
		}},
		"a lease has no holder": {play: func(s *story) {
			s.board.setLease(prefix+"taskrun.reconciler.00-of-01", hold, time.Now())
		}},
		"a bucket has no leader": {play: func(s *story) {
			s.log(oldPod, "stopped", prefix+"taskrun.reconciler.00-of-01")
		}},
		"a bucket has two leaders": {play: func(s *story) {
			s.log(newPod, "started", prefix+"taskrun.reconciler.00-of-01")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStory(t)
				for _, queue := range queueNames {
					s.lead(queue, oldPod)
				}
				time.Sleep(time.Second)
				tc.play(s)
				time.Sleep(time.Second)
				if got := s.allLed(s.board.snapshot()); got != tc.want {
					t.Errorf("allLed() = %t, want %t", got, tc.want)
				}
			})
		})
	}
}

// play makes the pod old lead all, and the others what the test says.
func TestReplaceReplica(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStory(t, makePod(oldPod, witness.TektonController))
		s.board.setReplica(replica{name: oldPod, uid: "1", ready: true})
		s.board.setReplica(replica{name: newPod, uid: "2", ready: true})
		for _, queue := range queueNames {
			s.lead(queue, oldPod)
		}
		done := make(chan error)
		go func() { done <- s.replaceReplica(t.Context()) }()
		time.Sleep(time.Second)
		s.expectNode(t, true)
		pods, err := s.client.CoreV1().Pods(install.Namespace).List(t.Context(), metav1.ListOptions{})
		if err != nil || len(pods.Items) != 0 {
			t.Errorf("pods = %v, %v, want the one that had most deleted", pods, err)
		}
		for _, queue := range queueNames {
			s.log(oldPod, "stopped", prefix+queue+".reconciler.00-of-01")
			s.lead(queue, newPod)
		}
		s.board.removeReplica("1")
		time.Sleep(time.Second)
		s.expectNode(t, false)
		s.board.setReplica(replica{name: "c-young", uid: "3", ready: true, created: time.Now()})
		if err := <-done; err != nil {
			t.Error("replaceReplica() =", err)
		}
		if got := s.newReplica.name; got != "c-young" {
			t.Errorf("the new replica is %q, want %q", got, "c-young")
		}
	})
}

func (s *story) expectNode(t *testing.T, closed bool) {
	t.Helper()
	node, err := s.client.CoreV1().Nodes().Get(t.Context(), "node", metav1.GetOptions{})
	if err != nil || node.Spec.Unschedulable != closed {
		t.Errorf("node is closed: %t, %v, want %t", node.Spec.Unschedulable, err, closed)
	}
}

func TestProve(t *testing.T) {
	for name, tc := range map[string]struct {
		// play is what happens ten seconds after the controller was applied.
		play     func(*story)
		want     result
		wantMark bool
	}{
		"balanced": {
			play: func(s *story) {
				taskrun := prefix + "taskrun.reconciler.01-of-02"
				s.board.setLease(taskrun, hold, time.Now())
				s.log(oldPod, "stopped", taskrun)
				time.Sleep(5 * time.Second)
				s.board.setLease(taskrun, newPod+"_1", time.Now())
				s.log(newPod, "started", taskrun)
			},
			want:     result{balanced: true, gap: 5 * time.Second, settle: 5 * time.Second, moves: 1},
			wantMark: true,
		},
		"never": {
			play: func(*story) {},
			want: result{fault: strings.TrimSuffix(taskrun, ".") + " is uneven", settle: settling + proof - 10*time.Second},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStory(t)
				for _, pod := range []string{oldPod, newPod} {
					s.board.setReplica(replica{name: pod, uid: pod, ready: true, readyAt: time.Now()})
				}
				s.newReplica = s.board.snapshot().replicas[1]
				for _, bucket := range []string{"00", "01"} {
					s.board.setLease(prefix+"taskrun.reconciler."+bucket+"-of-02", oldPod+"_1", time.Now())
					s.log(oldPod, "started", prefix+"taskrun.reconciler."+bucket+"-of-02")
				}
				time.Sleep(time.Minute)
				s.applied = time.Now()
				s.board.ownStarted(s.applied)
				go func() { time.Sleep(10 * time.Second); tc.play(s) }()
				got, err := s.prove(t.Context())
				if err != nil {
					t.Fatal("prove() =", err)
				}
				got.settle = got.settle.Truncate(time.Second)
				if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(result{})); diff != "" {
					t.Errorf("prove() (-want, +got):\n%s", diff)
				}
				if got := len(s.marks) == 1; got != tc.wantMark {
					t.Errorf("marks = %v, want one: %t", s.marks, tc.wantMark)
				}
				if text, err := os.ReadFile(s.options.out); err != nil || !strings.Contains(string(text), "</svg>") {
					t.Errorf("the picture is %q, %v", text, err)
				}
			})
		})
	}
}

func TestWaitForTekton(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStory(t)
		done := make(chan error)
		go func() { done <- s.waitForTekton(t.Context()) }()
		for _, queue := range queueNames {
			s.lead(queue, oldPod)
		}
		s.board.setReplica(replica{name: oldPod, uid: "1", ready: true})
		time.Sleep(time.Minute)
		select {
		case err := <-done:
			t.Errorf("waitForTekton() = %v before the second replica was Ready", err)
		default:
		}
		s.board.setReplica(replica{name: newPod, uid: "2", ready: true})
		if err := <-done; err != nil {
			t.Error("waitForTekton() =", err)
		}
	})
}

func TestShowImbalance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStory(t)
		var out strings.Builder
		s.screen.out = &out
		for _, queue := range queueNames {
			s.lead(queue, oldPod)
		}
		s.newReplica = replica{name: newPod}
		before := time.Now()
		if err := s.showImbalance(t.Context()); err != nil {
			t.Fatal("showImbalance() =", err)
		}
		if took := time.Since(before); took < s.options.timings.retryPeriod {
			t.Errorf("showImbalance() took %s: no elector has looked at the leases meanwhile", took)
		}
		if want := "The new replica leads 0 of 3 buckets."; !strings.Contains(out.String(), want) {
			t.Errorf("said %q, want %q in it", out.String(), want)
		}
	})
}

func TestWaitGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStory(t)
		before := time.Now()
		err := s.wait(t.Context(), time.Minute, "rain", func(snapshot) bool { return false })
		var late *lateError
		if !errors.As(err, &late) || err.Error() != "timed out waiting for rain" {
			t.Errorf("wait() = %v, want that it timed out", err)
		}
		if took := time.Since(before); took < time.Minute || took > time.Minute+2*tick {
			t.Errorf("wait() took %s, want a minute", took)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.wait(ctx, time.Minute, "rain", func(snapshot) bool { return false }); !errors.Is(err, context.Canceled) {
			t.Errorf("wait() = %v, want %v", err, context.Canceled)
		}
	})
}

func TestMarksAreForThePicture(t *testing.T) {
	s := newStory(t)
	var out strings.Builder
	s.screen.out = &out
	s.mark("short", "A long %s.", "sentence")
	if len(s.marks) != 1 || s.marks[0].Text != "short" || !strings.Contains(out.String(), "A long sentence.") {
		t.Errorf("marks = %v, said %q", s.marks, out.String())
	}
}

// logLine is what an elector logs.
func logLine(seconds float64, identity, verb, lease string) string {
	return fmt.Sprintf(`{"severity":"info","timestamp":%q,"message":"\"%s\" has %s leading \"%s\""}`,
		at(seconds).Format("2006-01-02T15:04:05.000Z0700"), identity, verb, lease)
}
