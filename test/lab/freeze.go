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
	"slices"
	"time"
)

// Freeze stops the replica's process for a while, as SIGSTOP and SIGCONT do, and returns at once. Until it thaws it
// leads what it leads, as nobody can tell it otherwise, but does nothing: a replica that leads the same bucket meanwhile
// leads alone. From the thaw on they are two.
func (r *Replica) Freeze(d time.Duration) { r.process.freeze(r.lab, d) }

// Freeze stops the process for a while, as SIGSTOP and SIGCONT do, and returns at once.
func (c *Controller) Freeze(d time.Duration) {
	c.lab.tracef("%s freezes for %v", c.Name, d)
	until := time.Now().Add(d)
	c.mu.Lock()
	restore := sleepUntil(c.elector, until)
	c.mu.Unlock()
	c.Client.Freeze()
	time.AfterFunc(d, func() {
		c.lab.tracef("%s thaws", c.Name)
		restore()
		c.Client.Thaw()
	})
}

func (p *process) freeze(l *Lab, d time.Duration) {
	l.tracef("%s freezes for %v", p.name, d)
	until := time.Now().Add(d)
	p.frozen.Store(true)
	p.ledger.Freeze(p.name)
	p.mu.Lock()
	restores := make([]func(), 0, len(p.electors))
	for _, e := range p.electors {
		restores = append(restores, sleepUntil(e, until))
	}
	p.mu.Unlock()
	p.client.Freeze()
	time.AfterFunc(d, func() {
		l.tracef("%s thaws", p.name)
		for _, restore := range restores {
			restore()
		}
		p.frozen.Store(false)
		p.client.Thaw()
		p.ledger.Thaw(p.name)
		// What it does at once belongs to the thaw: one whose time was over gives up in the same instant.
		time.AfterFunc(time.Nanosecond, func() { l.thawed(p) })
	})
}

// thawed checks the invariants after a process thawed.
func (l *Lab) thawed(p *process) {
	for _, bucket := range l.Ledger.Buckets() {
		leaders := l.Ledger.Leaders(bucket)
		l.mu.Lock()
		if slices.Contains(leaders, p.name) && l.leading(leaders) > 1 {
			l.violate(OneLeader, "%s is led by %v since %s thawed", bucket, leaders, p.name)
		}
		l.mu.Unlock()
	}
}
