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

package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	supervised = "SANDBOX_TEST_SUPERVISED"
	helper     = "SANDBOX_TEST_HELPER"
)

// view is what the helper, which runs in a container, sees.
type view struct {
	Hostname, WorkingDir, HostProc string
	PID                            int
	Args                           []string
	Addresses                      []string
	Volume, Root                   string
	WriteErr                       string
}

// TestMain runs the tests below a supervisor, as a cluster runs its node, so that they need no root either.
func TestMain(m *testing.M) {
	switch {
	case os.Getenv(helper) != "":
		helpers[os.Getenv(helper)]()
		os.Exit(0)
	case os.Getenv(supervised) != "":
		os.Exit(m.Run())
	}
	_ = os.Setenv(supervised, "yes")
	cmd, err := Supervise(os.Args[1:]...)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	if cmd.Wait() != nil {
		os.Exit(1)
	}
}

var helpers = map[string]func(){
	"look": func() {
		var v view
		v.Hostname, _ = os.Hostname()
		v.WorkingDir, _ = os.Getwd()
		v.PID = os.Getpid()
		v.Args = os.Args[1:]
		addresses, _ := net.InterfaceAddrs()
		for _, a := range addresses {
			v.Addresses = append(v.Addresses, a.String())
		}
		volume, _ := os.ReadFile("/var/run/secrets/token")
		v.Volume = string(volume)
		entries, _ := os.ReadDir("/")
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		v.Root = strings.Join(names, " ")
		if err := os.WriteFile("/var/run/secrets/other", nil, 0o600); err != nil {
			v.WriteErr = errors.Unwrap(err).Error()
		}
		_ = json.NewEncoder(os.Stdout).Encode(v)
	},
	"listen": func() {
		l, err := net.Listen("tcp", ":8080")
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("listening")
		conn, _ := l.Accept()
		_, _ = io.WriteString(conn, "hello")
		_ = conn.Close()
	},
	"sleep": func() {
		fmt.Println("sleeping")
		select {}
	},
}

func testContainer(t *testing.T, what string) Container {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "volume"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "volume", "token"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "root"), 0o755); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Container{
		Hostname:   "pod-1",
		Args:       []string{"helper", "a b", ""},
		Env:        []string{"PATH=/ko-app", helper + "=" + what},
		WorkingDir: "/work",
		Mounts: []Mount{
			{Source: filepath.Join(dir, "volume"), Target: "/var/run/secrets", ReadOnly: true},
			{Source: self, Target: "/ko-app/helper", ReadOnly: true},
		},
		ReadOnly: true,
		RootDir:  filepath.Join(dir, "root"),
		PIDFile:  filepath.Join(dir, "pid"),
	}
}

func testNetwork(t *testing.T) *Network {
	t.Helper()
	n, err := NewNetwork(netip.MustParseAddr("10.244.0.7"), netip.MustParseAddr("10.96.0.1"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close() })
	return n
}

// start starts the container and returns a reader of its output.
func start(t *testing.T, c Container, n *Network) (*exec.Cmd, *os.File) {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	cmd, err := Start(c, n, writer)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, reader
}

func TestContainerSeesItsOwnWorld(t *testing.T) {
	cmd, output := start(t, testContainer(t, "look"), testNetwork(t))
	var got view
	if err := json.NewDecoder(output).Decode(&got); err != nil {
		t.Fatal(err)
	}
	want := view{
		Hostname:   "pod-1",
		WorkingDir: "/work",
		PID:        1,
		Args:       []string{"a b", ""},
		Addresses:  []string{"127.0.0.1/8", "10.244.0.7/32", "10.96.0.1/32"},
		Volume:     "secret",
		Root:       "dev etc ko-app proc root run tmp var work",
		WriteErr:   syscall.EROFS.Error(),
	}
	if diff := cmp.Diff(want, got, cmp.Transformer("v4", v4Only)); diff != "" {
		t.Errorf("unexpected view (-want, +got): %s", diff)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// v4Only leaves out what depends on whether the kernel has IPv6.
func v4Only(v view) map[string]any {
	var v4 []string
	for _, a := range v.Addresses {
		if !strings.Contains(a, ":") {
			v4 = append(v4, a)
		}
	}
	return map[string]any{
		"host": v.Hostname, "dir": v.WorkingDir, "pid": v.PID, "args": v.Args, "addresses": v4,
		"volume": v.Volume, "root": v.Root, "write": v.WriteErr,
	}
}

func TestNetworksAreApart(t *testing.T) {
	for range 2 { // the same fixed port twice
		n := testNetwork(t)
		_, output := start(t, testContainer(t, "listen"), n)
		buffer := make([]byte, len("listening\n"))
		if _, err := io.ReadFull(output, buffer); err != nil {
			t.Fatal(err)
		}
		conn, err := n.DialContext(t.Context(), "tcp", "10.244.0.7:8080")
		if err != nil {
			t.Fatal(err)
		}
		got, _ := io.ReadAll(conn)
		if string(got) != "hello" {
			t.Errorf("got %q from the container, want hello", got)
		}
	}
}

func TestListenInside(t *testing.T) {
	n := testNetwork(t)
	listener, err := n.Listen("10.96.0.1:443")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if conn, err := testNetwork(t).DialContext(t.Context(), "tcp", "10.96.0.1:443"); err == nil {
		conn.Close()
		t.Error("the listener can be reached from another network")
	}
	conn, err := n.DialContext(t.Context(), "tcp", "10.96.0.1:443")
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
}

func TestPIDFileIsTheHosts(t *testing.T) {
	c := testContainer(t, "sleep")
	cmd, output := start(t, c, testNetwork(t))
	buffer := make([]byte, len("sleeping\n"))
	if _, err := io.ReadFull(output, buffer); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(c.PIDFile)
	if err != nil {
		t.Fatal(err)
	}
	// /proc is the host's here, but the process ids of this test's own namespace differ: compare by the name.
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	cmdline, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		t.Fatal(err)
	}
	if want := "helper\x00a b\x00\x00"; string(cmdline) != want {
		t.Errorf("process %d is %q, want %q", pid, cmdline, want)
	}
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Errorf("the container ended with %v, want killed", err)
	}
}

func TestUnknownProgram(t *testing.T) {
	c := testContainer(t, "look")
	c.Args = []string{"nothing"}
	cmd, output := start(t, c, testNetwork(t))
	text, _ := io.ReadAll(output)
	if want := "executable file not found"; !strings.Contains(string(text), want) {
		t.Errorf("got output %q, want it to contain %q", text, want)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitCannotExecute {
		t.Errorf("the container ended with %v, want status %d", err, exitCannotExecute)
	}
}
