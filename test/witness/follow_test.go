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

package witness

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrs "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/tektoncd/leases-controller/pkg/leadership"
)

// kubelet serves one pod and the streams of its log: each stream is what is
// sent before it breaks.
type kubelet struct {
	mu      sync.Mutex
	pod     *corev1.Pod
	streams []string
	// last, if set, is called before the last stream breaks.
	last func()
}

func (k *kubelet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case strings.HasSuffix(r.URL.Path, "/log") && len(k.streams) == 0:
		http.Error(w, "not now", http.StatusInternalServerError)
	case strings.HasSuffix(r.URL.Path, "/log"):
		_, _ = fmt.Fprint(w, k.streams[0])
		k.streams = k.streams[1:]
		if len(k.streams) == 0 && k.last != nil {
			k.last()
		}
	default:
		w.Header().Set("Content-Type", "application/json")
		if k.pod == nil {
			w.WriteHeader(http.StatusNotFound)
			_ = json.NewEncoder(w).Encode(apierrs.NewNotFound(corev1.Resource("pods"), oldPod).Status())
			return
		}
		_ = json.NewEncoder(w).Encode(k.pod)
	}
}

// set changes the pod.
func (k *kubelet) set(pod *corev1.Pod) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.pod = pod
}

func running(pod *corev1.Pod, restarts int32) *corev1.Pod {
	pod.APIVersion, pod.Kind = "v1", "Pod"
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: TektonController, RestartCount: restarts, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}},
	}}
	return pod
}

func terminated(pod *corev1.Pod) *corev1.Pod {
	running(pod, 0).Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{}}
	return pod
}

func newFollower(t *testing.T, k *kubelet) *Follower {
	t.Helper()
	server := httptest.NewServer(k)
	t.Cleanup(server.Close)
	client, err := kubernetes.NewForConfig(&rest.Config{Host: server.URL, QPS: -1})
	if err != nil {
		t.Fatal("failed to make a client:", err)
	}
	return NewFollower(client, NewJournal())
}

// makePod returns a pod of one of the two controllers.
func makePod(name, container string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "tekton-pipelines", Name: name, UID: types.UID(name + "-uid")},
		Spec:       corev1.PodSpec{NodeName: "node", Containers: []corev1.Container{{Name: container}}},
	}
}

// eventually waits for what other goroutines do.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("timed out until", what)
		}
	}
}

func TestFollow(t *testing.T) {
	started, stopped := logLine(1, "a_1", "started", "q.0")+"\n", logLine(2, "a_1", "stopped", "q.0")+"\n"
	again := logLine(3, "a_1", "started", "q.0") + "\n" + logLine(4, "a_1", "stopped", "q.0") + "\n"
	another := running(makePod(oldPod, TektonController), 0)
	another.UID = "another"
	for name, tc := range map[string]struct {
		streams []string
		then    *corev1.Pod // nil is gone
		want    int         // spans that are over
	}{
		"to the end of a deleted pod":                    {streams: []string{started + stopped}, want: 1},
		"the pod is there again, under another UID":      {streams: []string{started + stopped}, then: another, want: 1},
		"the container has terminated":                   {streams: []string{started}, then: terminated(makePod(oldPod, TektonController)), want: 1},
		"the container was started again":                {streams: []string{started}, then: running(makePod(oldPod, TektonController), 1), want: 1},
		"a broken stream is read again":                  {streams: []string{started, started + stopped}, want: 1},
		"known lines count once, and a cut one does not": {streams: []string{started + stopped[:20], started + stopped + again}, want: 2},
		"a process that ends without a word ends anyway": {streams: []string{started}, want: 1},
	} {
		t.Run(name, func(t *testing.T) {
			k := &kubelet{pod: running(makePod(oldPod, TektonController), 0), streams: tc.streams}
			f := newFollower(t, k)
			f.Pod(t.Context(), k.pod)
			eventually(t, "all streams are read", func() bool {
				k.mu.Lock()
				defer k.mu.Unlock()
				return len(k.streams) == 0
			})
			k.set(tc.then)
			eventually(t, "the process has ended", func() bool {
				f.journal.mu.Lock()
				defer f.journal.mu.Unlock()
				for _, p := range f.journal.processes {
					return !p.Ended.IsZero()
				}
				return false
			})
			buckets := f.journal.Timeline(time.Now().Add(time.Hour)).Buckets
			if len(buckets) != 1 || len(buckets[0].Spans) != tc.want {
				t.Errorf("timeline has %v, want one bucket with %d spans", buckets, tc.want)
			}
		})
	}
}

// A process that ended silently ended when its stream did, and not when the
// API server told of it.
func TestFollowEndIsTheEndOfTheStream(t *testing.T) {
	k := &kubelet{pod: running(makePod(oldPod, TektonController), 0), streams: []string{logLine(1, "a_1", "started", "q.0") + "\n"}}
	f := newFollower(t, k)
	before := time.Now()
	f.Pod(t.Context(), k.pod)
	time.Sleep(3 * retryStream)
	k.set(nil)
	var ended time.Time
	eventually(t, "the process has ended", func() bool {
		f.journal.mu.Lock()
		defer f.journal.mu.Unlock()
		for _, p := range f.journal.processes {
			ended = p.Ended
		}
		return !ended.IsZero()
	})
	if late := ended.Sub(before); late > 2*retryStream {
		t.Errorf("ended %s after its start, want as soon as the stream", late)
	}
}

