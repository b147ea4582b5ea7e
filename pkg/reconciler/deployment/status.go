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

package deployment

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	corev1listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/util/retry"
	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/status"
)

const (
	// writeInterval is the shortest time between two writes of the status.
	writeInterval = 5 * time.Second
	// maxRecent is how many handovers that ended are shown per Deployment.
	maxRecent = 20
)

// publisher keeps the ConfigMap that shows our status. It writes when something
// has changed, beside the reconciles, which wait for none of its calls, and
// touches nothing in the ConfigMap but its own key.
type publisher struct {
	client typedcorev1.ConfigMapInterface
	lister corev1listers.ConfigMapNamespaceLister
	calls  sync.WaitGroup

	mu sync.Mutex
	// loaded: what a process before this one had written is read. shown is what
	// there is to show, by Deployment, and dirty whether it was changed.
	loaded, dirty bool
	shown         map[string]status.Deployment
	// wrote is what the ConfigMap says, nil while that is not known, and text the
	// same as it was written or read.
	wrote *status.Status
	text  string
	// began is when the last write was begun; busy: it has not ended yet.
	began time.Time
	busy  bool
	// fault is what was last said about a write that failed.
	fault string
}

// load reads what is there, so that what lasts is not taken for new. What is not
// managed any more is dropped; the rest is shown until it is known better.
func (p *publisher) load(managed func(string) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.loaded {
		return
	}
	p.loaded, p.shown = true, map[string]status.Deployment{}
	cm, err := p.lister.Get(status.ConfigMapName)
	if err != nil {
		return // there is none yet
	}
	there, err := status.FromConfigMap(cm)
	if err != nil {
		return // it is written anew
	}
	p.wrote, p.text = &there, cm.Data[status.Key]
	for _, d := range there.Deployments {
		if managed(d.Name) {
			p.shown[d.Name] = d
		}
	}
}

// reset forgets everything: another process may write from now on.
func (p *publisher) reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.loaded, p.dirty, p.shown, p.wrote, p.text = false, false, nil, nil, ""
}

// show replaces what is shown of a Deployment. Its state counts from when it
// began, and Recent is added to what ended before.
func (p *publisher) show(d status.Deployment, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.shown[d.Name]
	d.Since = since(d.State, before.State, before.Since, now)
	for i := range d.Queues {
		q := &d.Queues[i]
		k := slices.IndexFunc(before.Queues, func(b status.Queue) bool { return b.Group == q.Group })
		if k < 0 {
			k, before.Queues = 0, []status.Queue{{}}
		}
		q.Since = since(q.State, before.Queues[k].State, before.Queues[k].Since, now)
	}
	d.Recent = slices.Concat(before.Recent, d.Recent)
	d.Recent = d.Recent[max(0, len(d.Recent)-maxRecent):]
	p.shown[d.Name], p.dirty = d, true
}

// since is from when on a state has lasted.
func since(state, before status.State, then *metav1.Time, now time.Time) *metav1.Time {
	if state == before && then != nil {
		return then
	}
	return &metav1.Time{Time: now}
}

// keep ends to show the other Deployments.
func (p *publisher) keep(these func(name string) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	shown := len(p.shown)
	maps.DeleteFunc(p.shown, func(name string, _ status.Deployment) bool { return !these(name) })
	p.dirty = p.dirty || len(p.shown) < shown
}

// flush has the ConfigMap written if it does not say what there is to show, with
// the head given, and returns when to call it again. If the write fails, failed is
// called then.
func (p *publisher) flush(ctx context.Context, head status.Status, now time.Time, failed func()) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	next := p.began.Add(writeInterval)
	switch {
	case !p.dirty:
		return now.Add(maxInterval)
	case p.busy || now.Before(next):
		return next
	}
	head.Time, head.Deployments = metav1.Time{Time: now}, make([]status.Deployment, 0, len(p.shown))
	for _, name := range slices.Sorted(maps.Keys(p.shown)) {
		head.Deployments = append(head.Deployments, p.shown[name])
	}
	if p.wrote != nil && status.Same(*p.wrote, head) && p.there() {
		p.dirty = false
		return now.Add(maxInterval)
	}
	p.busy, p.began = true, now
	p.calls.Go(func() {
		if !p.put(ctx, head) {
			failed()
		}
	})
	return now.Add(maxInterval)
}

// there tells whether the ConfigMap is as it was written: somebody may have
// edited or deleted it.
func (p *publisher) there() bool {
	cm, err := p.lister.Get(status.ConfigMapName)
	return err == nil && cm.Data[status.Key] == p.text
}

// put makes a write and notes how it ended; false if it failed.
func (p *publisher) put(ctx context.Context, s status.Status) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callTimeout)
	defer cancel()
	text, err := s.Document()
	if err == nil {
		err = p.write(ctx, text)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy = false
	fault := ""
	if err != nil {
		fault = err.Error()
	} else if p.loaded {
		p.wrote, p.text = &s, text
	}
	if fault != "" && fault != p.fault {
		logging.FromContext(ctx).Warnw("The status cannot be written, it is tried again", zap.Error(err))
	}
	p.fault = fault
	return err == nil
}

// write puts the document into the ConfigMap and keeps whatever else is in it,
// also what is written at the same time.
func (p *publisher) write(ctx context.Context, text string) error {
	err := retry.OnError(retry.DefaultRetry, func(err error) bool {
		return apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err)
	}, func() error {
		cm, err := p.client.Get(ctx, status.ConfigMapName, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			_, err = p.client.Create(ctx, status.NewConfigMap(text), metav1.CreateOptions{})
			return err
		}
		if err != nil {
			return err
		}
		cm.Data = maps.Clone(cm.Data)
		if cm.Data == nil {
			cm.Data = map[string]string{}
		}
		cm.Data[status.Key] = text
		_, err = p.client.Update(ctx, cm, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		return fmt.Errorf("failed to write ConfigMap %q: %w", status.ConfigMapName, err)
	}
	return nil
}
