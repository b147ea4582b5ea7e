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
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrs "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

const (
	// betweenRuns is how often a PipelineRun is created.
	betweenRuns = 2 * time.Second
	// finishing is how long the last ones may take.
	finishing = 2 * time.Minute
)

// pipelineRuns are created in a namespace of their own until they are judged.
type pipelineRuns struct {
	*cluster
	namespace string
	begun     time.Time
	dynamic   dynamic.Interface
	stop      context.CancelFunc
	created   chan int
	// count is how many there are, once they are judged.
	count int
}

// createPipelineRuns begins to create one after the other, with a pause between
// them.
func (c *cluster) createPipelineRuns(pause time.Duration) *pipelineRuns {
	c.t.Helper()
	ctx, stop := context.WithCancel(c.t.Context())
	runs := c.noPipelineRuns()
	runs.stop = stop
	go func() {
		n := 0
		for ; ctx.Err() == nil; time.Sleep(pause) {
			run := pipelineRun(fmt.Sprintf("run-%03d", n))
			err := c.again(func() error {
				_, err := runs.resource("pipelineruns").Create(context.WithoutCancel(ctx), run, metav1.CreateOptions{})
				return err
			})
			if err != nil && !apierrs.IsAlreadyExists(err) { // its answer may have been lost
				c.t.Errorf("failed to create PipelineRun %s: %v", run.GetName(), err)
				break
			}
			n++
		}
		runs.created <- n
	}()
	return runs
}

// noPipelineRuns is a namespace for some.
func (c *cluster) noPipelineRuns() *pipelineRuns {
	c.t.Helper()
	return &pipelineRuns{
		cluster: c, namespace: makeNamespace(c.t, c.client), begun: time.Now(), dynamic: dynamic.NewForConfigOrDie(c.cfg),
		created: make(chan int, 1),
	}
}

func (r *pipelineRuns) resource(name string) dynamic.ResourceInterface {
	return r.dynamic.Resource(schema.GroupVersionResource{Group: "tekton.dev", Version: "v1", Resource: name}).Namespace(r.namespace)
}

// pipelineRun is one of two tasks, one after the other, so that it is reconciled
// all along and not only when it is new.
func pipelineRun(name string) *unstructured.Unstructured {
	task := func(name string, after ...any) map[string]any {
		step := map[string]any{"name": "nothing", "image": "ko://github.com/tektoncd/pipeline/cmd/nop", "command": []any{"/ko-app/nop"}}
		return map[string]any{"name": name, "runAfter": after, "taskSpec": map[string]any{"steps": []any{step}}}
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "tekton.dev/v1", "kind": "PipelineRun",
		"metadata": map[string]any{"name": name},
		"spec":     map[string]any{"pipelineSpec": map[string]any{"tasks": []any{task("first"), task("second", "first")}}},
	}}
}

// judge ends the creation and fails the test unless each PipelineRun succeeds,
// with one TaskRun per task and one pod per TaskRun. It returns the complaints that
// something exists already.
func (r *pipelineRuns) judge() []string {
	r.t.Helper()
	r.stop()
	created := <-r.created
	r.count = created
	done := map[string]time.Duration{}
	r.wait(finishing, "the PipelineRuns to be done", func() bool {
		for _, run := range r.list("pipelineruns") {
			if took, ok := r.took(run); ok {
				done[run.GetName()] = took
			}
		}
		return len(done) == created
	})
	r.t.Logf("%d PipelineRuns succeeded, the slowest took %s", created, slices.Max(slices.Collect(maps.Values(done))))
	r.once("TaskRuns per task", 2*created, r.list("taskruns"), "tekton.dev/pipelineRun", "tekton.dev/pipelineTask")
	r.once("pods per TaskRun", 2*created, r.pods(), "tekton.dev/taskRun")
	return append(r.complaints(), r.journal.Duplicates(r.begun)...)
}

// took is how long a PipelineRun took, in whole seconds, if it is done. One that
// failed fails the test.
func (r *pipelineRuns) took(run unstructured.Unstructured) (time.Duration, bool) {
	r.t.Helper()
	condition := ended(run)
	if condition == nil {
		return 0, false
	}
	if condition["status"] != "True" {
		r.t.Fatalf("PipelineRun %s failed: %v", run.GetName(), condition)
	}
	text, _, _ := unstructured.NestedString(run.Object, "status", "completionTime")
	completed, err := time.Parse(time.RFC3339, text)
	r.must(err)
	return completed.Sub(run.GetCreationTimestamp().Time), true
}

// ended is the condition that tells how a PipelineRun or TaskRun has ended, if it
// has.
func ended(run unstructured.Unstructured) map[string]any {
	conditions, _, _ := unstructured.NestedSlice(run.Object, "status", "conditions")
	for _, c := range conditions {
		condition, _ := c.(map[string]any)
		if condition["type"] == "Succeeded" && condition["status"] != "Unknown" {
			return condition
		}
	}
	return nil
}

func (r *pipelineRuns) list(resource string) []unstructured.Unstructured {
	r.t.Helper()
	list, err := r.resource(resource).List(r.t.Context(), metav1.ListOptions{})
	r.must(err)
	return list.Items
}

// pods are those of the TaskRuns.
func (r *pipelineRuns) pods() []unstructured.Unstructured {
	r.t.Helper()
	list, err := r.dynamic.Resource(corev1.SchemeGroupVersion.WithResource("pods")).Namespace(r.namespace).
		List(r.t.Context(), metav1.ListOptions{})
	r.must(err)
	return list.Items
}

// once fails the test unless there are so many objects, and no two have the
// same values of the labels.
func (r *pipelineRuns) once(what string, want int, objects []unstructured.Unstructured, labels ...string) {
	r.t.Helper()
	names := map[string][]string{}
	for _, o := range objects {
		var key []string
		for _, label := range labels {
			key = append(key, o.GetLabels()[label])
		}
		names[strings.Join(key, " ")] = append(names[strings.Join(key, " ")], o.GetName())
	}
	for key, names := range names {
		if len(names) > 1 {
			r.t.Errorf("%s: %s has %s", what, key, strings.Join(names, ", "))
		}
	}
	if len(objects) != want {
		r.t.Errorf("%s: %d, want %d", what, len(objects), want)
	}
}

// complaints are the Events that tell of something that exists already. The other
// warnings are shown.
func (r *pipelineRuns) complaints() (complaints []string) {
	r.t.Helper()
	list, err := r.client.CoreV1().Events(r.namespace).List(r.t.Context(), metav1.ListOptions{})
	r.must(err)
	for _, e := range list.Items {
		text := fmt.Sprintf("%s on %s %s: %s", e.Reason, e.InvolvedObject.Kind, e.InvolvedObject.Name, e.Message)
		switch {
		case strings.Contains(e.Message, "already exists"):
			complaints = append(complaints, "Event "+text)
		case e.Type == corev1.EventTypeWarning:
			r.t.Logf("warning %s", text)
		}
	}
	return complaints
}
