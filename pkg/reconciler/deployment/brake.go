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
	"errors"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/tektoncd/leases-controller/pkg/observe"
)

const (
	// troubleWindow is how long a sign of trouble counts: several times the
	// pause between two tries of a call that fails (maxBackoff), so that trouble
	// that lasts is not taken for over between them, and three retry periods at
	// Tekton's defaults, in which all holders renew if it is over.
	troubleWindow = 30 * time.Second
	// troubleFailures is how many calls of ours must have failed within it. One
	// or two are what a server that is rolled, or a connection that breaks, costs.
	troubleFailures = 3
	// troubleProcesses is how many processes must be silent at once: one alone
	// is in trouble itself.
	troubleProcesses = 2
	// keptCalls bounds what is remembered: more calls than 30 leases make in the
	// window.
	keptCalls = 256
	// denialCounts is how long a call that was forbidden counts: longer than a
	// right that lacks keeps from trying again. A write that is allowed ends it.
	denialCounts = 10 * time.Minute
)

// brake tells when the API is in trouble: most of our own calls fail, several
// processes renew none of their leases, or a probe fails. No move begins then. It resets itself a
// troubleWindow after the last sign. It is safe for concurrent use.
type brake struct {
	mu     sync.Mutex
	calls  []call
	failed int       // how many calls failed so far
	sign   time.Time // when processes were silent, or a probe failed, last

	// denial is what a server that allows a call of ours no more has said last, and
	// deniedAt when.
	denial   string
	deniedAt time.Time
}

// call is one of our calls.
type call struct {
	at     time.Time
	failed bool
}

// note remembers how a call ended. An answer that refuses a write because the
// lease has changed is one of a healthy server.
func (b *brake) note(now time.Time, err error) {
	failed := err != nil && !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) && !apierrors.IsAlreadyExists(err)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.deny(now, err)
	b.calls = append(b.calls, call{now, failed})
	if failed {
		b.failed++
	}
	if len(b.calls) > keptCalls {
		b.calls = b.calls[1:]
	}
}

// deny remembers what was forbidden, without the name of the lease, so that it is
// the same for all of them.
func (b *brake) deny(now time.Time, err error) {
	var answer apierrors.APIStatus
	if !apierrors.IsForbidden(err) || !errors.As(err, &answer) {
		return
	}
	b.deniedAt, b.denial = now, answer.Status().Message
	if _, why, ok := strings.Cut(b.denial, " is forbidden: "); ok {
		b.denial = why
	}
}

// allow forgets what was forbidden: a write of ours was not.
func (b *brake) allow() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.denial = ""
}

// denied is what we lack a right for, if we do.
func (b *brake) denied(now time.Time) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now.Sub(b.deniedAt) >= denialCounts {
		return ""
	}
	return b.denial
}

// count is how many calls have failed so far.
func (b *brake) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failed
}

// look remembers what a view shows: most of the eligible processes that lead
// something, and troubleProcesses at least, are silent. The busiest holders
// renew late, but some of their leases every few seconds; so one and a half
// retry periods without any are silence.
func (b *brake) look(now time.Time, view observe.View, retryPeriod time.Duration) {
	leading, silent := 0, 0
	for _, r := range view.Replicas {
		if r.Standing != "" || r.Process.Leases == 0 {
			continue
		}
		leading++
		if r.Process.Silence > retryPeriod*3/2 {
			silent++
		}
	}
	if silent >= troubleProcesses && 2*silent >= leading {
		b.trip(now, nil)
	}
}

// trip remembers a sure sign of trouble, with the error of the call that
// was one, if it was.
func (b *brake) trip(now time.Time, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sign = now
	b.deny(now, err)
}

// on tells whether the API is in trouble.
func (b *brake) on(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.sign.IsZero() && now.Sub(b.sign) < troubleWindow {
		return true
	}
	made, failed := 0, 0
	for _, c := range b.calls {
		if now.Sub(c.at) >= troubleWindow {
			continue
		}
		made++
		if c.failed {
			failed++
		}
	}
	return failed >= troubleFailures && 2*failed >= made
}
