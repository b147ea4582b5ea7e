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
	"os"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
)

func TestGracePeriod(t *testing.T) {
	k, fake, object := startPod(t, runs("stubborn"))
	fake.await(t, "running", isRunning)
	awaitHello(t, k)
	begun := time.Now()
	k.sync(deleted(object, 2))
	last := fake.await(t, "ended", func(s corev1.PodStatus) bool { return s.Phase == corev1.PodFailed })
	if took := time.Since(begun); took < 2*time.Second || took > 10*time.Second {
		t.Errorf("the pod ended after %s, want its grace period of 2 s", took)
	}
	if got := last.ContainerStatuses[0].State.Terminated.ExitCode; got != 137 {
		t.Errorf("the exit code is %d, want 137", got)
	}
	fake.awaitDeletion(t)
}

func TestDeletionBeforeTheStart(t *testing.T) {
	k, fake, object := startPod(t, withVolume(corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "never"}}))
	fake.await(t, "pending", func(s corev1.PodStatus) bool { return s.Phase == corev1.PodPending })
	k.sync(deleted(object, 30))
	fake.awaitDeletion(t)
}

func TestDeletionDuringTheBackOff(t *testing.T) {
	k, fake, object := startPod(t, runs("fail"))
	fake.await(t, "crash-looping", func(s corev1.PodStatus) bool {
		w := s.ContainerStatuses[0].State.Waiting
		return w != nil && w.Reason == "CrashLoopBackOff"
	})
	begun := time.Now()
	k.sync(deleted(object, 30))
	last := fake.await(t, "failed", func(s corev1.PodStatus) bool { return s.Phase == corev1.PodFailed })
	if end := last.ContainerStatuses[0].State.Terminated; end == nil || end.ExitCode != 3 {
		t.Errorf("the last status is %+v, want the last end", last.ContainerStatuses[0])
	}
	fake.awaitDeletion(t)
	if took := time.Since(begun); took > firstBackOff/2 {
		t.Errorf("it took %s although nothing ran", took)
	}
}

func TestGracePeriodOfAPod(t *testing.T) {
	cases := map[string]struct {
		own, asked *int64
		want       time.Duration
	}{
		"nothing is said":        {nil, nil, 30 * time.Second},
		"the pod's own":          {ptr.To[int64](5), nil, 5 * time.Second},
		"the deletion's":         {ptr.To[int64](5), ptr.To[int64](7), 7 * time.Second},
		"a second at the least":  {ptr.To[int64](5), ptr.To[int64](0), time.Second},
		"zero of the pod's own":  {ptr.To[int64](0), nil, time.Second},
		"the deletion's, no own": {nil, ptr.To[int64](2), 2 * time.Second},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			object := testPod(func(p *corev1.Pod) {
				p.Spec.TerminationGracePeriodSeconds, p.DeletionGracePeriodSeconds = tc.own, tc.asked
			})
			if got := gracePeriod(object); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func TestPodThatIsDone(t *testing.T) {
	never := func(p *corev1.Pod) { p.Spec.RestartPolicy = corev1.RestartPolicyNever }
	for program, want := range map[string]corev1.PodPhase{"succeed": corev1.PodSucceeded, "fail": corev1.PodFailed} {
		t.Run(program, func(t *testing.T) {
			k, fake, object := startPod(t, runs(program), never)
			fake.await(t, "done", func(s corev1.PodStatus) bool { return s.Phase == want })
			awaitNoVolumes(t, k)
			select {
			case <-fake.deletions:
				t.Error("the object was deleted although nobody asked for that")
			case <-time.After(200 * time.Millisecond):
			}
			k.sync(deleted(object, 30))
			fake.awaitDeletion(t)
		})
	}
}

// awaitNoVolumes waits until nothing of any pod's volumes is left.
func awaitNoVolumes(t *testing.T, k *kubelet) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		left, err := os.ReadDir(k.volumesDir())
		if err != nil {
			t.Fatal(err)
		}
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("volumes are left: %v", left)
		}
	}
}
