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
	"syscall"
	"time"

	"github.com/tektoncd/leases-controller/test/cluster/sandbox"
)

// startTimeout bounds the time until everything is ready, on a slow and busy machine.
const startTimeout = 3 * time.Minute

// errStopped is why a supervisor ends that was asked to.
var errStopped = errors.New("stopped")

// supervisor is process 1 of a cluster.
type supervisor struct {
	options *options
	dir     string
	begun   time.Time
	running []*component // in the order of their start
	fail    context.CancelCauseFunc
}

// Supervise starts the components, says when they are ready, and stops them in order. It returns the exit status.
func Supervise(args []string) int {
	o, err := parse(args)
	if err != nil {
		return fail(err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		<-asked
		cancel(errStopped)
	}()

	s := &supervisor{options: o, dir: o.dir, begun: time.Now(), fail: cancel}
	err = s.run(ctx)
	s.stop()
	if !errors.Is(err, errStopped) {
		return fail(err)
	}
	return 0
}

// run returns why the cluster has to end.
func (s *supervisor) run(ctx context.Context) error {
	inMemory := filepath.Join(s.dir, "run")
	if err := sandbox.OwnMounts(inMemory); err != nil {
		return err
	}
	if s.options.address == "" {
		if err := sandbox.Try(inMemory); err != nil {
			return err
		}
	}
	p, err := newPlan(s.options)
	if err != nil {
		return err
	}
	if err := p.writeFiles(); err != nil {
		return err
	}
	if err := s.start(ctx, p); err != nil {
		return err
	}
	fmt.Printf("READY kubeconfig=%s\n", p.adminKubeconfig())
	<-ctx.Done()
	return context.Cause(ctx)
}

// start starts the components as soon as each can work, and returns when pods can be run.
func (s *supervisor) start(ctx context.Context, p *plan) error {
	check, err := newChecker(p.adminKubeconfig())
	if err != nil {
		return err
	}
	if err := s.launch(ctx, p.etcd(), p.apiServer()); err != nil {
		return err
	}
	if err := until(ctx, check.serving); err != nil {
		return fmt.Errorf("the API server does not serve: %w", err)
	}
	s.say("the API server serves")
	if err := s.launch(ctx, append([]invocation{p.controllerManager(), p.scheduler()}, p.nodes()...)...); err != nil {
		return err
	}
	if err := until(ctx, check.usable); err != nil {
		return fmt.Errorf("the cluster does not become usable: %w", err)
	}
	s.say("the node is ready")
	return nil
}

func (s *supervisor) say(what string) {
	fmt.Fprintf(os.Stderr, "cluster: %4.1fs %s\n", time.Since(s.begun).Seconds(), what)
}
