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
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// caller makes calls on one API and notes the answers, in words that two APIs
// share: what a server chooses itself, UIDs and versions, is numbered in the
// order in which it comes up.
type caller struct {
	t         *testing.T
	kube      kubernetes.Interface
	namespace string
	// numbers are those of what the server chose so far; chosen is how many.
	numbers map[string]int
	chosen  int
	notes   []string
}

func newCaller(t *testing.T, kube kubernetes.Interface, namespace string) *caller {
	return &caller{t: t, kube: kube, namespace: namespace, numbers: map[string]int{}}
}

// note returns what was noted at that place.
func (c *caller) note(i int) string {
	if i < len(c.notes) {
		return c.notes[i]
	}
	return "nothing"
}

// resource is where objects of one type are.
func (c *caller) resource(like runtime.Object) (rest.Interface, string) {
	switch like.(type) {
	case *coordinationv1.Lease:
		return c.kube.CoordinationV1().RESTClient(), "leases"
	case *corev1.Pod:
		return c.kube.CoreV1().RESTClient(), "pods"
	case *corev1.ConfigMap:
		return c.kube.CoreV1().RESTClient(), "configmaps"
	case *corev1.Event:
		return c.kube.CoreV1().RESTClient(), "events"
	case *appsv1.Deployment:
		return c.kube.AppsV1().RESTClient(), "deployments"
	case *appsv1.ReplicaSet:
		return c.kube.AppsV1().RESTClient(), "replicasets"
	}
	c.t.Fatalf("no resource for %T", like)
	return nil, ""
}

// request begins one on the objects like this one.
func (c *caller) request(method string, like runtime.Object) *rest.Request {
	client, plural := c.resource(like)
	return client.Verb(method).Namespace(c.namespace).Resource(plural).MaxRetries(0)
}

// The calls. Each returns the object as the server answers with it, or, when it
// refuses, the object that was sent.

func (c *caller) create(obj leasestesting.Object) leasestesting.Object {
	return c.send("create", obj, c.request("POST", obj).Body(obj))
}

func (c *caller) get(obj leasestesting.Object) {
	c.send("get", obj, c.request("GET", obj).Name(obj.GetName()))
}

func (c *caller) update(obj leasestesting.Object) leasestesting.Object {
	return c.put(obj.GetName(), obj)
}

// put updates what has that name by obj, whatever obj's own name is.
func (c *caller) put(name string, obj leasestesting.Object) leasestesting.Object {
	return c.send("update", obj, c.request("PUT", obj).Name(name).Body(obj))
}

func (c *caller) updateStatus(obj leasestesting.Object) leasestesting.Object {
	return c.send("update status", obj, c.request("PUT", obj).Name(obj.GetName()).SubResource("status").Body(obj))
}

func (c *caller) patch(obj leasestesting.Object, kind types.PatchType, patch string, subresources ...string) leasestesting.Object {
	client, plural := c.resource(obj)
	req := client.Patch(kind).Namespace(c.namespace).Resource(plural).MaxRetries(0).
		Name(obj.GetName()).SubResource(subresources...).Body([]byte(patch))
	return c.send("patch", obj, req)
}

func (c *caller) delete(obj leasestesting.Object, options metav1.DeleteOptions) leasestesting.Object {
	return c.send("delete", obj, c.request("DELETE", obj).Name(obj.GetName()).Body(&options))
}

func (c *caller) list(like leasestesting.Object, options metav1.ListOptions) {
	req := c.request("GET", like).VersionedParams(&options, scheme.ParameterCodec)
	c.send("list", like, req)
}

// post creates what no typed client would send.
func (c *caller) post(like leasestesting.Object, contentType, body string) {
	c.send("create", like, c.request("POST", like).SetHeader("Content-Type", contentType).Body([]byte(body)))
}

// send makes the call and notes the answer.
func (c *caller) send(what string, obj leasestesting.Object, req *rest.Request) leasestesting.Object {
	var code int
	answer, err := req.Do(c.t.Context()).StatusCode(&code).Get()
	note := fmt.Sprintf("%s %s: %d ", what, obj.GetName(), code)
	c.notes = append(c.notes, note+c.describe(answer, err))
	if got, ok := answer.(leasestesting.Object); ok && err == nil {
		return got
	}
	return obj
}

// describe puts an answer into words.
func (c *caller) describe(answer runtime.Object, err error) string {
	if err != nil {
		return c.refusal(err)
	}
	if status, ok := answer.(*metav1.Status); ok {
		return c.status(*status)
	}
	if !meta.IsListType(answer) {
		return c.object(answer)
	}
	var items []string
	err = meta.EachListItem(answer, func(item runtime.Object) error {
		items = append(items, item.(leasestesting.Object).GetName())
		return nil
	})
	if err != nil {
		c.t.Fatalf("failed to read a list: %v", err)
	}
	return fmt.Sprint(items)
}

// refusal is an error that came as an answer.
func (c *caller) refusal(err error) string {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		c.t.Fatalf("no answer: %v", err)
	}
	return c.status(status.Status())
}

