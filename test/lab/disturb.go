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
	"fmt"
	"strings"
	"syscall"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// Who tells the processes that something happens to by the names of their clients.
type Who func(client string) bool

// Everybody is every elector and every process of our controller. The administrator, the kubelet and the controllers
// that the lab plays are never disturbed.
func Everybody(string) bool { return true }

// Electors are the processes of the managed Deployment.
func Electors(client string) bool { return strings.HasPrefix(client, Deployment+"-") }

// Ours are the processes of our controller.
func Ours(client string) bool { return strings.HasPrefix(client, controllerName+"-") }

// Itself is Who for one replica: each process that its pod has run or will run.
func (r *Replica) Itself(client string) bool { return strings.HasPrefix(client, r.Name+"#") }

// Itself is Who for one process of our controller.
func (c *Controller) Itself(client string) bool { return client == c.Name }

// Disturbance is something that goes wrong between processes and the API server.
type Disturbance struct {
	name string
	// call turns what would become of a call into what becomes of it now.
	call func(o odds, r leasestesting.Request, f leasestesting.Fault) leasestesting.Fault
	// lag is how much later an event of a watch arrives.
	lag func(o odds) time.Duration
	// breaks: the watches break when it begins.
	breaks bool
}

// pingTimeout is how long a client takes to notice that its connection is dead: client-go pings the server after 30 s
// of silence, and waits 15 s for the answer.
const pingTimeout = 45 * time.Second

// Refused is an API server that is away: watches break and calls fail at once.
func Refused() Disturbance {
	return Disturbance{name: "refused", breaks: true, call: func(_ odds, _ leasestesting.Request, f leasestesting.Fault) leasestesting.Fault {
		f.Err = syscall.ECONNREFUSED
		return f
	}}
}

// Silent is a network that swallows what is sent: no call is carried out and none is answered. Callers that set no
// time limit themselves find out when the connection is found dead.
func Silent() Disturbance {
	return Disturbance{name: "silent", breaks: true, call: func(_ odds, _ leasestesting.Request, f leasestesting.Fault) leasestesting.Fault {
		f.Err, f.After = leasestesting.ErrBroken, pingTimeout
		return f
	}}
}

// Stuck is a network that holds back what is sent, and delivers it when the disturbance ends: also calls whose callers
// have given up by then.
func Stuck() Disturbance {
	return Disturbance{
		name: "stuck",
		call: func(o odds, _ leasestesting.Request, f leasestesting.Fault) leasestesting.Fault {
			f.Before += o.left
			return f
		},
		lag: func(o odds) time.Duration { return o.left },
	}
}

// Slow has each call take so long, there and back, and each event half of it.
func Slow(takes Range) Disturbance {
	return Disturbance{
		name: "slow",
		call: func(o odds, _ leasestesting.Request, f leasestesting.Fault) leasestesting.Fault {
			f.Before += o.between(takes.half(), "slow there")
			f.After += o.between(takes.half(), "slow back")
			return f
		},
		lag: func(o odds) time.Duration { return o.between(takes.half(), "slow event") },
	}
}

// Late has the answers come so much later than what they answer was done.
func Late(answers Range) Disturbance {
	return Disturbance{name: "late", call: func(o odds, _ leasestesting.Request, f leasestesting.Fault) leasestesting.Fault {
		f.After += o.between(answers, "late")
		return f
	}}
}

// Lossy loses answers with the probability given: what was asked for is done, but who asked never hears of it. Callers
// that set no time limit themselves find out when the connection is found dead.
func Lossy(p float64) Disturbance {
	return Disturbance{name: "lossy", call: func(o odds, _ leasestesting.Request, f leasestesting.Fault) leasestesting.Fault {
		if o.happens(p, "lossy") {
			f.Broken, f.After = true, pingTimeout
		}
		return f
	}}
}

// Failing has calls fail with the probability given, each with one of the errors.
func Failing(p float64, errs ...error) Disturbance {
	return Disturbance{name: "failing", call: func(o odds, _ leasestesting.Request, f leasestesting.Fault) leasestesting.Fault {
		if o.happens(p, "failing") {
			f.Err = errs[o.roll(int64(len(errs)), append(o.about, "failing with")...)]
		}
		return f
	}}
}

// Stale has each event of a watch arrive so much later.
func Stale(events Range) Disturbance {
	return Disturbance{name: "stale", lag: func(o odds) time.Duration { return o.between(events, "stale") }}
}

// What an API server in trouble answers.
var (
	leases = schema.GroupResource{Group: "coordination.k8s.io", Resource: "leases"}

	ErrConflict    error = apierrors.NewConflict(leases, "any", fmt.Errorf("the object has been modified"))
	ErrTooMany     error = apierrors.NewTooManyRequests("too many requests", 1)
	ErrInternal    error = apierrors.NewInternalError(fmt.Errorf("etcdserver: leader changed"))
	ErrUnavailable error = apierrors.NewServiceUnavailable("apiserver is shutting down")
	ErrTimeout     error = apierrors.NewTimeoutError("request did not complete within the allotted timeout", 0)
)

// disturbance is one that was begun.
type disturbance struct {
	Disturbance
	who   Who
	until time.Time
}

// Disturb has something go wrong for the processes given, for so long or until end is called. Several disturbances
// add up, in the order in which they begin. Calls and events on their way meet only those that were on when they were
// sent.
func (l *Lab) Disturb(who Who, d Disturbance, lasts time.Duration) (end func()) {
	begun := &disturbance{Disturbance: d, who: who, until: time.Now().Add(lasts)}
	l.tracef("the network is %s for %v", d.name, lasts)
	l.mu.Lock()
	l.disturbances = append(l.disturbances, begun)
	l.mu.Unlock()
	if d.breaks {
		l.BreakWatches(who)
	}
	return func() {
		l.tracef("the network is not %s any more", d.name)
		l.mu.Lock()
		defer l.mu.Unlock()
		begun.until = time.Now()
	}
}

// BreakWatches ends the watches of our controller's processes among those given. They go on from where they were, and
// list again if the API was told to Compact before.
func (l *Lab) BreakWatches(who Who) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.running {
		if who(c.Name) {
			c.Client.BreakWatches()
		}
	}
}

// disturbed returns what goes wrong for a client now, and how long each of it still lasts.
func (l *Lab) disturbed(client string) (on []Disturbance, left []time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range l.disturbances {
		if lasts := time.Until(d.until); lasts > 0 && d.who(client) {
			on, left = append(on, d.Disturbance), append(left, lasts)
		}
	}
	return on, left
}

// odds draw for one call or event.
type odds struct {
	dice
	about []any
	// left is how long the disturbance still lasts.
	left time.Duration
}

func (o odds) happens(p float64, what string) bool {
	const fine = 1 << 30
	return float64(o.roll(fine, append(o.about, what)...)) < p*fine
}

func (o odds) between(r Range, what string) time.Duration {
	return o.dice.between(r.Low, r.High, append(o.about, what)...)
}
