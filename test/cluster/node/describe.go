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
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/tektoncd/leases-controller/test/cluster/sandbox"
)

// describe says what the container's process will be and see. Like on a real node, the environment is made anew for
// each run.
func (c *container) describe(ctx context.Context) (*sandbox.Container, error) {
	binary, ok := c.pod.kubelet.images[c.spec.Image]
	if !ok {
		return nil, &hindrance{"ErrImagePull", fmt.Errorf("no binary was given for the image %q (cluster up --image)", c.spec.Image)}
	}
	if c.spec.RestartPolicy != nil {
		return nil, &hindrance{"CreateContainerConfigError", errors.New("restart policies of containers are not supported")}
	}
	mounts, err := c.mounts()
	if err != nil {
		return nil, &hindrance{"CreateContainerConfigError", err}
	}
	object := c.pod.latest()
	env, err := c.environment(ctx)
	if err != nil {
		return nil, &hindrance{"CreateContainerConfigError", err}
	}
	program := "/ko-app/" + filepath.Base(c.spec.Image)
	command := c.spec.Command
	if len(command) == 0 {
		command = []string{program}
	}
	security := c.spec.SecurityContext
	return &sandbox.Container{
		Hostname:   hostname(object),
		Args:       env.expandAll(slices.Concat(command, c.spec.Args)),
		Env:        env.list(),
		WorkingDir: path.Join("/", c.spec.WorkingDir),
		Mounts:     append(mounts, sandbox.Mount{Source: binary, Target: program, ReadOnly: true}),
		Files:      files(hostname(object), c.pod.ip.String()),
		ReadOnly:   security != nil && security.ReadOnlyRootFilesystem != nil && *security.ReadOnlyRootFilesystem,
		RootDir:    c.pod.kubelet.rootDir(),
		PIDFile:    c.pidFile(),
	}, nil
}

// mounts lists the container's volume mounts and the file for its last words.
func (c *container) mounts() ([]sandbox.Mount, error) {
	var mounts []sandbox.Mount
	for _, m := range c.spec.VolumeMounts {
		source := filepath.Join(c.pod.volumesDir(), m.Name, m.SubPath)
		if _, err := os.Stat(source); os.IsNotExist(err) {
			if err := os.MkdirAll(source, 0o755); err != nil {
				return nil, err
			}
		}
		mounts = append(mounts, sandbox.Mount{Source: source, Target: m.MountPath, ReadOnly: m.ReadOnly})
	}
	messages := c.messageFile()
	if err := os.MkdirAll(filepath.Dir(messages), 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(messages, nil, 0o644); err != nil {
		return nil, err
	}
	target := c.spec.TerminationMessagePath
	if target == "" {
		target = corev1.TerminationMessagePathDefault
	}
	return append(mounts, sandbox.Mount{Source: messages, Target: target}), nil
}

// hostname is the pod's name as far as a hostname may be long, which is what a kubelet makes of it.
func hostname(object *corev1.Pod) string {
	const longest = 63
	name := object.Spec.Hostname
	if name == "" {
		name = object.Name
	}
	return strings.TrimRight(name[:min(len(name), longest)], "-.")
}

// files are those of /etc that programs look for.
func files(hostname, ip string) map[string]string {
	return map[string]string{
		"/etc/hostname":      hostname + "\n",
		"/etc/hosts":         fmt.Sprintf("127.0.0.1 localhost\n%s %s\n", ip, hostname),
		"/etc/resolv.conf":   "",
		"/etc/passwd":        "root:x:0:0:root:/root:/sbin/nologin\n",
		"/etc/group":         "root:x:0:\n",
		"/etc/nsswitch.conf": "hosts: files dns\n",
	}
}
