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
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/virtual-kubelet/virtual-kubelet/node/api"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/test/cluster/sandbox"
)

const supervised = "NODE_TEST_SUPERVISED"

// TestMain runs the tests below a supervisor, where containers may be started. This executable is also their image.
func TestMain(m *testing.M) {
	switch {
	case os.Args[0] == "/ko-app/image":
		programs[os.Args[1]]()
		os.Exit(0)
	case os.Getenv(supervised) != "":
		os.Exit(m.Run())
	}
	_ = os.Setenv(supervised, "yes")
	cmd, err := sandbox.Supervise(os.Args[1:]...)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	if cmd.Wait() != nil {
		os.Exit(1)
	}
}

// programs are what the containers of the tests run.
var programs = map[string]func(){
	"serve": func() { // ready after a second, says good-bye
		stop := make(chan os.Signal, 1)
		signal.Notify(stop, syscall.SIGTERM)
		begun := time.Now()
		go func() {
			_ = http.ListenAndServe(":8080", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if time.Since(begun) < time.Second {
					w.WriteHeader(http.StatusServiceUnavailable)
				}
			}))
		}()
		fmt.Println("hello")
		<-stop
		time.Sleep(500 * time.Millisecond)
		fmt.Println("good-bye")
	},
	"stubborn": func() {
		signal.Ignore(syscall.SIGTERM)
		fmt.Println("hello")
		select {}
	},
	"fail": func() {
		_ = os.WriteFile("/dev/termination-log", []byte("no luck"), 0o600)
		os.Exit(3)
	},
	"succeed": func() { fmt.Println("done") },
	"ask": func() { // reaches the fake API server under the service address
		conn, err := net.Dial("tcp", net.JoinHostPort("10.96.0.1", "443"))
		if err != nil {
			fmt.Println(err)
			return
		}
		_, _ = io.WriteString(conn, "GET /api/v1/services HTTP/1.0\r\n\r\n")
		answer, _ := io.ReadAll(conn)
		status, _, _ := strings.Cut(string(answer), "\r\n")
		fmt.Println(status)
	},
}

func runs(program string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Containers[0].Image = "ko://image"
		p.Spec.Containers[0].Args = []string{program}
	}
}

// startPod lets a kubelet run a pod.
func startPod(t *testing.T, change ...func(*corev1.Pod)) (*kubelet, *fakeAPI, *corev1.Pod) {
	t.Helper()
	object := testPod(change...)
	k, fake := newTestKubelet(t, object.DeepCopy())
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	k.images["ko://image"] = self
	k.sync(object)
	t.Cleanup(func() { // leave no process to the other tests
		if p := k.find(object.Namespace, object.Name); p != nil {
			p.terminate(0)
		}
		for !fake.isEmpty() {
			time.Sleep(10 * time.Millisecond)
		}
	})
	return k, fake, object
}

// deleted is the object as the API server shows it during its deletion.
func deleted(object *corev1.Pod, grace int64) *corev1.Pod {
	object = object.DeepCopy()
	object.DeletionTimestamp = ptr.To(metav1.Now())
	object.DeletionGracePeriodSeconds = &grace
	return object
}

// await waits for a published status that has a property.
func (f *fakeAPI) await(t *testing.T, what string, is func(corev1.PodStatus) bool) corev1.PodStatus {
	t.Helper()
	timeout := time.After(20 * time.Second)
	var last corev1.PodStatus
	for {
		select {
		case last = <-f.statuses:
			if is(last) {
				return last
			}
		case <-timeout:
			t.Fatalf("the pod did not become %s, it is %+v", what, last)
		}
	}
}

func (f *fakeAPI) awaitDeletion(t *testing.T) {
	t.Helper()
	select {
	case got := <-f.deletions:
		want := metav1.DeleteOptions{GracePeriodSeconds: ptr.To[int64](0), Preconditions: metav1.NewUIDPreconditions("uid-1")}
		if diff := cmp.Diff(want, got, cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "TypeMeta" }, cmp.Ignore())); diff != "" {
			t.Errorf("unexpected options of the deletion (-want, +got): %s", diff)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the pod's object was not deleted")
	}
}

func (f *fakeAPI) isEmpty() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.objects) == 0
}

func isReady(s corev1.PodStatus) bool {
	for _, c := range s.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

func isRunning(s corev1.PodStatus) bool { return s.Phase == corev1.PodRunning }

func probed(p *corev1.Pod) {
	p.Spec.Containers[0].Ports = []corev1.ContainerPort{{Name: "web", ContainerPort: 8080}}
	p.Spec.Containers[0].ReadinessProbe = &corev1.Probe{
		ProbeHandler:  corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/", Port: intstr.FromString("web")}},
		PeriodSeconds: 1,
	}
}

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

func TestGracePeriod(t *testing.T) {
	k, fake, object := startPod(t, runs("stubborn"))
	fake.await(t, "running", isRunning)
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

func TestRestartInPlace(t *testing.T) {
	k, fake, _ := startPod(t, runs("stubborn"))
	first := fake.await(t, "running", isRunning)
	read(t, k, api.ContainerLogOpts{Follow: true, LimitBytes: len("hello\n")}) // it really runs
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

func read(t *testing.T, k *kubelet, opts api.ContainerLogOpts) string {
	t.Helper()
	stream, err := k.logs(t.Context(), testNamespace, "pod-1", "c", opts)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	log, err := io.ReadAll(stream)
	if err != nil {
		t.Fatal(err)
	}
	return string(log)
}

// ownPID translates a process id of the host, which the file tells, into one of this test's own process namespace.
func ownPID(t *testing.T, file string) int {
	t.Helper()
	pid, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	status, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); fields[0] == "NSpid:" { // from the outermost to its own, which is 1
			own, err := strconv.Atoi(fields[len(fields)-2])
			if err != nil {
				t.Fatal(err)
			}
			return own
		}
	}
	t.Fatal("the process has no id in this namespace")
	return 0
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

func TestPodThatIsDone(t *testing.T) {
	never := func(p *corev1.Pod) { p.Spec.RestartPolicy = corev1.RestartPolicyNever }
	for program, want := range map[string]corev1.PodPhase{"succeed": corev1.PodSucceeded, "fail": corev1.PodFailed} {
		t.Run(program, func(t *testing.T) {
			k, fake, object := startPod(t, runs(program), never)
			fake.await(t, "done", func(s corev1.PodStatus) bool { return s.Phase == want })
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
