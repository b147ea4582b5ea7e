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
	"context"
	"time"
)

// span is a time in which a process was frozen.
type span struct{ from, to time.Time }

// Freeze stops the process behind this connection, as SIGSTOP does: it sends nothing and hears of nothing until it
// thaws. What it had sent before still gets there. Goroutines cannot be stopped, so they are where they meet the world:
// before a call is sent, after its answer came, and before an event of a watch is delivered. Nothing but Thaw and Cut
// ends that, no deadline either: who is frozen notices nothing.
func (c *Client) Freeze() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.thawed == nil {
		c.thawed = make(chan struct{})
		c.frozen = span{from: time.Now()}
	}
}

// Thaw ends Freeze. Answers and events that came meanwhile are delivered now.
func (c *Client) Thaw() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.thawed != nil {
		c.frozen.to = time.Now()
		close(c.thawed)
		c.thawed = nil
	}
}

// Pass waits as long as the process is frozen. It tells whether it was, and is for goroutines of the process that meet
// the world in another way than by calls. It also returns when the connection is cut.
func (c *Client) Pass() (slept bool) {
	for {
		c.mu.Lock()
		thawed := c.thawed
		c.mu.Unlock()
		if thawed == nil {
			return slept
		}
		slept = true
		select {
		case <-thawed:
		case <-c.cut:
			return slept
		}
	}
}

// reply is how a call ended for its caller.
type reply struct {
	answer
	// come: there is an answer, or with broken the news that there will be none.
	come, broken bool
}

// await waits for the answer to a call. Where a process thaws after both the answer and the end of the caller's time
// have come, chance decides which of them it sees.
func (c *Client) await(ctx context.Context, r Request, answers <-chan answer) reply {
	var got reply
	select {
	case got.answer, got.come = <-answers:
		got.broken, got.come = !got.come, true
	case <-ctx.Done():
	case <-c.cut:
	}
	if !c.Pass() {
		return got
	}
	if !got.come {
		select {
		case got.answer, got.come = <-answers:
			got.broken, got.come = !got.come, true
		default:
		}
	}
	if got.come && ctx.Err() != nil && !c.opts.Late(r) {
		got.come = false
	}
	return got
}
