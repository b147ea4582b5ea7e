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
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
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

// awaitHello waits until the container can handle signals: process 1 of a namespace loses those that come before.
func awaitHello(t *testing.T, k *kubelet) {
	t.Helper()
	read(t, k, api.ContainerLogOpts{Follow: true, LimitBytes: len("hello\n")})
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