func TestFollowOnlyWhatRuns(t *testing.T) {
	waiting := running(makePod("waiting", TektonController), 0)
	waiting.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{}}
	other := running(makePod("other", "other"), 0)
	f := newFollower(t, &kubelet{})
	f.Pod(t.Context(), waiting)
	f.Pod(t.Context(), other)
	if diff := cmp.Diff(map[string]bool{}, f.known); diff != "" {
		t.Errorf("follows (-want, +got):\n%s", diff)
	}
	asked := NewFollower(f.client, f.journal, "other")
	asked.Pod(t.Context(), other)
	if len(asked.known) != 1 {
		t.Errorf("follows %v, want the container that was asked for", asked.known)
	}
	if !f.isNew(process{uid: "a"}) || f.isNew(process{uid: "a"}) || !f.isNew(process{uid: "a", restarts: 1}) {
		t.Error("isNew() must be true once for each run of a container")
	}
}

func TestJournalKeepsTheProcessesApart(t *testing.T) {
	j := NewJournal()
	j.Line("a/0", []byte(logLine(1, "a_1", "started", "q.0")))
	j.Line("a/1", []byte(logLine(5, "a_2", "started", "q.0")))
	j.end("a/0", at(3))
	want := []leadership.Span{{Identity: "a_1", From: at(1), To: at(3)}, {Identity: "a_2", From: at(5), To: at(9)}}
	if diff := cmp.Diff(want, j.Timeline(at(9)).Buckets[0].Spans); diff != "" {
		t.Errorf("spans (-want, +got):\n%s", diff)
	}
}

// TestFollowToTheRealEnd: a stream breaks, because the API server is restarted, and
// the process logs nothing until it ends, much later.
func TestFollowToTheRealEnd(t *testing.T) {
	k := &kubelet{pod: running(makePod(oldPod, TektonController), 0), streams: []string{logLine(1, "a_1", "started", "q.0") + "\n", ""}}
	var ended time.Time
	k.last = func() {
		time.Sleep(2 * lasting)
		ended = time.Now()
		k.pod = nil
	}
	f := newFollower(t, k)
	f.Pod(t.Context(), k.pod)
	eventually(t, "the process has ended", func() bool {
		f.journal.mu.Lock()
		defer f.journal.mu.Unlock()
		for _, p := range f.journal.processes {
			return p.Ended.After(time.Now().Add(-lasting))
		}
		return false
	})
	k.mu.Lock()
	defer k.mu.Unlock()
	if ended.IsZero() {
		t.Error("the end is taken to be where the stream broke")
	}
}

// TestFollowToTheEndThatTheNodeTells: the stream of a process that was killed ends
// late, on a busy node.
func TestFollowToTheEndThatTheNodeTells(t *testing.T) {
	finished := time.Now().Add(-time.Minute).Truncate(time.Second)
	end := &corev1.ContainerStateTerminated{FinishedAt: metav1.NewTime(finished)}
	over := terminated(makePod(oldPod, TektonController))
	over.Status.ContainerStatuses[0].State.Terminated = end
	again := running(makePod(oldPod, TektonController), 1)
	again.Status.ContainerStatuses[0].LastTerminationState.Terminated = end
	for name, pod := range map[string]*corev1.Pod{"terminated": over, "restarted": again} {
		t.Run(name, func(t *testing.T) {
			k := &kubelet{pod: pod, streams: []string{logLine(1, "a_1", "started", "q.0") + "\n"}}
			f := newFollower(t, k)
			f.Pod(t.Context(), running(makePod(oldPod, TektonController), 0))
			var got time.Time
			eventually(t, "the process has ended", func() bool {
				f.journal.mu.Lock()
				defer f.journal.mu.Unlock()
				for _, p := range f.journal.processes {
					got = p.Ended
				}
				return !got.IsZero()
			})
			if want := finished.Add(time.Second); !got.Equal(want) {
				t.Errorf("it ended at %s, want %s", got, want)
			}
		})
	}
}

// TestFollowNotTheNextProcess: a process is killed, and the next one runs before the
// pod shows it.
func TestFollowNotTheNextProcess(t *testing.T) {
	k := &kubelet{pod: running(makePod(oldPod, TektonController), 0), streams: []string{logLine(1, "a_1", "started", "q.0") + "\n", "of the next process\n"}}
	f := newFollower(t, k)
	f.Pod(t.Context(), k.pod)
	time.Sleep(2 * retryStream)
	k.set(running(makePod(oldPod, TektonController), 1))
	eventually(t, "the process has ended", func() bool {
		f.journal.mu.Lock()
		defer f.journal.mu.Unlock()
		for _, p := range f.journal.processes {
			return !p.Ended.IsZero()
		}
		return false
	})
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.streams) != 1 {
		t.Error("what the next process logs is taken for the words of the one that was killed")
	}
}
