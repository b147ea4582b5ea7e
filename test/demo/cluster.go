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
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// The images that pods can have, and the binaries that hack/cluster.sh builds
// for them: the two controllers, and for who keeps the cluster and tries a
// PipelineRun, what runs a step and a step for it.
var images = map[string]string{
	"ko://github.com/tektoncd/pipeline/cmd/controller":                 "tekton-pipelines-controller",
	"ko://github.com/tektoncd/pipeline/cmd/entrypoint":                 "tekton-entrypoint",
	"ko://github.com/tektoncd/pipeline/cmd/nop":                        "tekton-nop",
	"ko://github.com/tektoncd/leases-controller/cmd/leases-controller": "leases-controller",
}

const (
	startTimeout = 4 * time.Minute
	stopTimeout  = 30 * time.Second
	readyPrefix  = "READY kubeconfig="
)

// cluster is the process in which the whole cluster runs.
type cluster struct {
	cmd        *exec.Cmd
	stdin      io.Closer
	log        string
	kubeconfig string
	ended      chan struct{}
}

// startCluster runs the cluster in dir and returns when it serves. Its
// process is in a group of its own: Ctrl-C reaches only us, and we stop it.
// Unless it is to be kept, it ends with us, whatever ends us.
func startCluster(ctx context.Context, bin, dir string, keep bool) (*cluster, error) {
	c := &cluster{log: filepath.Join(dir, "cluster.log"), ended: make(chan struct{})}
	args := []string{"up", "--dir", dir}
	for image, binary := range images {
		args = append(args, "--image", image+"="+filepath.Join(bin, binary))
	}
	if !keep {
		args = append(args, "--until-stdin-closes")
	}
	//nolint:gosec // it is what hack/cluster.sh has built
	c.cmd = exec.Command(filepath.Join(bin, "cluster"), args...)
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	log, err := os.Create(c.log)
	if err != nil {
		return nil, fmt.Errorf("failed to make the cluster's log: %w", err)
	}
	defer log.Close()
	c.cmd.Stderr = log
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("failed to connect to the cluster: %w", err)
	}
	if !keep {
		if c.stdin, err = c.cmd.StdinPipe(); err != nil {
			return nil, fmt.Errorf("failed to connect to the cluster: %w", err)
		}
	}
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("failed to start the cluster: %w", err)
	}
	return c, c.waitReady(ctx, stdout)
}

// waitReady waits for the line that tells where the kubeconfig is. On any
// failure it stops the process.
func (c *cluster) waitReady(ctx context.Context, stdout io.Reader) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	ready := make(chan string, 1)
	go func() {
		defer close(c.ended)
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			if path, ok := strings.CutPrefix(lines.Text(), readyPrefix); ok {
				ready <- path
			}
		}
		// Its exit status says nothing that its log does not say better.
		_ = c.cmd.Wait()
	}()
	select {
	case c.kubeconfig = <-ready:
		return nil
	case <-c.ended:
		return fmt.Errorf("failed to start the cluster:\n%s", tail(c.log))
	case <-ctx.Done():
		c.stop()
		if errors.Is(ctx.Err(), context.Canceled) {
			return ctx.Err()
		}
		return fmt.Errorf("failed to start the cluster within %s:\n%s", startTimeout, tail(c.log))
	}
}

// stop ends the cluster and everything in it.
func (c *cluster) stop() {
	if c.stdin != nil {
		_ = c.stdin.Close()
	}
	// It may have ended by itself.
	_ = c.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-c.ended:
	case <-time.After(stopTimeout):
		_ = c.cmd.Process.Kill()
		<-c.ended
	}
}

// tail returns the last lines of a file, for a message.
func tail(name string) string {
	const count = 15
	text, err := os.ReadFile(name)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-count):], "\n")
}
