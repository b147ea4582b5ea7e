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
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/test/cluster/sandbox"
)

// container is one container of a pod through all its runs.
type container struct {
	pod     *pod
	spec    corev1.Container
	backOff backOff
	status  corev1.ContainerStatus // guarded by the pod
	outputs []*output              // of each run, guarded by the pod
}

func newContainer(p *pod, spec corev1.Container) *container {
	c := &container{pod: p, spec: spec, status: corev1.ContainerStatus{Name: spec.Name, Image: spec.Image}}
	toWaiting(&c.status, "ContainerCreating", "")
	return c
}

// change applies a change of the state and lets it be published.
func (c *container) change(f func(s *corev1.ContainerStatus)) {
	c.pod.mu.Lock()
	f(&c.status)
	c.pod.mu.Unlock()
	c.pod.touch()
}

// run runs the container, again and again where its pod's policy says so. It reports whether the last run was a success.
func (c *container) run(ctx context.Context) bool {
	for !c.pod.isStopping() {
		exitCode, err := c.runOnce(ctx)
		if err != nil {
			c.hindered(err)
			continue
		}
		if !c.again(exitCode) {
			return exitCode == 0
		}
		if delay := c.backOff.next(time.Now()); delay > 0 {
			message := fmt.Sprintf("back-off %s restarting failed container=%s pod=%s_%s(%s)",
				delay, c.spec.Name, c.pod.name, c.pod.namespace, c.pod.uid)
			c.pod.event(corev1.EventTypeWarning, "BackOff", message)
			c.change(func(s *corev1.ContainerStatus) { toWaiting(s, "CrashLoopBackOff", message) })
			c.pod.pause(delay)
		}
	}
	return false
}

func (c *container) isInit() bool { return slices.Contains(c.pod.inits, c) }

// again tells whether the container has to run once more. An init container has done its work when it succeeded.
func (c *container) again(exitCode int32) bool {
	switch policy := c.pod.latest().Spec.RestartPolicy; policy {
	case corev1.RestartPolicyNever:
		return false
	case corev1.RestartPolicyAlways:
		return !c.isInit() || exitCode != 0
	default:
		return exitCode != 0
	}
}

// hindrance is why a container cannot be started yet.
type hindrance struct {
	reason string
	err    error
}

func (h *hindrance) Error() string { return h.err.Error() }

func (h *hindrance) Unwrap() error { return h.err }

// hindered tells what stands in the way and waits a little.
func (c *container) hindered(err error) {
	reason := "RunContainerError"
	if h := (*hindrance)(nil); errors.As(err, &h) {
		reason = h.reason
	}
	c.pod.event(corev1.EventTypeWarning, "Failed", err.Error())
	c.change(func(s *corev1.ContainerStatus) { toWaiting(s, reason, err.Error()) })
	c.pod.pause(retryPeriod)
}

// runOnce runs the container until its process has ended, and returns its exit status.
func (c *container) runOnce(ctx context.Context) (int32, error) {
	description, err := c.describe(ctx)
	if err != nil {
		return 0, err
	}
	out, log, err := c.newOutput()
	if err != nil {
		return 0, err
	}
	defer close(out.ended)
	defer log.Close()

	begun := time.Now()
	cmd, err := sandbox.Start(*description, c.pod.network, log)
	if err != nil {
		return 0, err
	}
	id := fmt.Sprintf("process://%s-%s-%d", c.pod.uid, c.spec.Name, len(c.outputs)-1)
	c.change(func(s *corev1.ContainerStatus) { toRunning(s, id, begun) })
	c.pod.event(corev1.EventTypeNormal, "Started", "Started container "+c.spec.Name)

	exitCode := c.watch(ctx, cmd)
	message := readMessage(c.messageFile())
	_ = os.Remove(description.PIDFile)
	c.change(func(s *corev1.ContainerStatus) {
		toTerminated(s, exitCode, message, time.Now())
		s.Ready = exitCode == 0 && c.isInit() // a kubelet calls an init container ready that has done its work
	})
	return exitCode, nil
}

// watch waits for the end of the process and brings it about when the pod has to end or a probe says so.
func (c *container) watch(ctx context.Context, cmd *exec.Cmd) int32 {
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	unhealthy := c.startProbes(ctx)

	var tooLate <-chan time.Time
	select {
	case <-ended:
		return exitCode(cmd.ProcessState)
	case <-c.pod.stopping:
	case <-unhealthy:
		grace := ptr.Deref(c.pod.latest().Spec.TerminationGracePeriodSeconds, corev1.DefaultTerminationGracePeriodSeconds)
		tooLate = time.After(time.Duration(grace) * time.Second)
	}
	c.pod.event(corev1.EventTypeNormal, "Killing", "Stopping container "+c.spec.Name)
	_ = cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-ended:
	case <-tooLate:
	case <-c.pod.killing:
	}
	_ = cmd.Process.Kill()
	<-ended
	return exitCode(cmd.ProcessState)
}

// exitCode follows the shells: a process that a signal ended has 128 and the signal's number.
func exitCode(state *os.ProcessState) int32 {
	if status := state.Sys().(syscall.WaitStatus); status.Signaled() {
		return 128 + int32(status.Signal())
	}
	return int32(state.ExitCode())
}

func (c *container) pidFile() string { return filepath.Join(c.pod.dir, c.spec.Name+".pid") }

func (c *container) messageFile() string {
	return filepath.Join(c.pod.volumesDir(), ".messages", c.spec.Name)
}

// readMessage reads what the process left for its status, of which the API takes a limited part.
func readMessage(path string) string {
	const limit = 4096
	content, err := os.ReadFile(path)
	if err != nil {
		return "" // the pod's end took it away; nobody will read it
	}
	return strings.ToValidUTF8(string(content[:min(len(content), limit)]), "")
}
