//go:build cluster

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

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets this executable be the cluster that it tests, and the image of its pods.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-test.") {
		main()
	}
	os.Exit(m.Run())
}

// cluster is one that runs.
type cluster struct {
	dir     string
	process *exec.Cmd
	stdin   io.Closer
}

func startCluster(t *testing.T) *cluster {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{dir: filepath.Join(t.TempDir(), "c")}
	c.process = exec.Command(self, "up", "--dir", c.dir, "--image", "ko://cluster="+self, "--until-stdin-closes")
	c.process.Stderr = os.Stderr
	if c.stdin, err = c.process.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := c.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.process.Process.Kill() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if want := "READY kubeconfig=" + c.dir + "/kubeconfig\n"; line != want {
		t.Fatalf("the cluster says %q (%v), want %q", line, err, want)
	}
	return c
}

// kubectl runs a command of the embedded kubectl and returns its output, of both kinds.
func (c *cluster) kubectl(t *testing.T, stdin string, args ...string) (string, error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, append([]string{"kubectl", "--kubeconfig", c.dir + "/kubeconfig"}, args...)...)
	cmd.Stdin = strings.NewReader(stdin)
	output, err := cmd.CombinedOutput()
	return string(output), err
}

func (c *cluster) mustKubectl(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	output, err := c.kubectl(t, stdin, args...)
	if err != nil {
		t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, output)
	}
	return output
}

// processes are those that have the cluster's directory in their arguments.
func (c *cluster) processes(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, path := range paths {
		text, err := os.ReadFile(path)
		line := string(bytes.ReplaceAll(text, []byte{0}, []byte{' '}))
		if err == nil && strings.Contains(line, c.dir) {
			found = append(found, line)
		}
	}
	return found
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it did not happen that %s", what)
		}
	}
}

// manifest gives its containers the cluster's directory, so that they are known by it.
const manifest = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: watcher}
spec:
  replicas: 2
  selector: {matchLabels: {app: watcher}}
  template:
    metadata: {labels: {app: watcher}}
    spec:
      serviceAccountName: reader
      containers:
      - {name: c, image: "ko://cluster", args: [kubectl, get, pods, --watch, "--cache-dir=%s"]}
`

func TestCluster(t *testing.T) {
	c, other := startCluster(t), startCluster(t)
	c.mustKubectl(t, "", "create", "serviceaccount", "reader")
	c.mustKubectl(t, fmt.Sprintf(manifest, c.dir), "apply", "-f", "-")
	c.mustKubectl(t, "", "rollout", "status", "deployment/watcher", "--timeout=1m")

	eventually(t, "a pod without rights was refused by name", func() bool {
		log, _ := c.kubectl(t, "", "logs", "deployment/watcher")
		return strings.Contains(log, `User "system:serviceaccount:default:reader" cannot list resource "pods"`)
	})
	c.mustKubectl(t, "", "create", "rolebinding", "reader", "--clusterrole=view", "--serviceaccount=default:reader")
	c.mustKubectl(t, "", "rollout", "restart", "deployment/watcher")
	c.mustKubectl(t, "", "rollout", "status", "deployment/watcher", "--timeout=1m")
	c.mustKubectl(t, "", "scale", "deployment/watcher", "--replicas=1")
	eventually(t, "one pod is left", func() bool {
		return strings.Count(c.mustKubectl(t, "", "get", "pods", "--output=name"), "\n") == 1
	})
	name := strings.TrimSpace(strings.TrimPrefix(c.mustKubectl(t, "", "get", "pods", "--output=name"), "pod/"))
	eventually(t, "a pod with rights sees itself", func() bool { return strings.Contains(c.mustKubectl(t, "", "logs", name), name) })

	t.Run("killed container", func(t *testing.T) { killContainer(t, c, name) })
	t.Run("audit", func(t *testing.T) { checkAudit(t, c, name) })
	if list := other.mustKubectl(t, "", "get", "pods"); !strings.Contains(list, "No resources found") {
		t.Errorf("the other cluster has pods too: %s", list)
	}
	t.Run("end of input", func(t *testing.T) {
		_ = other.stdin.Close()
		if err := other.process.Wait(); err != nil {
			t.Errorf("the cluster ended with %v", err)
		}
	})
	t.Run("killed cluster", func(t *testing.T) {
		if got := len(c.processes(t)); got < 8 {
			t.Fatalf("only %d processes are found", got)
		}
		if err := c.process.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = c.process.Wait()
		eventually(t, "no process is left", func() bool { return len(c.processes(t)) == 0 })
	})
}

func killContainer(t *testing.T, c *cluster, name string) {
	var pid int
	text, err := os.ReadFile(filepath.Join(c.dir, "pods", "default_"+name, "c.pid"))
	if _, scanErr := fmt.Sscan(string(text), &pid); err != nil || scanErr != nil {
		t.Fatalf("cannot read the process id: %v, %v", err, scanErr)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	status := []string{"get", "pod", name, "--output=jsonpath={.status.containerStatuses[0].restartCount} " +
		"{.status.containerStatuses[0].lastState.terminated.exitCode} {.status.containerStatuses[0].state.running.startedAt}"}
	eventually(t, "the container runs again", func() bool {
		return strings.HasPrefix(c.mustKubectl(t, "", status...), "1 137 20")
	})
}

// checkAudit wants each write once, with its author, and no read.
func checkAudit(t *testing.T, c *cluster, name string) {
	text, err := os.ReadFile(filepath.Join(c.dir, "log", "audit.log"))
	if err != nil {
		t.Fatal(err)
	}
	verbs, bindings := map[string]int{}, 0
	for line := range strings.Lines(string(text)) {
		var event struct {
			Verb, Stage string
			User        struct{ Username string }
			ObjectRef   struct{ Name, Subresource string }
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil || event.Stage != "ResponseComplete" {
			t.Fatalf("the line %q is no answered request: %v", line, err)
		}
		verbs[event.Verb]++
		if event.ObjectRef.Name == name && event.ObjectRef.Subresource == "binding" && event.User.Username == "system:kube-scheduler" {
			bindings++
		}
	}
	if bindings != 1 {
		t.Errorf("the pod was bound %d times by the scheduler", bindings)
	}
	for _, read := range []string{"get", "list", "watch"} {
		if verbs[read] > 0 {
			t.Errorf("%d requests to %s were recorded", verbs[read], read)
		}
	}
}
