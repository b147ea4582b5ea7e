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
	"bufio"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrs "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Follower reads the logs of the controllers' containers from their beginning
// to the end of their processes.
type Follower struct {
	client  kubernetes.Interface
	journal *Journal
	// containers are the names of those that are followed.
	containers []string
	mu         sync.Mutex
	known      map[string]bool
}

// NewFollower returns a follower that feeds the journal with what the two
// controllers log, and others whose containers have these names.
func NewFollower(client kubernetes.Interface, journal *Journal, others ...string) *Follower {
	containers := append([]string{TektonController, LeasesController}, others...)
	return &Follower{client: client, journal: journal, containers: containers, known: map[string]bool{}}
}

// process is one run of a container.
type process struct {
	namespace, pod, uid, container string
	restarts                       int32
}

func (p process) String() string { return fmt.Sprintf("%s/%d", p.uid, p.restarts) }

// Pod begins to read what is new: a pod whose container runs, or a container
// that has been restarted.
func (f *Follower) Pod(ctx context.Context, pod *corev1.Pod) {
	if !slices.Contains(f.containers, Container(pod)) {
		return
	}
	for _, status := range pod.Status.ContainerStatuses {
		p := process{pod.Namespace, pod.Name, string(pod.UID), status.Name, status.RestartCount}
		if status.State.Waiting == nil && f.isNew(p) {
			go f.follow(ctx, p)
		}
	}
}

func (f *Follower) isNew(p process) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	isNew := !f.known[p.String()]
	f.known[p.String()] = true
	return isNew
}

// lasting is how long a stream takes that only a running process can have: of one
// that has ended the log comes at once.
const lasting = time.Second

// lateStatus is how much later than the end of a stream the pod may show why.
const lateStatus = 2 * time.Second

// retryStream is how often to look for that meanwhile.
const retryStream = 200 * time.Millisecond

// follow reads the log of one process until that has ended. A stream can break
// before: then it is read again, without the lines that are known already.
func (f *Follower) follow(ctx context.Context, p process) {
	known := 0
	var at time.Time
	for ctx.Err() == nil {
		opened := time.Now()
		lines := f.read(ctx, p, known)
		// The stream ends when the process does.
		if lines > known || at.IsZero() || time.Since(opened) > lasting {
			known, at = lines, time.Now()
		}
		if finished, ok := f.over(ctx, p); ok {
			f.journal.end(p.String(), earlier(at, finished))
			return
		}
	}
}

// over is ended, with some time for the node to tell it: another stream would be
// that of the next process, if there is one already.
func (f *Follower) over(ctx context.Context, p process) (finished time.Time, ok bool) {
	for begun := time.Now(); ctx.Err() == nil && time.Since(begun) < lateStatus; time.Sleep(retryStream) {
		if finished, ok := f.ended(ctx, p); ok {
			return finished, true
		}
	}
	return time.Time{}, false
}

// read takes in all lines but the first ones, and returns how many there were.
func (f *Follower) read(ctx context.Context, p process, known int) int {
	options := &corev1.PodLogOptions{Container: p.container, Follow: true}
	stream, err := f.client.CoreV1().Pods(p.namespace).GetLogs(p.pod, options).Stream(ctx)
	if err != nil {
		return known
	}
	defer stream.Close()
	reader := bufio.NewReader(stream)
	for n := 1; ; n++ {
		line, err := reader.ReadBytes('\n')
		if err != nil {
			// What comes before is no whole line.
			return known
		}
		if n > known {
			f.journal.Line(p.String(), line)
			known = n
		}
	}
}

// ended tells whether the process has surely ended: its pod is gone, or the
// container has terminated or has been started again. Of what it cannot find
// out it says no. Where its node tells the second in which it ended, it returns
// the end of that second: a stream may end later.
func (f *Follower) ended(ctx context.Context, p process) (finished time.Time, ok bool) {
	pod, err := f.client.CoreV1().Pods(p.namespace).Get(ctx, p.pod, metav1.GetOptions{})
	if apierrs.IsNotFound(err) {
		return time.Time{}, true
	}
	if err != nil {
		return time.Time{}, false
	}
	if string(pod.UID) != p.uid {
		return time.Time{}, true
	}
	for _, status := range pod.Status.ContainerStatuses {
		if status.Name != p.container {
			continue
		}
		terminated := status.State.Terminated
		if status.RestartCount == p.restarts+1 {
			terminated = status.LastTerminationState.Terminated
		}
		if terminated != nil && !terminated.FinishedAt.IsZero() {
			finished = terminated.FinishedAt.Add(time.Second)
		}
		return finished, status.RestartCount > p.restarts || terminated != nil
	}
	return time.Time{}, false
}

// earlier is the earlier one of two moments, if the second one is known.
func earlier(at, limit time.Time) time.Time {
	if !limit.IsZero() && limit.Before(at) {
		return limit
	}
	return at
}
