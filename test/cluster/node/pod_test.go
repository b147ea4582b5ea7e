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
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/virtual-kubelet/virtual-kubelet/node/api"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
)

func TestLifeOfAPod(t *testing.T) {
	k, fake, object := startPod(t, runs("serve"), probed)

	unready := fake.await(t, "running", isRunning)
	if isReady(unready) {
		t.Error("the pod is ready before its probe succeeded")
	}
	ready := fake.await(t, "ready", isReady)
	if got := ready.ContainerStatuses[0]; !*got.Started || got.ContainerID == "" || got.State.Running.StartedAt.IsZero() {
		t.Errorf("a ready container has the status %+v", got)
	}

	addresses := map[string]string{}
	text, err := os.ReadFile(filepath.Join(k.dir, "pods", "ns_pod-1", "ports.json"))
	if err != nil || json.Unmarshal(text, &addresses) != nil {
		t.Fatalf("cannot read ports.json %q: %v", text, err)
	}
	response, err := http.Get("http://" + addresses["8080"])
	if err != nil || response.StatusCode != http.StatusOK {
		t.Errorf("the published port answers %v, %v", response, err)
	}

	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	stream, err := k.logs(ctx, testNamespace, "pod-1", "c", api.ContainerLogOpts{Follow: true})
	if err != nil {
		t.Fatal(err)
	}
	k.sync(deleted(object, 30))
	k.forget(object) // even if the object goes first
	if log, _ := io.ReadAll(stream); string(log) != "hello\ngood-bye\n" {
		t.Errorf("the followed log is %q, want also the last words", log)
	}
	last := fake.await(t, "ended", func(s corev1.PodStatus) bool { return s.Phase == corev1.PodSucceeded })
	if isReady(last) || last.ContainerStatuses[0].State.Terminated == nil {
		t.Errorf("the last status is %+v", last)
	}
	fake.awaitDeletion(t)
}