// status leaves out the message, which is for people, and how often a fault is
// told.
func (c *caller) status(s metav1.Status) string {
	words := []string{s.Status, string(s.Reason)}
	d := s.Details
	if d == nil || d.Kind == "" && d.Name == "" && len(d.Causes) == 0 {
		return strings.Join(words, " ")
	}
	words = append(words, fmt.Sprintf("of %s.%s %q %s", d.Kind, d.Group, d.Name, c.number("uid", string(d.UID))))
	var causes []string
	for _, cause := range d.Causes {
		causes = append(causes, fmt.Sprintf("(%s: %s)", cause.Field, cause.Type))
	}
	slices.Sort(causes)
	return strings.Join(append(words, slices.Compact(causes)...), " ")
}

// object is everything of it that both APIs keep.
func (c *caller) object(obj runtime.Object) string {
	raw, err := json.Marshal(obj)
	if err != nil {
		c.t.Fatalf("failed to encode %T: %v", obj, err)
	}
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		c.t.Fatalf("failed to decode %T: %v", obj, err)
	}
	keepShared(obj, fields)
	metadata, _ := fields["metadata"].(map[string]any)
	for _, key := range []string{"uid", "resourceVersion"} {
		value, _ := metadata[key].(string)
		metadata[key] = c.number(key, value)
	}
	for _, key := range []string{"creationTimestamp", "deletionTimestamp"} {
		if metadata[key] != nil {
			metadata[key] = "set"
		}
	}
	delete(metadata, "managedFields")
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(fields); err != nil {
		c.t.Fatalf("failed to encode %T: %v", obj, err)
	}
	return strings.TrimSpace(text.String())
}

// keepShared drops what the real API server and the controllers behind it fill
// in, and the API in memory does not.
func keepShared(obj runtime.Object, fields map[string]any) {
	switch obj := obj.(type) {
	case *corev1.Pod:
		fields["spec"] = map[string]any{"nodeName": obj.Spec.NodeName, "grace": obj.Spec.TerminationGracePeriodSeconds}
		fields["status"] = map[string]any{"phase": obj.Status.Phase, "reason": obj.Status.Reason}
	case *appsv1.Deployment:
		fields["spec"] = map[string]any{"replicas": obj.Spec.Replicas, "paused": obj.Spec.Paused}
		fields["status"] = map[string]any{"readyReplicas": obj.Status.ReadyReplicas}
	case *appsv1.ReplicaSet:
		fields["spec"] = map[string]any{"replicas": obj.Spec.Replicas}
		fields["status"] = map[string]any{"readyReplicas": obj.Status.ReadyReplicas}
	}
}

// number names a value that the server chose.
func (c *caller) number(what, value string) string {
	if value == "" {
		return "no " + what
	}
	key := what + " " + value
	if c.numbers[key] == 0 {
		c.chosen++
		c.numbers[key] = c.chosen
	}
	return fmt.Sprintf("%s %d", what, c.numbers[key])
}

// patience is how long a watch may take to deliver.
const patience = 10 * time.Second

// watch begins one, has calls made, and notes the events up to the last one,
// which is given as "TYPE name", or up to the end of the stream.
func (c *caller) watch(like leasestesting.Object, options metav1.ListOptions, last string, calls func()) {
	options.Watch = true
	stream, err := c.request("GET", like).VersionedParams(&options, scheme.ParameterCodec).Watch(c.t.Context())
	if err != nil {
		c.notes = append(c.notes, "watch: "+c.refusal(err))
		return
	}
	defer stream.Stop()
	c.notes = append(c.notes, "watch: begun")
	calls()
	timeout := time.After(patience)
	for {
		select {
		case event, ok := <-stream.ResultChan():
			if !ok {
				c.notes = append(c.notes, "watch: ended")
				return
			}
			if c.event(event) == last {
				return
			}
		case <-timeout:
			c.notes = append(c.notes, "watch: no "+last)
			return
		}
	}
}

// event notes one and returns it as "TYPE name".
func (c *caller) event(e watch.Event) string {
	switch obj := e.Object.(type) {
	case *metav1.Status:
		c.notes = append(c.notes, "watch: "+string(e.Type)+" "+c.refusal(apierrors.FromObject(obj)))
		return string(e.Type)
	case leasestesting.Object:
		if e.Type == watch.Bookmark {
			return c.bookmark(obj)
		}
		c.notes = append(c.notes, "watch: "+string(e.Type)+" "+c.object(obj))
		return string(e.Type) + " " + obj.GetName()
	}
	c.t.Fatalf("unexpected event %v", e)
	return ""
}

// bookmark notes the one that closes the initial events. When others come is
// left to the server.
func (c *caller) bookmark(obj leasestesting.Object) string {
	if obj.GetAnnotations()[metav1.InitialEventsAnnotationKey] != "true" {
		return ""
	}
	c.notes = append(c.notes, "watch: BOOKMARK after the initial events")
	return "BOOKMARK"
}
