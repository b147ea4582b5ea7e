//go:build e2e

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

package e2e

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/cache"

	"github.com/tektoncd/leases-controller/test/bench"
)

// lives are PipelineRuns that are followed, as watches of ours see them.
type lives struct {
	*pipelineRuns

	mu sync.Mutex
	// of has what happened to each, by name; known tells of which object, so that
	// nothing is noted twice.
	of    map[string]bench.Life
	known map[noted]bool
}

// noted is that something happened to an object.
type noted struct {
	object types.UID
	kind   bench.Kind
}

// followLives follows those of a namespace of their own, in which there are none yet.
func (c *cluster) followLives() *lives {
	c.t.Helper()
	l := &lives{pipelineRuns: c.noPipelineRuns(), of: map[string]bench.Life{}, known: map[noted]bool{}}
	l.watch(l.resource("pipelineruns"), func(o unstructured.Unstructured) {
		l.note(o.GetName(), o, bench.Created, bench.Done, ended(o) != nil)
	})
	const label = "tekton.dev/pipelineRun"
	l.watch(l.resource("taskruns"), func(o unstructured.Unstructured) {
		l.note(o.GetLabels()[label], o, bench.TaskRunCreated, bench.TaskRunDone, ended(o) != nil)
	})
	pods := l.dynamic.Resource(corev1.SchemeGroupVersion.WithResource("pods")).Namespace(l.namespace)
	l.watch(pods, func(o unstructured.Unstructured) {
		phase, _, _ := unstructured.NestedString(o.Object, "status", "phase")
		hasEnded := phase == string(corev1.PodSucceeded) || phase == string(corev1.PodFailed)
		l.note(o.GetLabels()[label], o, bench.PodCreated, bench.PodEnded, hasEnded)
	})
	return l
}

// watch calls see with each state of each object, until the test ends.
func (l *lives) watch(resource dynamic.ResourceInterface, see func(unstructured.Unstructured)) {
	l.t.Helper()
	informer := cache.NewSharedInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return resource.List(ctx, options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			return resource.Watch(ctx, options)
		},
	}, &unstructured.Unstructured{}, 0)
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { see(*o.(*unstructured.Unstructured)) },
		UpdateFunc: func(_, o any) { see(*o.(*unstructured.Unstructured)) },
	})
	l.must(err)
	ctx := l.t.Context()
	go informer.RunWithContext(ctx)
	cache.WaitForCacheSync(ctx.Done(), informer.HasSynced)
}

// note writes down what is new of an object: its creation, and perhaps its end.
func (l *lives) note(name string, o unstructured.Unstructured, created, end bench.Kind, hasEnded bool) {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	kinds := []bench.Kind{created}
	if hasEnded {
		kinds = append(kinds, end)
	}
	for _, kind := range kinds {
		if n := (noted{o.GetUID(), kind}); !l.known[n] {
			l.known[n] = true
			l.of[name] = append(l.of[name], bench.Moment{At: now, Kind: kind})
		}
	}
}

// create creates so many, with a pause between them.
func (l *lives) create(n int, pause time.Duration) {
	l.t.Helper()
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			_, err := l.resource("pipelineruns").Create(l.t.Context(), pipelineRun(fmt.Sprintf("run-%03d", i)), metav1.CreateOptions{})
			if err != nil {
				l.t.Errorf("failed to create a PipelineRun: %v", err)
			}
		})
		time.Sleep(pause)
	}
	all.Wait()
}

// done counts those that are.
func (l *lives) done() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, life := range l.of {
		if _, ok := life.Took(); ok {
			n++
		}
	}
	return n
}

// waitedLong is how long a PipelineRun that waits for a controller may wait.
const waitedLong = 30 * time.Second

// fill waits until so many are done, and puts what became of them into a result.
// None has failed, and nothing was made twice.
func (l *lives) fill(r *bench.Result, n int) {
	l.t.Helper()
	l.wait(benchTimeout, "the PipelineRuns to be done", func() bool { return l.done() == n })
	l.mu.Lock()
	defer l.mu.Unlock()
	var began []time.Duration
	for _, life := range l.of {
		if b, ok := life.Began(); ok {
			began = append(began, b)
		}
		longest := life.Longest()
		r.Longest = max(r.Longest, longest.Seconds())
		if longest > waitedLong {
			r.Waited++
		}
	}
	r.PipelineRuns = n
	r.Began50, r.Began95 = bench.Quantile(0.5, began).Seconds(), bench.Quantile(0.95, began).Seconds()
}

// remove checks what there is, deletes it and waits for its end, so that nothing of
// it burdens the next measurement.
func (l *lives) remove(n int) {
	l.t.Helper()
	for _, run := range l.list("pipelineruns") {
		l.took(run) // or fail
	}
	l.once("TaskRuns per task", 2*n, l.list("taskruns"), "tekton.dev/pipelineRun", "tekton.dev/pipelineTask")
	l.once("pods per TaskRun", 2*n, l.pods(), "tekton.dev/taskRun")
	l.must(l.resource("pipelineruns").DeleteCollection(l.t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}))
	for deadline := time.Now().Add(benchTimeout); len(l.pods()) > 0; time.Sleep(time.Second) {
		if time.Now().After(deadline) {
			l.t.Fatal("the pods of PipelineRuns that were deleted are still there")
		}
	}
}
