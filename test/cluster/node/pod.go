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

package node

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/tektoncd/leases-controller/test/cluster/sandbox"
)

// retryPeriod is the time until something is tried again that a change elsewhere may have mended.
const retryPeriod = 2 * time.Second

// pod is one pod from its first sight until its object is deleted.
type pod struct {
	kubelet         *kubelet
	namespace, name string
	uid             types.UID
	ip              netip.Addr
	dir             string
	network         *sandbox.Network
	listeners       []net.Listener
	inits, mains    []*container
	published       publisher

	stopping chan struct{} // closed when the pod has to end
	killing  chan struct{} // closed when its grace period is over
	stop     func()
	kill     func()

	mu        sync.Mutex // guards what follows, and the status of the containers
	object    *corev1.Pod
	startTime metav1.Time
}

func newPod(k *kubelet, object *corev1.Pod, ip netip.Addr) *pod {
	p := &pod{
		kubelet: k, namespace: object.Namespace, name: object.Name, uid: object.UID, ip: ip,
		dir:      filepath.Join(k.dir, "pods", object.Namespace+"_"+object.Name),
		stopping: make(chan struct{}), killing: make(chan struct{}),
		object: object, startTime: metav1.Now(),
	}
	p.stop = sync.OnceFunc(func() { close(p.stopping) })
	p.kill = sync.OnceFunc(func() { close(p.killing) })
	p.published.changed = make(chan struct{}, 1)
	for _, spec := range object.Spec.InitContainers {
		p.inits = append(p.inits, newContainer(p, spec))
	}
	for _, spec := range object.Spec.Containers {
		p.mains = append(p.mains, newContainer(p, spec))
	}
	return p
}

// update takes a newer object: it may have been deleted, or changed what a downward API volume shows.
func (p *pod) update(object *corev1.Pod) {
	p.mu.Lock()
	p.object = object
	p.compare(object.Status.Conditions)
	p.mu.Unlock()
	p.touch()
	if object.DeletionTimestamp != nil {
		p.terminate(gracePeriod(object))
	}
	p.refreshVolumes()
}

// terminate asks the processes to end and kills them after the grace period. A later call can only shorten it. While the
// pod is cut off, its node does not hear of its deletion either.
func (p *pod) terminate(grace time.Duration) {
	go func() {
		gate{file: p.partition()}.await()
		p.stop()
		time.AfterFunc(grace, p.kill)
	}()
}

// partition is the file that cuts the pod off while it exists.
func (p *pod) partition() string { return filepath.Join(p.dir, "partition") }

// gracePeriod is the one that the deletion asked for, else the pod's own.
func gracePeriod(object *corev1.Pod) time.Duration {
	seconds := object.DeletionGracePeriodSeconds
	if seconds == nil {
		seconds = object.Spec.TerminationGracePeriodSeconds
	}
	if seconds == nil {
		return corev1.DefaultTerminationGracePeriodSeconds * time.Second
	}
	return time.Duration(max(*seconds, 1)) * time.Second
}

func (p *pod) latest() *corev1.Pod {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.object
}

func (p *pod) isStopping() bool {
	select {
	case <-p.stopping:
		return true
	default:
		return false
	}
}

// pause waits, and reports whether the pod has to end.
func (p *pod) pause(d time.Duration) bool {
	select {
	case <-p.stopping:
		return true
	case <-time.After(d):
		return false
	}
}

// run is the whole life of the pod.
func (p *pod) run() {
	ctx, cancel := context.WithCancel(context.Background())
	publishing := make(chan struct{})
	go func() {
		p.publishChanges(ctx)
		close(publishing)
	}()
	p.touch()

	ended := p.setUp(ctx) && p.runInits(ctx)
	if ended {
		p.runMains(ctx)
	}
	// No process will need them any more. A kubelet does not keep them until the pod is deleted either.
	_ = os.RemoveAll(p.volumesDir())
	p.touch()
	<-p.stopping
	cancel()
	<-publishing
	p.finish()
}

// setUp prepares what the containers share. It reports false if the pod has to end before.
func (p *pod) setUp(ctx context.Context) bool {
	for !p.isStopping() {
		err := p.prepare(ctx)
		if err == nil {
			return true
		}
		p.event(corev1.EventTypeWarning, "FailedMount", err.Error())
		p.pause(retryPeriod)
	}
	return false
}

func (p *pod) prepare(ctx context.Context) error {
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return fmt.Errorf("failed to make the pod's directory: %w", err)
	}
	if err := p.writeVolumes(ctx); err != nil {
		return err
	}
	if p.network != nil {
		return nil
	}
	return p.connect()
}

// runInits runs the init containers one after the other. It reports whether all succeeded.
func (p *pod) runInits(ctx context.Context) bool {
	for _, c := range p.inits {
		if !c.run(ctx) {
			return false
		}
	}
	return true
}

func (p *pod) runMains(ctx context.Context) {
	var all sync.WaitGroup
	for _, c := range p.mains {
		all.Go(func() { c.run(ctx) })
	}
	all.Wait()
}

// finish deletes the object, now that no process of the pod is left.
func (p *pod) finish() {
	for p.farewell() != nil {
		time.Sleep(retryPeriod)
	}
	p.disconnect()
}

func (p *pod) farewell() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := p.publish(ctx, true); err != nil {
		return err
	}
	return p.delete(ctx)
}

func (p *pod) event(kind, reason, message string) {
	p.kubelet.recorder.Event(p.latest(), kind, reason, message)
}
