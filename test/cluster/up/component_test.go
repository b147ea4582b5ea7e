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

package up

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// TestMain lets this executable be the components that a supervisor starts.
func TestMain(m *testing.M) {
	if err := WritePID(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	switch {
	case len(os.Args) == 3 && os.Args[1] == "runs":
		stop := make(chan os.Signal, 1)
		signal.Notify(stop, syscall.SIGTERM)
		_ = os.WriteFile(os.Args[2]+".up", nil, 0o600)
		<-stop
		appendTo(filepath.Join(filepath.Dir(os.Args[2]), "stopped"), filepath.Base(os.Args[2]))
	case len(os.Args) == 3 && os.Args[1] == "fails":
		fmt.Println("something is wrong")
		os.Exit(3)
	default:
		os.Exit(m.Run())
	}
}

func appendTo(path, text string) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, _ = fmt.Fprintln(file, text)
		file.Close()
	}
}

func testSupervisor(t *testing.T) (*supervisor, context.Context) {
	t.Helper()
	dir := t.TempDir()
	if err := makeDirs(dir); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	return &supervisor{dir: dir, fail: cancel}, ctx
}

func TestStopInReverse(t *testing.T) {
	s, ctx := testSupervisor(t)
	for _, name := range []string{"first", "second", "third"} {
		path := filepath.Join(s.dir, name)
		if err := s.launch(ctx, invocation{"runs", []string{path}}); err != nil {
			t.Fatal(err)
		}
		for _, err := os.Stat(path + ".up"); err != nil; _, err = os.Stat(path + ".up") {
			time.Sleep(time.Millisecond)
		}
	}
	if pid, want := readFile(t, s.dir, "control-plane", "runs.pid"), fmt.Sprintln(s.running[2].process().Pid); pid != want {
		t.Errorf("the process id is told as %q, want %q", pid, want)
	}
	s.stop()
	if got, want := readFile(t, s.dir, "stopped"), "third\nsecond\nfirst\n"; got != want {
		t.Errorf("stopped in the order %q, want %q", got, want)
	}
}

func readFile(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestComponentThatEndsIsTheCause(t *testing.T) {
	s, ctx := testSupervisor(t)
	if err := s.launch(ctx, invocation{"fails", []string{"x"}}); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
	err := context.Cause(ctx)
	for _, want := range []string{"fails ended", "exit status 3", "log/fails.log"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the cluster ends because of %q, want %q in it", err, want)
		}
	}
	if log, want := readFile(t, s.dir, "log", "fails.log"), "something is wrong\n"; log != want {
		t.Errorf("the log is %q, want %q", log, want)
	}
	s.stop()
}

// TestComponentIsStartedAgain: one that somebody asked for, and that is killed, runs again under another process id, and
// ends with the cluster.
func TestComponentIsStartedAgain(t *testing.T) {
	s, ctx := testSupervisor(t)
	restart := filepath.Join(s.dir, "control-plane", "runs.restart")
	if err := os.WriteFile(restart, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.dir, "again")
	if err := s.launch(ctx, invocation{"runs", []string{path}}); err != nil {
		t.Fatal(err)
	}
	up := func() {
		for err := os.Remove(path + ".up"); err != nil; err = os.Remove(path + ".up") {
			time.Sleep(time.Millisecond)
		}
	}
	up()
	first := s.running[0].process()
	if err := first.Kill(); err != nil {
		t.Fatal(err)
	}
	up()
	if again := s.running[0].process(); again.Pid == first.Pid {
		t.Error("the process is the one that was killed")
	}
	if err := context.Cause(ctx); err != nil {
		t.Errorf("the cluster ends because of %q, want it to go on", err)
	}
	s.stop()
	if got, want := readFile(t, s.dir, "stopped"), "again\n"; got != want {
		t.Errorf("stopped %q, want %q", got, want)
	}
}

func TestUntil(t *testing.T) {
	early, late := errors.New("early"), errors.New("late")
	after := func(d time.Duration) func(context.Context) error {
		begun := time.Now()
		return func(context.Context) error {
			if time.Since(begun) < d {
				return late
			}
			return nil
		}
	}
	cases := map[string]struct {
		needs, fails time.Duration // zero: never fails
		want         error
		took         time.Duration // at the most
	}{
		"at once":                   {want: nil, took: 0},
		"in time":                   {needs: time.Minute, want: nil, took: time.Minute + time.Second},
		"too late":                  {needs: time.Hour, want: late, took: startTimeout},
		"a component failed before": {needs: time.Minute, fails: time.Second, want: early, took: time.Second},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				if tc.fails > 0 {
					time.AfterFunc(tc.fails, func() { cancel(early) })
				}
				begun := time.Now()
				if err := until(ctx, after(tc.needs)); !errors.Is(err, tc.want) {
					t.Errorf("got error %v, want %v", err, tc.want)
				}
				if took := time.Since(begun); took > tc.took {
					t.Errorf("it took %s, want %s at the most", took, tc.took)
				}
			})
		})
	}
}
