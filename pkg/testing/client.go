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
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

var (
	// ErrCut is what every call of a client fails with whose connection was cut.
	ErrCut = errors.New("the connection is cut")
	// ErrBroken is what a call fails with whose connection breaks. client-go knows it by its text, as that of a server
	// that does not answer the pings of HTTP/2.
	ErrBroken = errors.New("http2: client connection lost")
)

// Fault is what the network does to one call. The zero value is a call that takes no time.
type Fault struct {
	// Before is how long the call takes to reach the server. It gets there even if the client has given up by then.
	Before time.Duration
	// After is how long the answer takes to come back.
	After time.Duration
	// Err is answered instead of carrying the call out: an API status as itself, anything else as a broken connection.
	Err error
	// Lost: the call is carried out, but no answer ever comes. With Err: it does not reach the server either.
	Lost bool
	// Broken: the call is carried out, but instead of its answer the client gets ErrBroken.
	Broken bool
}

// Client is one process's connection to the API. It is an http.RoundTripper.
type Client struct {
	name string
	api  *API
	opts ClientOptions

	mu       sync.Mutex
	ordinals map[Request]int
	// broken is closed, and replaced, when the watches break; cut is closed for good.
	broken, cut chan struct{}
	// thawed is closed when the process thaws, nil while it is not frozen. frozen is when that was last.
	thawed chan struct{}
	frozen span
}

// ClientOptions are the faults of a connection. Without them nothing takes any time and nothing fails.
type ClientOptions struct {
	// Fault is asked for each call before it is sent.
	Fault func(Request) Fault
	// Lag is asked for each event of a watch: how long it takes to arrive. Events never overtake each other.
	Lag func(resource string, version int64) time.Duration
	// Late is asked when a process thaws and the time of a call is over: whether it goes on as if that were not so, sends
	// what it was about to send or takes the answer that came. Nil is never.
	Late func(Request) bool
	// Clock returns what the process's wall clock shows at a moment. Only the stamps in the leases that it writes tell
	// others of it, so only those are changed. Nil is the right time.
	Clock func(time.Time) time.Time
	// QPS and Burst are client-go's rate limit. QPS 0 means none.
	QPS   float32
	Burst int
}

// NewClient returns a connection for the process of that name.
func (a *API) NewClient(name string, opts ClientOptions) *Client {
	if opts.Fault == nil {
		opts.Fault = func(Request) Fault { return Fault{} }
	}
	if opts.Lag == nil {
		opts.Lag = func(string, int64) time.Duration { return 0 }
	}
	if opts.Late == nil {
		opts.Late = func(Request) bool { return false }
	}
	return &Client{
		name: name, api: a, opts: opts,
		ordinals: map[Request]int{},
		broken:   make(chan struct{}), cut: make(chan struct{}),
	}
}

// Config returns what client-go needs to use this connection.
func (c *Client) Config() *rest.Config {
	qps := c.opts.QPS
	if qps == 0 {
		qps = -1
	}
	return &rest.Config{
		Host:          "http://api.test",
		Transport:     c,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON},
		QPS:           qps,
		Burst:         c.opts.Burst,
	}
}

// Kube returns a clientset over this connection.
func (c *Client) Kube() kubernetes.Interface {
	return kubernetes.NewForConfigOrDie(c.Config())
}

// BreakWatches ends the watches that run now, as a restarted server or proxy does.
func (c *Client) BreakWatches() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.broken)
	c.broken = make(chan struct{})
}

// Cut ends the connection for good, as the death of the process does. What was sent before still gets there.
func (c *Client) Cut() {
	c.BreakWatches()
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.cut:
	default:
		close(c.cut)
	}
}

// RoundTrip implements http.RoundTripper.
func (c *Client) RoundTrip(r *http.Request) (*http.Response, error) {
	sent, err := parse(c.name, r)
	if err != nil {
		return nil, err
	}
	slept := c.Pass()
	select {
	case <-c.cut:
		return nil, ErrCut
	default:
	}
	sent.Ordinal = c.count(sent.Request)
	if err := r.Context().Err(); slept && err != nil && !c.opts.Late(sent.Request) {
		return nil, err
	}
	c.stamp(sent)
	fault := c.opts.Fault(sent.Request)
	answers := make(chan answer, 1)
	asked := sent.Request // from here on the call is the server's, which may name what is created
	c.send(sent, fault, answers)
	switch got := c.await(r.Context(), asked, answers); {
	case got.broken:
		return nil, fmt.Errorf("failed to %s %s %q: %w", asked.Verb, asked.Resource, asked.Name, fault.cause())
	case got.come:
		return c.response(r, got.answer), nil
	case r.Context().Err() != nil:
		return nil, r.Context().Err()
	default:
		return nil, ErrCut
	}
}

// cause is what a broken connection breaks with.
func (f Fault) cause() error {
	if f.Err != nil {
		return f.Err
	}
	return ErrBroken
}

// count returns how many calls like this one there were before.
func (c *Client) count(r Request) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.ordinals[r]
	c.ordinals[r]++
	return n
}

// send has the call carried out when it reaches the server, and its answer put into the channel when that arrives. A
// closed channel is a broken connection.
func (c *Client) send(sent *call, fault Fault, answers chan<- answer) {
	after(fault.Before, func() {
		ans, broken := c.carryOut(sent, fault)
		if fault.Lost {
			return
		}
		after(fault.After, func() {
			if broken {
				close(answers)
				return
			}
			answers <- ans
		})
	})
}

func (c *Client) carryOut(sent *call, fault Fault) (ans answer, broken bool) {
	if fault.Err == nil {
		return c.api.serve(sent), fault.Broken
	}
	ans = failure(fault.Err)
	return ans, !isStatus(fault.Err)
}

// after calls fn after d: at once, and without a goroutine, if there is nothing to wait for.
func after(d time.Duration, fn func()) {
	if d <= 0 {
		fn()
		return
	}
	time.AfterFunc(d, fn)
}

func (c *Client) response(r *http.Request, ans answer) *http.Response {
	resp := &http.Response{
		StatusCode: ans.code, Status: http.StatusText(ans.code), Request: r,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {runtime.ContentTypeJSON}},
		Body:   io.NopCloser(bytes.NewReader(ans.body)),
	}
	if ans.retryAfter > 0 {
		resp.Header.Set("Retry-After", strconv.Itoa(int(ans.retryAfter)))
	}
	if ans.watch != nil {
		resp.Body = c.stream(r.Context(), ans.watch)
	}
	return resp
}

func (c *Client) stream(ctx context.Context, s *subscription) io.ReadCloser {
	c.mu.Lock()
	defer c.mu.Unlock()
	return &stream{
		subscription: s, api: c.api, ctx: ctx,
		broken: c.broken, done: make(chan struct{}), pass: c.Pass,
		expires: time.NewTimer(s.timeout), lag: c.opts.Lag,
	}
}
