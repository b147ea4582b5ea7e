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
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"knative.dev/pkg/leaderelection"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

const (
	// startDelay is what a pod takes to be started, readyDelay what its process then takes to be Ready.
	startDelay = time.Second
	readyDelay = 2 * time.Second
)

// Replica is one pod of the managed Deployment and the process in it.
type Replica struct {
	// Name is the pod's.
	Name string

	lab      *Lab
	clock    *wallClock
	busy     Busy
	process  *process
	restarts int32
	// ready is what its pod says, and readyAt when it became Ready last; l.mu guards both.
	ready   bool
	readyAt time.Time
}

// Start adds n replicas and returns when they are Ready.
func (l *Lab) Start(n int) []*Replica {
	l.T.Helper()
	return l.start(n, func([]*Replica) {})
}

// Arrange starts the first replicas, with leases that are theirs from the beginning: for each of the Queues, how many
// buckets each replica leads.
func (l *Lab) Arrange(spread ...[]int) []*Replica {
	l.T.Helper()
	n := len(spread[0])
	l.setReplicas(n)
	started := l.start(n, func(replicas []*Replica) { l.seedLeases(replicas, spread) })
	l.WaitLed(30 * time.Second)
	return started
}

func (l *Lab) start(n int, before func([]*Replica)) []*Replica {
	l.T.Helper()
	started := make([]*Replica, n)
	for i := range started {
		started[i] = l.createPod()
	}
	l.syncStatus()
	time.Sleep(startDelay)
	before(started)
	for _, r := range started {
		r.run()
	}
	time.Sleep(readyDelay)
	for _, r := range started {
		r.SetReady(true)
	}
	return started
}

// Stop deletes a replica's pod: its process is asked to end, releases its leases, and then the pod goes.
func (l *Lab) Stop(r *Replica) {
	l.T.Helper()
	l.StopLate(r, 0)
}

// StopLate deletes a replica's pod, as Stop does, but its process goes on for a while as if it had not been asked to
// end, leads and renews.
func (l *Lab) StopLate(r *Replica, after time.Duration) {
	l.T.Helper()
	l.tracef("%s is deleted", r.Name)
	l.try(l.admin.CoreV1().Pods(leasestesting.Namespace).Delete(l.ctx, r.Name, metav1.DeleteOptions{}))
	l.syncStatus()
	time.Sleep(after)
	r.process.stop()
	l.forget(r)
}

// Vanish kills a replica's process and removes its pod in the same instant, as a lost node and a forced deletion do.
func (l *Lab) Vanish(r *Replica) {
	l.T.Helper()
	l.tracef("%s vanishes", r.Name)
	r.process.kill()
	l.forget(r)
}

// Crash kills a replica's process. After the report delay its pod shows the end of its container, which is not started
// again.
func (l *Lab) Crash(r *Replica, report time.Duration) {
	l.T.Helper()
	l.tracef("%s crashes", r.Name)
	finished := r.now()
	r.process.kill()
	time.Sleep(report)
	r.update(func(pod *corev1.Pod) {
		pod.Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: terminated(finished)}
		r.setReady(pod, false)
	})
}

// terminated is how a container's run ended that was killed.
func terminated(finished metav1.Time) *corev1.ContainerStateTerminated {
	return &corev1.ContainerStateTerminated{ExitCode: 137, Reason: "Error", FinishedAt: finished}
}

// Restart kills a replica's process; its container is started again in place, under the same pod, and is Ready when
// Restart returns. The pod shows it only after the report delay.
func (l *Lab) Restart(r *Replica, report time.Duration) {
	l.T.Helper()
	l.tracef("%s is killed", r.Name)
	finished := r.now()
	r.process.kill()
	time.Sleep(startDelay)
	r.restarts++
	started := r.now()
	r.startProcess()
	time.Sleep(report)
	r.update(func(pod *corev1.Pod) {
		status := &pod.Status.ContainerStatuses[0]
		status.RestartCount = r.restarts
		status.ContainerID = r.containerID()
		status.LastTerminationState.Terminated = terminated(finished)
		status.State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: started}}
		r.setReady(pod, false)
	})
	time.Sleep(readyDelay)
	r.SetReady(true)
}

// SetReady changes the pod's Ready condition.
func (r *Replica) SetReady(ready bool) {
	r.lab.T.Helper()
	r.update(func(pod *corev1.Pod) { r.setReady(pod, ready) })
	r.lab.tracef("%s ready: %v", r.Name, ready)
}

// settled returns the replicas that are Ready, if there was no change of the replicas since a minute before the time
// given: a new one counts only after a while.
func (l *Lab) settled(since time.Duration) []*Replica {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.members > since-time.Minute {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(l.replicas), func(r *Replica) bool { return !r.ready })
}

// stable returns the replicas that have been Ready for long enough to get leases.
func (l *Lab) stable() []*Replica {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(l.replicas), func(r *Replica) bool {
		return !r.ready || time.Since(r.readyAt) < probation
	})
}

// Replicas returns those that are there, in the order of their start.
func (l *Lab) Replicas() []*Replica {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.replicas)
}

