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

package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/leadership"
)

// lease is what a Lease object says about one bucket.
type lease struct {
	name, queue, bucket string
	// holder is the replica that holds it; empty while none does.
	holder string
	// last is the replica that held it last.
	last string
	// ours tells that the leases controller holds it, until last has stopped.
	ours bool
	// deleted tells that the object is gone, and not merely without a holder.
	deleted bool
	// since is when it got its holder, or when it lost its last one.
	since time.Time
}

// inTransit tells that the lease has been taken from its last holder and has
// no new one yet.
func (l lease) inTransit() bool { return l.holder == "" && l.last != "" }

// replica is a pod of Tekton's controller.
type replica struct {
	name, uid string
	created   time.Time
	state     string
	ready     bool
	// readyAt is when it became Ready, by its pod's condition.
	readyAt time.Time
}

// snapshot is the picture at one moment: leases by name, replicas by age.
type snapshot struct {
	leases   []lease
	replicas []replica
}

// board is what the API server tells about leases and pods.
type board struct {
	mu       sync.Mutex
	leases   map[string]lease
	replicas map[string]replica
	// taken are the times at which a lease got a holder.
	taken []time.Time
	// moved are the changes that were not told yet.
	moved []move
	// ownStart is when the first process of the leases controller started.
	ownStart time.Time
}

// move is a change of one lease that is worth telling.
type move struct {
	before, after lease
}

func newBoard() *board {
	return &board{leases: map[string]lease{}, replicas: map[string]replica{}}
}

// setLease takes in what a Lease says now; the identity may be empty.
func (b *board) setLease(name, identity string, now time.Time) {
	b.change(name, identity, false, now)
}

// deleteLease takes in that a Lease was deleted.
func (b *board) deleteLease(name string, now time.Time) {
	b.change(name, "", true, now)
}

func (b *board) change(name, identity string, deleted bool, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := b.leases[name]
	queue, number := leadership.Queue(name)
	after := lease{name: name, queue: leadership.ShortQueue(queue), bucket: shortBucket(number), last: before.last, deleted: deleted, since: now}
	after.ours = bucket.IsOwn(identity)
	if !after.ours {
		after.holder = leadership.Replica(identity)
	}
	if after.holder != "" {
		after.last = after.holder
	}
	if before.holder == after.holder && before.ours == after.ours && before.name != "" {
		return
	}
	if after.holder != "" {
		b.taken = append(b.taken, now)
	}
	if before.inTransit() && after.inTransit() {
		after.since = before.since
	}
	b.leases[name] = after
	b.moved = append(b.moved, move{before: before, after: after})
}

func (b *board) setReplica(r replica) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.replicas[r.uid] = r
}

func (b *board) removeReplica(uid string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.replicas, uid)
}

// ownStarted takes in that a process of the leases controller started.
func (b *board) ownStarted(at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ownStart.IsZero() || at.Before(b.ownStart) {
		b.ownStart = at
	}
}

func (b *board) ownStartedAt() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ownStart
}

// takenSince counts how often a lease got a holder from a moment on.
func (b *board) takenSince(from time.Time) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	count := 0
	for _, at := range b.taken {
		if !at.Before(from) {
			count++
		}
	}
	return count
}

// moves returns the changes since the last call.
func (b *board) moves() []move {
	b.mu.Lock()
	defer b.mu.Unlock()
	moved := b.moved
	b.moved = nil
	return moved
}

func (b *board) snapshot() snapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := snapshot{
		leases:   slices.Collect(maps.Values(b.leases)),
		replicas: slices.Collect(maps.Values(b.replicas)),
	}
	slices.SortFunc(s.leases, func(x, y lease) int { return cmp.Compare(x.name, y.name) })
	slices.SortFunc(s.replicas, func(x, y replica) int {
		return cmp.Or(x.created.Compare(y.created), cmp.Compare(x.name, y.name))
	})
	return s
}

// shortBucket is "03" of "03-of-10".
func shortBucket(bucket string) string {
	number, _, _ := strings.Cut(bucket, "-of-")
	return number
}

// shortReplica is what the name of a pod ends with, which tells the pods of
// one Deployment apart.
func shortReplica(name string) string {
	return name[strings.LastIndex(name, "-")+1:]
}
