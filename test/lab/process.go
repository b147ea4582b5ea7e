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

package lab

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"knative.dev/pkg/leaderelection"
	"knative.dev/pkg/logging"
	"knative.dev/pkg/reconciler"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// gracePeriod is how long a process may take to end (Kubernetes' default).
const gracePeriod = 30 * time.Second

// process is one run of a replica's container: knative's own electors for each queue, and nothing else of Tekton.
type process struct {
	// name tells it from the other processes of the same pod.
	name   string
	client *leasestesting.Client
	ledger *Ledger
	cancel context.CancelFunc
	done   sync.WaitGroup
	// stopping: it was asked to end.
	stopping atomic.Bool
	// frozen: it does nothing.
	frozen atomic.Bool

	mu sync.Mutex
	// electors are those of each queue.
	electors []leaderelection.Elector
	// ended: it leads nothing any more, whatever its goroutines still say.
	ended bool
	// stopped is when it was asked to end, zero if it was not.
	stopped time.Time
}

// holder is what a process needs to know to start.
type holder struct {
	name      string
	component string
	// configMap is the ConfigMap that it reads its election from.
	configMap string
	// identities has its identity in each queue.
	identities map[string]string
	// disabled: it does not elect (-disable-ha).
	disabled bool
	// workers call the API all the time.
	workers int
	// clock is that of its node.
	clock *wallClock
}

// startProcess starts the electors as sharedmain does, and does not wait for them.
func startProcess(ctx context.Context, client *leasestesting.Client, h holder, ledger *Ledger) *process {
	ctx, cancel := context.WithCancel(logging.WithLogger(ctx, zap.NewNop().Sugar()))
	p := &process{name: h.name, client: client, ledger: ledger, cancel: cancel}
	if h.disabled {
		return p
	}
	p.done.Go(func() {
		kc := client.Kube()
		config, err := readElection(ctx, kc, h.configMap)
		if err != nil {
			// What ends a real process ends this one: it never leads anything.
			return
		}
		for range h.workers {
			p.done.Go(func() { work(ctx, kc) })
		}
		for queue, identity := range h.identities {
			cc := config.GetComponentConfig(h.component)
			cc.RetryPeriod, cc.RenewDeadline = h.clock.takes(cc.RetryPeriod), h.clock.takes(cc.RenewDeadline)
			cc.Identity = identity
			elector, err := leaderelection.BuildElector(
				leaderelection.WithStandardLeaderElectorBuilder(ctx, kc, cc), p, queue, nil)
			if err != nil {
				panic(fmt.Sprintf("failed to build the electors of %s: %v", queue, err))
			}
			p.mu.Lock()
			p.electors = append(p.electors, elector)
			p.mu.Unlock()
			p.done.Go(func() { elector.Run(ctx) })
		}
	})
	return p
}

func readElection(ctx context.Context, kc kubernetes.Interface, name string) (*leaderelection.Config, error) {
	cm, err := kc.CoreV1().ConfigMaps(leasestesting.Namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return leaderelection.NewConfigFromConfigMap(nil)
	}
	if err != nil {
		return nil, fmt.Errorf("failed to read the election's ConfigMap: %w", err)
	}
	return leaderelection.NewConfigFromConfigMap(cm)
}

// stop asks the process to end, as SIGTERM does, and waits until its electors have released what they hold. One that
// does not hear of it is killed when its time is over.
func (p *process) stop() {
	p.stopping.Store(true)
	p.mu.Lock()
	p.stopped = time.Now()
	p.mu.Unlock()
	p.cancel()
	overdue := time.AfterFunc(gracePeriod, p.kill)
	p.done.Wait()
	overdue.Stop()
	p.end()
}

// stopAt is when the process was asked to end, zero if it was not.
func (p *process) stopAt() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stopped
}

// kill ends the process at once. What it had sent before may still reach the server.
func (p *process) kill() {
	p.client.Cut()
	p.end()
	p.cancel()
	p.done.Wait()
}

func (p *process) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.ledger.End(p.name)
}

var _ reconciler.LeaderAware = (*process)(nil)

// Promote implements reconciler.LeaderAware: it only tells the ledger.
func (p *process) Promote(bkt reconciler.Bucket, _ func(reconciler.Bucket, types.NamespacedName)) error {
	p.client.Pass()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended {
		p.ledger.Promote(bkt.Name(), p.name)
	}
	return nil
}

// Demote implements reconciler.LeaderAware.
func (p *process) Demote(bkt reconciler.Bucket) {
	p.client.Pass()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended {
		p.ledger.Demote(bkt.Name(), p.name)
	}
}