func (l *Lab) createPod() *Replica {
	l.pods++
	name := fmt.Sprintf("%s-%s", l.replicaSet.Name, suffix(l.dice, l.pods))
	pod := leasestesting.MakePod(name).OwnedBy(l.replicaSet).Obj()
	pod.UID = ""
	_, err := l.admin.CoreV1().Pods(leasestesting.Namespace).Create(l.ctx, pod, metav1.CreateOptions{})
	l.try(err)
	r := &Replica{Name: name, lab: l, clock: l.wallClock(name), busy: l.opts.busy(l.pods - 1)}
	r.update(func(p *corev1.Pod) {
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{
			Name:  p.Spec.Containers[0].Name,
			State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}},
		}}
		r.setReady(p, false)
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.replicas = append(l.replicas, r)
	return r
}

// suffix returns five letters as Kubernetes appends them to a pod's name.
func suffix(d dice, n int) string {
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	name := make([]byte, 5)
	for i := range name {
		name[i] = letters[d.roll(int64(len(letters)), "pod", n, i)]
	}
	return string(name)
}

// seedLeases has each queue's leases held by the given number of each replica's.
func (l *Lab) seedLeases(replicas []*Replica, spread [][]int) {
	for i, counts := range spread {
		names := l.Group(Queues[i]).Names()
		for j, n := range counts {
			for _, name := range names[:n] {
				l.API.Seed(leasestesting.MakeLease(name).Holder(replicas[j].identity(Queues[i])).
					Acquired(replicas[j].clock.now()).Renewed(replicas[j].clock.now()).Duration(60).Transitions(0).Obj())
			}
			names = names[n:]
		}
	}
}

// Group returns the leases that the electors of a queue contend for.
func (l *Lab) Group(queue string) bucket.Group {
	l.T.Helper()
	config, err := leaderelection.NewConfigFromMap(l.opts.Election)
	l.try(err)
	return bucket.NewGroup(Deployment, queue, config)
}

// identity is what the replica's present process calls itself in a queue.
func (r *Replica) identity(queue string) string {
	return r.Name + "_" + r.lab.dice.uuid(r.processName(), queue)
}

func (r *Replica) processName() string { return fmt.Sprintf("%s#%d", r.Name, r.restarts) }

// run starts the container and reports it.
func (r *Replica) run() {
	started := r.now()
	r.startProcess()
	r.update(func(pod *corev1.Pod) {
		pod.Status.Phase = corev1.PodRunning
		status := &pod.Status.ContainerStatuses[0]
		status.ContainerID = r.containerID()
		status.Started = ptr.To(true)
		status.State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: started}}
	})
}

func (r *Replica) containerID() string { return fmt.Sprintf("containerd://%s-%d", r.Name, r.restarts) }

func (r *Replica) startProcess() {
	l := r.lab
	name := r.processName()
	h := holder{
		name: name, component: Deployment, configMap: ElectionConfigMap,
		workers: r.busy.Workers, clock: r.clock, identities: map[string]string{}, disabled: slices.Contains(l.opts.Args, "-disable-ha=true"),
	}
	for _, queue := range Queues {
		h.identities[queue] = r.identity(queue)
	}
	network := l.network(name)
	network.QPS, network.Burst = r.busy.QPS, r.busy.Burst
	network.Clock = r.clock.at
	r.process = startProcess(l.ctx, l.API.NewClient(name, network), h, l.Ledger)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.processes[name] = r.process
}

// update changes the pod's status, and the counts of its Deployment with it.
func (r *Replica) update(change func(*corev1.Pod)) {
	r.lab.T.Helper()
	pods := r.lab.admin.CoreV1().Pods(leasestesting.Namespace)
	pod, err := pods.Get(r.lab.ctx, r.Name, metav1.GetOptions{})
	r.lab.try(err)
	change(pod)
	_, err = pods.UpdateStatus(r.lab.ctx, pod, metav1.UpdateOptions{})
	r.lab.try(err)
	r.lab.mu.Lock()
	if ready := pod.Status.ContainerStatuses[0].Ready; ready != r.ready {
		r.ready, r.lab.members = ready, r.lab.Now()
		if ready {
			r.readyAt = time.Now()
		}
	}
	r.lab.mu.Unlock()
	r.lab.syncStatus()
}

// forget removes the pod's object and the replica.
func (l *Lab) forget(r *Replica) {
	l.T.Helper()
	now := metav1.DeleteOptions{GracePeriodSeconds: ptr.To[int64](0)}
	l.try(l.admin.CoreV1().Pods(leasestesting.Namespace).Delete(l.ctx, r.Name, now))
	l.mu.Lock()
	l.replicas = slices.DeleteFunc(l.replicas, func(other *Replica) bool { return other == r })
	l.members = l.Now()
	l.mu.Unlock()
	l.syncStatus()
}

// now is a stamp of the kubelet.
func (r *Replica) now() metav1.Time { return metav1.NewTime(r.clock.now()) }

func (r *Replica) setReady(pod *corev1.Pod, ready bool) {
	status := corev1.ConditionFalse
	if ready {
		status = corev1.ConditionTrue
	}
	for i := range pod.Status.ContainerStatuses {
		pod.Status.ContainerStatuses[i].Ready = ready
	}
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady {
			if c.Status != status {
				c.Status, c.LastTransitionTime = status, r.now()
			}
			return
		}
	}
	pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{
		Type: corev1.PodReady, Status: status, LastTransitionTime: r.now(),
	})
}

// try ends the scenario on an error of the cluster that the lab itself plays.
func (l *Lab) try(err error) {
	l.T.Helper()
	if err != nil {
		l.T.Fatalf("failed at %v: %v", l.Now(), err)
	}
}