// TestCutOffPodOutlivesItsObject: a node that is cut off does not hear that its pod was deleted by force.
func TestCutOffPodOutlivesItsObject(t *testing.T) {
	k, fake, object := startPod(t, runs("serve"))
	fake.await(t, "running", isRunning)
	awaitHello(t, k)
	p := k.find(testNamespace, "pod-1")
	if err := os.WriteFile(p.partition(), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	k.forget(object)
	time.Sleep(5 * partitionPoll)
	if p.isStopping() {
		t.Error("the pod is stopped while its node cannot know that it was deleted")
	}
	if err := os.Remove(p.partition()); err != nil {
		t.Fatal(err)
	}
	fake.await(t, "ended", func(s corev1.PodStatus) bool { return s.Phase == corev1.PodSucceeded })
}

func TestRestartInPlace(t *testing.T) {
	k, fake, _ := startPod(t, runs("stubborn"))
	first := fake.await(t, "running", isRunning)
	awaitHello(t, k)
	if err := syscall.Kill(ownPID(t, filepath.Join(k.dir, "pods", "ns_pod-1", "c.pid")), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	second := fake.await(t, "restarted", func(s corev1.PodStatus) bool {
		return isRunning(s) && s.ContainerStatuses[0].RestartCount == 1
	})
	before, after := first.ContainerStatuses[0], second.ContainerStatuses[0]
	if after.LastTerminationState.Terminated == nil || after.LastTerminationState.Terminated.ExitCode != 137 ||
		after.LastTerminationState.Terminated.ContainerID != before.ContainerID || after.ContainerID == before.ContainerID {
		t.Errorf("the restarted container's status is %+v, before it was %+v", after, before)
	}
	if log := read(t, k, api.ContainerLogOpts{Previous: true}); log != "hello\n" {
		t.Errorf("the log of the previous run is %q", log)
	}
}

func TestCrashLoop(t *testing.T) {
	_, fake, _ := startPod(t, runs("fail"))
	status := fake.await(t, "crash-looping", func(s corev1.PodStatus) bool {
		w := s.ContainerStatuses[0].State.Waiting
		return w != nil && w.Reason == "CrashLoopBackOff"
	})
	got := status.ContainerStatuses[0]
	if got.RestartCount != 1 || status.Phase != corev1.PodRunning {
		t.Errorf("the pod waits after %d restarts in phase %s, want 1 and Running", got.RestartCount, status.Phase)
	}
	if last := got.LastTerminationState.Terminated; last.ExitCode != 3 || last.Message != "no luck" {
		t.Errorf("the last end is told as %+v, want status 3 and its message", last)
	}
}

func TestInitContainersComeFirst(t *testing.T) {
	_, fake, _ := startPod(t, runs("serve"), func(p *corev1.Pod) {
		p.Spec.InitContainers = []corev1.Container{{Name: "i", Image: "ko://image", Args: []string{"succeed"}}}
	})
	status := fake.await(t, "running", isRunning)
	if end := status.InitContainerStatuses[0].State.Terminated; end == nil || end.ExitCode != 0 {
		t.Errorf("the pod runs while its init container is %+v", status.InitContainerStatuses[0])
	}
}

func TestUnknownImage(t *testing.T) {
	k, fake, object := startPod(t, func(p *corev1.Pod) { p.Spec.Containers[0].Image = "ko://unknown" })
	status := fake.await(t, "waiting for its image", func(s corev1.PodStatus) bool {
		w := s.ContainerStatuses[0].State.Waiting
		return w != nil && w.Reason == "ErrImagePull"
	})
	if status.Phase != corev1.PodPending {
		t.Errorf("the phase is %s, want Pending", status.Phase)
	}
	k.sync(deleted(object, 30))
	fake.awaitDeletion(t)
}

func TestAPIServerIsReachedByItsService(t *testing.T) {
	k, fake, _ := startPod(t, runs("ask"), func(p *corev1.Pod) { p.Spec.RestartPolicy = corev1.RestartPolicyNever })
	fake.await(t, "done", func(s corev1.PodStatus) bool { return s.Phase == corev1.PodSucceeded })
	log, err := os.ReadFile(filepath.Join(k.dir, "pods", "ns_pod-1", "c-0.log"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "HTTP/1.0 200 OK\n"; string(log) != want {
		t.Errorf("the container says %q, want %q", log, want)
	}
}

func TestLivenessRestarts(t *testing.T) {
	_, fake, _ := startPod(t, runs("stubborn"), func(p *corev1.Pod) {
		p.Spec.TerminationGracePeriodSeconds = ptr.To[int64](1)
		p.Spec.Containers[0].LivenessProbe = &corev1.Probe{
			ProbeHandler:  corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromInt32(1)}},
			PeriodSeconds: 1, FailureThreshold: 2,
		}
	})
	status := fake.await(t, "restarted", func(s corev1.PodStatus) bool {
		return isRunning(s) && s.ContainerStatuses[0].RestartCount == 1
	})
	if got := status.ContainerStatuses[0].LastTerminationState.Terminated.ExitCode; got != 137 {
		t.Errorf("the unhealthy container ended with %d, want killed after its grace period", got)
	}
}

func TestStartupProbeComesFirst(t *testing.T) {
	_, fake, _ := startPod(t, runs("serve"), probed, func(p *corev1.Pod) {
		c := &p.Spec.Containers[0]
		c.StartupProbe = c.ReadinessProbe.DeepCopy()
		c.StartupProbe.FailureThreshold = 10
		c.ReadinessProbe = nil
	})
	early := fake.await(t, "running", isRunning)
	if isReady(early) || *early.ContainerStatuses[0].Started {
		t.Errorf("before its startup probe succeeded the container is %+v", early.ContainerStatuses[0])
	}
	late := fake.await(t, "ready", isReady)
	if !*late.ContainerStatuses[0].Started {
		t.Errorf("after its startup probe succeeded the container is %+v", late.ContainerStatuses[0])
	}
}

func TestPodWaitsForItsVolumes(t *testing.T) {
	k, fake, object := startPod(t, runs("serve"), func(p *corev1.Pod) {
		withVolume(corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "late"}})(p)
		p.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "v", MountPath: "/v"}}
	})
	fake.await(t, "pending", func(s corev1.PodStatus) bool { return s.Phase == corev1.PodPending })
	late := secret("late", nil)
	fake.add(late)
	fake.await(t, "running", isRunning)
	awaitHello(t, k)
	fake.remove(late)
	k.sync(deleted(object, 30))
	fake.awaitDeletion(t)
}

func TestNewestPodOfAName(t *testing.T) {
	k, _ := newTestKubelet(t)
	for i, uid := range []string{"old", "new"} {
		p := newPod(k, testPod(), firstPodIP)
		p.ip = p.ip.Next()
		if i == 1 {
			p.ip = p.ip.Next()
		}
		p.uid = types.UID(uid)
		k.pods[p.uid] = p
	}
	if got := k.find(testNamespace, "pod-1"); got == nil || got.uid != "new" {
		t.Errorf("found %+v, want the newest", got)
	}
	if got := k.find("other", "pod-1"); got != nil {
		t.Errorf("found %+v in another namespace", got)
	}
}
