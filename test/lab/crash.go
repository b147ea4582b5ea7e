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
	"strings"
	"sync"
	"time"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// Moment is when, around one of its writes, a process dies.
type Moment string

const (
	// Unsent is right before it would send the write.
	Unsent Moment = "unsent"
	// Unanswered says that the write is carried out, but the process dies before it hears of that.
	Unanswered Moment = "unanswered"
	// Answered is right after the answer came.
	Answered Moment = "answered"
)

// crash is the death of a process of ours at one of its writes.
type crash struct {
	controller *Controller
	write      int
	at         Moment

	mu    sync.Mutex
	count int
	dead  bool
}

// around returns the faults of the controller's connection with the crash in it. Writes that are sent at once are
// counted as they reach the server, one by one, and the process is dead from there on: so the same seed always leaves
// the same behind.
func (c *crash) around(network func(leasestesting.Request) leasestesting.Fault) func(leasestesting.Request) leasestesting.Fault {
	return func(r leasestesting.Request) leasestesting.Fault {
		fault := network(r)
		if r.Resource != "leases" || !isWrite(r.Verb) || strings.HasPrefix(r.Name, controllerName+".") {
			return fault
		}
		time.Sleep(fault.Before)
		fault.Before = 0
		c.mu.Lock()
		defer c.mu.Unlock()
		if r.Verb == "create" && c.count == 0 {
			return fault // of its own lease: a request to create does not name what it creates
		}
		c.count++
		if c.dead || c.count == c.write && c.at == Unsent {
			c.die()
			return leasestesting.Fault{Err: leasestesting.ErrCut, Lost: true}
		}
		if c.count == c.write && c.at == Unanswered {
			c.die()
		}
		if c.count == c.write && c.at == Answered {
			time.AfterFunc(fault.After+time.Microsecond, func() {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.die()
			})
		}
		return fault
	}
}

// die ends the process. It does not wait for that: the process itself may be what calls it. c.mu is held.
func (c *crash) die() {
	if c.dead {
		return
	}
	c.dead = true
	c.controller.Client.Cut()
	go c.controller.Kill()
}

func isWrite(verb string) bool {
	return verb == "create" || verb == "update" || verb == "patch" || verb == "delete"
}

// Died reports whether the process has died at the write that it was to die at.
func (c *Controller) Died() bool {
	if c.crash == nil {
		return false
	}
	c.crash.mu.Lock()
	defer c.crash.mu.Unlock()
	return c.crash.dead
}
