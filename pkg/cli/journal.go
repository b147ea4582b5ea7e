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

package cli

import (
	"slices"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/leadership"
)

// change is a lease that changed hands.
type change struct {
	at    time.Time
	lease string
	// from and to are identities, "" for nobody. A hold of the leases controller
	// is one.
	from, to string
}

// journal writes down which leases change hands.
type journal struct {
	mu      sync.Mutex
	records map[string]record
	changes []change
}

// record is what a lease was last seen with.
type record struct {
	holder string
	stamp  time.Time
	ends   time.Time // when it expires if it is not renewed
}

func newJournal() *journal { return &journal{records: map[string]record{}} }

// saw is a watcher.
func (j *journal) saw(name string, lease *coordinationv1.Lease, now time.Time) {
	if _, _, err := bucket.Parse(name); err != nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	before, known := j.records[name]
	var r record
	if lease != nil {
		r.holder = ptr.Deref(lease.Spec.HolderIdentity, "")
		if lease.Spec.RenewTime != nil {
			r.stamp = lease.Spec.RenewTime.Time
		}
		r.ends = now.Add(time.Duration(ptr.Deref(lease.Spec.LeaseDurationSeconds, 0)) * time.Second)
	}
	if known && r.holder == before.holder && r.stamp.Equal(before.stamp) {
		return // nothing was renewed
	}
	j.records[name] = r
	j.note(name, before.holder, r.holder, now)
}

// expire writes down that leases were not renewed in time.
func (j *journal) expire(now time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for name, r := range j.records {
		if r.holder != "" && now.After(r.ends) {
			j.note(name, r.holder, "", r.ends)
			r.holder = ""
			j.records[name] = r
		}
	}
}

func (j *journal) note(lease, from, to string, now time.Time) {
	if from != to {
		j.changes = append(j.changes, change{now, lease, from, to})
	}
}

// since returns the changes from the one with that number on.
func (j *journal) since(n int) []change {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.changes[min(n, len(j.changes)):])
}

// moved counts the leases chosen that somebody else has than at first. One that
// was in a handover at first had moved as soon as somebody had it.
func (j *journal) moved(chosen func(lease string) bool) int {
	first, moved := map[string]string{}, map[string]bool{}
	for _, c := range j.since(0) {
		to := leadership.Replica(c.to)
		before, known := first[c.lease]
		switch {
		case !chosen(c.lease):
		case !known:
			first[c.lease] = to
		case to == before:
			delete(moved, c.lease)
		case to != "" && !bucket.IsOwn(c.to):
			moved[c.lease] = true
		}
	}
	return len(moved)
}

// timeline is the history of the leases chosen, up to a moment. While the leases
// controller holds a lease, the history has nobody.
func (j *journal) timeline(until time.Time, chosen func(lease string) bool) leadership.Timeline {
	j.mu.Lock()
	defer j.mu.Unlock()
	var p leadership.Process
	note := func(c change, identity string, leads bool) {
		if identity != "" && !bucket.IsOwn(identity) {
			p.Changes = append(p.Changes, leadership.Change{Time: c.at, Identity: identity, Lease: c.lease, Leads: leads})
		}
	}
	for _, c := range j.changes {
		if chosen(c.lease) {
			note(c, c.from, false)
			note(c, c.to, true)
		}
	}
	var names []string
	for name := range j.records {
		if chosen(name) {
			names = append(names, name)
		}
	}
	return leadership.Build(until, []leadership.Process{p}, names...)
}
