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
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/virtual-kubelet/virtual-kubelet/errdefs"
	"github.com/virtual-kubelet/virtual-kubelet/node/api"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// followPoll is how often a followed log looks for more.
const followPoll = 50 * time.Millisecond

// output is where the output of one run of a container is. A later pod of the same name writes on in the same file.
type output struct {
	path   string
	offset int64
	ended  chan struct{} // closed when the run is over and all is written
}

// newOutput opens the file for the container's next run.
func (c *container) newOutput() (*output, *os.File, error) {
	c.pod.mu.Lock()
	defer c.pod.mu.Unlock()
	path := filepath.Join(c.pod.dir, fmt.Sprintf("%s-%d.log", c.spec.Name, len(c.outputs)))
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("failed to open a log: %w", err)
	}
	info, err := file.Stat()
	if err != nil {
		return nil, nil, fmt.Errorf("failed to open a log: %w", err)
	}
	out := &output{path: path, offset: info.Size(), ended: make(chan struct{})}
	c.outputs = append(c.outputs, out)
	return out, file, nil
}

// handler serves what this node has of the kubelet's API.
func (k *kubelet) handler() http.Handler {
	return api.PodHandler(api.PodHandlerConfig{GetContainerLogs: k.logs}, false)
}

func (k *kubelet) logs(ctx context.Context, namespace, name, container string, opts api.ContainerLogOpts) (io.ReadCloser, error) {
	p := k.find(namespace, name)
	if p == nil {
		return nil, errdefs.NotFoundf("pod %s is not on this node", types.NamespacedName{Namespace: namespace, Name: name})
	}
	out, err := p.output(container, opts.Previous)
	if err != nil {
		return nil, err
	}
	return out.open(ctx, opts)
}

func (p *pod) output(name string, previous bool) (*output, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range append(p.inits, p.mains...) {
		if c.spec.Name != name {
			continue
		}
		i := len(c.outputs) - 1
		if previous {
			i--
		}
		if i < 0 {
			return nil, errdefs.InvalidInputf("container %q has no such log: %s", name, describeWaiting(c.status))
		}
		return c.outputs[i], nil
	}
	return nil, errdefs.NotFoundf("container %q is not in pod %q", name, p.name)
}

func describeWaiting(s corev1.ContainerStatus) string {
	if s.State.Waiting != nil {
		return "it is waiting to start: " + s.State.Waiting.Reason
	}
	return "it was not restarted"
}

// open reads from the run's beginning, or the last lines of it. Times are not recorded; options for them have no effect.
func (o *output) open(ctx context.Context, opts api.ContainerLogOpts) (io.ReadCloser, error) {
	file, err := os.Open(o.path)
	if err != nil {
		return nil, fmt.Errorf("failed to read a log: %w", err)
	}
	offset := o.offset
	if opts.Tail > 0 {
		if offset, err = tailOffset(file, offset, opts.Tail); err != nil {
			return nil, fmt.Errorf("failed to read a log: %w", err)
		}
	}
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return nil, fmt.Errorf("failed to read a log: %w", err)
	}
	var reader io.Reader = file
	if opts.Follow {
		reader = &follower{ctx: ctx, file: file, ended: o.ended}
	}
	if opts.LimitBytes > 0 {
		reader = io.LimitReader(reader, int64(opts.LimitBytes))
	}
	return struct {
		io.Reader
		io.Closer
	}{reader, file}, nil
}

// tailOffset finds where the last lines begin.
func tailOffset(file io.ReaderAt, from int64, lines int) (int64, error) {
	text, err := io.ReadAll(io.NewSectionReader(file, from, 1<<40))
	if err != nil {
		return 0, err
	}
	end := len(bytes.TrimSuffix(text, []byte("\n")))
	for range lines {
		if end = bytes.LastIndexByte(text[:end], '\n'); end < 0 {
			return from, nil
		}
	}
	return from + int64(end) + 1, nil
}

// follower reads a file to the end of the run that writes it, which may be long after its pod was deleted.
type follower struct {
	ctx   context.Context
	file  io.Reader
	ended <-chan struct{}
}

// Read implements io.Reader.
func (f *follower) Read(into []byte) (int, error) {
	for {
		last := f.over() // asked before the file, so that what was written before the end is read after it
		n, err := f.file.Read(into)
		if n > 0 || err != io.EOF || last {
			return n, err
		}
		select {
		case <-f.ctx.Done():
			return 0, io.EOF
		case <-f.ended:
		case <-time.After(followPoll):
		}
	}
}

func (f *follower) over() bool {
	select {
	case <-f.ended:
		return true
	default:
		return false
	}
}
