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

package testing

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// call is one request on its way through the server.
type call struct {
	Request
	group   schema.GroupVersionResource
	content string
	query   url.Values
	body    []byte
	seen    Observation
}

// answer is what the server says to it: a body, or for a watch the selection to stream.
type answer struct {
	code int
	body []byte
	// retryAfter is how many seconds the client should wait before it tries again.
	retryAfter int32
	watch      *subscription
}

// parse reads a request as the server's router does.
func parse(client string, r *http.Request) (*call, error) {
	c := &call{Request: Request{Client: client}, query: r.URL.Query(), content: r.Header.Get("Content-Type")}
	path := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if len(path) >= 3 && path[0] == "api" {
		c.group.Version, path = path[1], path[2:]
	} else if len(path) >= 4 && path[0] == "apis" {
		c.group.Group, c.group.Version, path = path[1], path[2], path[3:]
	}
	if len(path) >= 3 && path[0] == "namespaces" {
		c.Namespace, path = path[1], path[2:]
	}
	c.Resource, path = path[0], path[1:]
	if len(path) > 0 {
		c.Name, path = path[0], path[1:]
	}
	c.Subresource = strings.Join(path, "/")
	c.group.Resource = c.Resource
	c.Verb = c.verb(r.Method)
	if r.Body == nil {
		return c, nil
	}
	defer r.Body.Close()
	var err error
	if c.body, err = io.ReadAll(r.Body); err != nil {
		return nil, fmt.Errorf("failed to read the body of %s %s: %w", r.Method, r.URL, err)
	}
	return c, nil
}

func (c *call) verb(method string) string {
	switch method {
	case http.MethodGet:
		if watch := c.query.Get("watch"); watch == "true" || watch == "1" {
			return "watch"
		} else if c.Name == "" {
			return "list"
		}
		return "get"
	case http.MethodPost:
		return "create"
	case http.MethodPut:
		return "update"
	}
	return strings.ToLower(method)
}

// serve carries a call out, all at once.
func (a *API) serve(c *call) answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	c.seen = Observation{Request: c.Request, Time: time.Now()}
	ans, err := a.dispatch(c)
	if err != nil {
		ans = failure(err)
	}
	c.seen.Code = ans.code
	for _, observe := range a.observers {
		observe(c.seen)
	}
	return ans
}

func (a *API) dispatch(c *call) (answer, error) {
	col, ok := a.collections[c.group]
	if !ok || (c.Subresource != "" && (!col.subresource || c.Subresource != "status")) {
		return answer{}, refusal(http.StatusNotFound, metav1.StatusReasonNotFound, "the server could not find the requested resource")
	}
	if (c.Name == "") != (c.Verb == "list" || c.Verb == "create" || c.Verb == "watch") {
		return answer{}, apierrors.NewMethodNotSupported(col.resource(), c.Verb)
	}
	if e := col.items[types.NamespacedName{Namespace: c.Namespace, Name: c.Name}]; e != nil {
		c.seen.Before, c.seen.After = e.obj, e.obj
	}
	switch c.Verb {
	case "get":
		return a.get(col, c)
	case "list":
		return a.list(col, c)
	case "watch":
		return a.subscribe(col, c)
	case "create":
		return a.create(col, c)
	case "update":
		return a.update(col, c)
	case "patch":
		return a.patch(col, c)
	case "delete":
		return a.delete(col, c)
	}
	return answer{}, apierrors.NewMethodNotSupported(col.resource(), c.Verb)
}

func (a *API) get(col *collection, c *call) (answer, error) {
	e := col.items[types.NamespacedName{Namespace: c.Namespace, Name: c.Name}]
	if e == nil {
		return answer{}, apierrors.NewNotFound(col.resource(), c.Name)
	}
	return answer{code: http.StatusOK, body: e.raw}, nil
}

// list answers with everything that matches, whatever limit or version the client asked for.
func (a *API) list(col *collection, c *call) (answer, error) {
	if err := checkOptions(c.query, false); err != nil {
		return answer{}, err
	}
	if _, err := parseVersion(c.query.Get("resourceVersion")); err != nil {
		return answer{}, apierrors.NewBadRequest(err.Error())
	}
	sel, err := c.selector()
	if err != nil {
		return answer{}, err
	}
	items := []json.RawMessage{}
	for _, e := range col.sorted(c.Namespace) {
		if sel.matches(e) {
			items = append(items, e.raw)
		}
	}
	body, err := json.Marshal(map[string]any{
		"kind": col.Kind + "List", "apiVersion": col.GroupVersion().String(),
		"metadata": map[string]string{"resourceVersion": fmt.Sprint(a.version)},
		"items":    items,
	})
	if err != nil {
		return answer{}, fmt.Errorf("failed to encode the list: %w", err)
	}
	return answer{code: http.StatusOK, body: body}, nil
}

func isStatus(err error) bool {
	var api apierrors.APIStatus
	return errors.As(err, &api)
}

// refusal is the answer to what no resource is asked about.
func refusal(code int32, reason metav1.StatusReason, message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: reason, Message: message,
	}}
}

// unsupported is the answer to a body of a type that the server does not read.
func unsupported(contentType string) error {
	return refusal(http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType,
		fmt.Sprintf("the body of the request was in an unknown format: %q", contentType))
}

// failure turns an error into the Status that the real server answers with.
func failure(err error) answer {
	status := metav1.Status{Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Message: err.Error()}
	var api apierrors.APIStatus
	if errors.As(err, &api) {
		status = api.Status()
	}
	status.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	body, err := json.Marshal(status)
	if err != nil {
		panic(fmt.Sprintf("failed to encode a status: %v", err))
	}
	ans := answer{code: int(status.Code), body: body}
	if status.Details != nil {
		ans.retryAfter = status.Details.RetryAfterSeconds
	}
	return ans
}
