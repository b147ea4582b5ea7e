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
	mu      sync.Mutex
	known   map[string]bool
}

// NewFollower returns a follower that feeds the journal.
func NewFollower(client kubernetes.Interface, journal *Journal) *Follower {
	return &Follower{client: client, journal: journal, known: map[string]bool{}}
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
	if name := Container(pod); name != TektonController && name != LeasesController {
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

// retryStream is how long to wait before a broken stream is opened again.
const retryStream = 200 * time.Millisecond

// follow reads the log of one process until that has ended. A stream can break
// before: then it is read again, without the lines that are known already.
func (f *Follower) follow(ctx context.Context, p process) {
	known := 0
	var at time.Time
	for ctx.Err() == nil {
		lines := f.read(ctx, p, known)
		// The stream ends when the process does; its pod may tell later.
		if lines > known || at.IsZero() {
			known, at = lines, time.Now()
		}
		if f.ended(ctx, p) {
			f.journal.end(p.String(), at)
			return
		}
		time.Sleep(retryStream)
	}
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
// out it says no.
func (f *Follower) ended(ctx context.Context, p process) bool {
	pod, err := f.client.CoreV1().Pods(p.namespace).Get(ctx, p.pod, metav1.GetOptions{})
	if apierrs.IsNotFound(err) {
		return true
	}
	if err != nil {
		return false
	}
	if string(pod.UID) != p.uid {
		return true
	}
	for _, status := range pod.Status.ContainerStatuses {
		if status.Name == p.container {
			return status.RestartCount > p.restarts || status.State.Terminated != nil
		}
	}
	return false
}
