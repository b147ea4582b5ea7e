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
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fakeCluster puts a script in the place of the cluster's binary.
func fakeCluster(t *testing.T, script string) (bin, dir string) {
	t.Helper()
	bin, dir = t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "cluster"), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal("failed to write the script:", err)
	}
	return bin, dir
}

func TestStartCluster(t *testing.T) {
	// It prints its arguments to its log, and ends as its stdin closes.
	bin, dir := fakeCluster(t, `echo "$@" >&2; echo READY kubeconfig=$3/kubeconfig; cat; echo bye >&2`)
	c, err := startCluster(t.Context(), bin, dir, false)
	if err != nil {
		t.Fatal("startCluster() =", err)
	}
	if want := filepath.Join(dir, "kubeconfig"); c.kubeconfig != want {
		t.Errorf("kubeconfig = %q, want %q", c.kubeconfig, want)
	}
	c.stop()
	log := tail(c.log)
	for _, want := range []string{
		"up --dir " + dir, "--until-stdin-closes",
		"--image ko://github.com/tektoncd/leases-controller/cmd/leases-controller=" + filepath.Join(bin, "leases-controller"),
		"--image ko://github.com/tektoncd/pipeline/cmd/controller=" + filepath.Join(bin, "tekton-pipelines-controller"),
	} {
		if !strings.Contains(log, want) {
			t.Errorf("the cluster was run with %q, want %q in it", log, want)
		}
	}
}

func TestStartClusterToKeep(t *testing.T) {
	bin, dir := fakeCluster(t, `echo "$@" >&2; echo READY kubeconfig=k; exec sleep 60`)
	c, err := startCluster(t.Context(), bin, dir, true)
	if err != nil {
		t.Fatal("startCluster() =", err)
	}
	if log := tail(c.log); strings.Contains(log, "--until-stdin-closes") {
		t.Errorf("the cluster was run with %q: it would not outlive us", log)
	}
	before := time.Now()
	c.stop()
	if took := time.Since(before); took > 10*time.Second {
		t.Errorf("stop() took %s", took)
	}
}

func TestStartClusterFails(t *testing.T) {
	bin, dir := fakeCluster(t, `echo one >&2; echo user namespaces are forbidden >&2; exit 3`)
	_, err := startCluster(t.Context(), bin, dir, false)
	if want := "failed to start the cluster:\none\nuser namespaces are forbidden"; err == nil || err.Error() != want {
		t.Errorf("startCluster() = %v, want %q", err, want)
	}
}

func TestStartClusterWithoutBinary(t *testing.T) {
	if _, err := startCluster(t.Context(), t.TempDir(), t.TempDir(), false); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("startCluster() = %v, want %v", err, os.ErrNotExist)
	}
}

func TestStartClusterInterrupted(t *testing.T) {
	bin, dir := fakeCluster(t, `exec sleep 60`)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	cancel()
	before := time.Now()
	if _, err := startCluster(ctx, bin, dir, true); !errors.Is(err, context.Canceled) {
		t.Errorf("startCluster() = %v, want %v", err, context.Canceled)
	}
	if took := time.Since(before); took > 10*time.Second {
		t.Errorf("startCluster() took %s", took)
	}
}

func TestTail(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(name, []byte(strings.Repeat("old\n", 20)+strings.Repeat("new\n", 15)), 0o600); err != nil {
		t.Fatal("failed to write the log:", err)
	}
	if got, want := tail(name), strings.TrimSpace(strings.Repeat("new\n", 15)); got != want {
		t.Errorf("tail() = %q, want %q", got, want)
	}
	if got := tail(name + ".missing"); !strings.Contains(got, "no such file") {
		t.Errorf("tail() = %q, want the error", got)
	}
}
