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
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestRunNeedsTheBuild(t *testing.T) {
	t.Setenv("CACHE", t.TempDir())
	err := run(t.Context(), options{})
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "run hack/demo.sh") {
		t.Errorf("run() = %v, want that nothing has been built", err)
	}
}

// A cluster that does not start leaves its logs, and says where.
func TestRunWithoutACluster(t *testing.T) {
	cache, temp := t.TempDir(), t.TempDir()
	t.Setenv("CACHE", cache)
	t.Setenv("TMPDIR", temp)
	if err := os.WriteFile(filepath.Join(cache, "tekton-config"), []byte("config\n"), 0o600); err != nil {
		t.Fatal("failed to write a file:", err)
	}
	bin, _ := fakeCluster(t, `echo no luck >&2; exit 1`)
	if err := os.Rename(bin, filepath.Join(cache, "bin")); err != nil {
		t.Fatal("failed to move the binaries:", err)
	}
	err := run(t.Context(), options{})
	if err == nil || !strings.Contains(err.Error(), "no luck") || !strings.Contains(err.Error(), "logs are in "+temp) {
		t.Errorf("run() = %v, want why, and where the logs are", err)
	}
}

func TestPlayOnAWrongKubeconfig(t *testing.T) {
	_, err := newStory(t).playOn(t.Context(), filepath.Join(t.TempDir(), "missing"))
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("playOn() = %v, want %v", err, os.ErrNotExist)
	}
}

func TestHowToUse(t *testing.T) {
	c := &cluster{kubeconfig: "/tmp/dir/kubeconfig", cmd: &exec.Cmd{Process: &os.Process{Pid: 4711}}}
	got := howToUse(c, "/cache/bin/cluster")
	for _, want := range []string{
		"export KUBECONFIG=/tmp/dir/kubeconfig\n", "/cache/bin/cluster kubectl -n tekton-pipelines get pods\n",
		"logs -f deployment/tekton-leases-controller\n", "scale deployment/tekton-pipelines-controller --replicas=3\n",
		`sed 's|.*"9090":"\([^"]*\)".*|http://\1/metrics|' /tmp/dir/pods/*_tekton-leases-controller-*/ports.json | xargs -n1 curl -s | grep ^tekton_` + "\n",
		"kill 4711 && rm -r /tmp/dir\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("howToUse() = %q, want %q in it", got, want)
		}
	}
}
