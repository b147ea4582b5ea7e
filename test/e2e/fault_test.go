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
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tektoncd/leases-controller/test/bench"
)

// fault is what happens to one of two replicas.
type fault struct {
	name   string
	happen func(c *cluster, processes, victim string)
}

// faults are those that are measured, by the part of the benchmark.
var faults = map[string]fault{
	"killed": {"killed once", (*cluster).kill},
	"crashing": {"killed three times", func(c *cluster, processes, victim string) {
		c.kill(processes, victim)
		for range 2 {
			c.wait(startUp, "the end of its process", func() bool { return !slices.Contains(c.replicas(), victim) })
			c.wait(startUp, "its restart", func() bool { return slices.Contains(c.replicas(), victim) })
			c.kill(processes, victim)
		}
	}},
	"cut-off": {"cut off for 2 minutes", func(c *cluster, processes, victim string) {
		partition := filepath.Join(processes, c.namespace+"_"+victim, "partition")
		c.must(os.WriteFile(partition, nil, 0o600))
		time.Sleep(cutOff)
		c.must(os.Remove(partition))
	}},
}

const (
	// cutOff is for how long a replica is cut off.
	cutOff = 2 * time.Minute
	// aroundFault is how many PipelineRuns are created around a fault, one every
	// betweenRuns, which one replica alone can do; the fault comes after beforeFault.
	aroundFault = 75
	beforeFault = 20 * time.Second
)

// faultWithLeases measures the fault with even leases, with us and then without us.
func (b *benchmark) faultWithLeases(t *testing.T, f fault) {
	c := connectTo(t, benchSetting("default", "fault"))
	c.led(1)
	c.scale(2)
	c.evenByUs()
	b.around(c, f, bench.Even)
	c.replaceRestarted()
	c.wait(settling, "an even spread", c.evenAsDeployed)
	c.uninstallAtOnce()
	c.wait(startUp, "our end", func() bool { return len(c.pods(t.Context())) == 2 })
	b.around(c, f, bench.Plain)
}

// faultWithOrdinals measures it with a StatefulSet's ordinals.
func (b *benchmark) faultWithOrdinals(t *testing.T, f fault) {
	c := connectToOrdinals(t, benchSetting("default", "ordinals"), 2)
	b.around(c, f, bench.Ordinals)
}

// around creates PipelineRuns one after the other, and has the older replica suffer
// a fault in the middle.
func (b *benchmark) around(c *cluster, f fault, leases bench.Leases) {
	c.t.Helper()
	processes, victim := c.processes(), c.oldestWellKnown()
	l := c.followLives()
	result := bench.Result{Cell: bench.Cell{Replicas: 2, Settings: "default", Leases: leases, Fault: f.name}}
	m := c.startMeter()
	begun := time.Now()
	created := make(chan struct{})
	go func() {
		defer close(created)
		l.create(aroundFault, betweenRuns)
	}()
	time.Sleep(beforeFault)
	f.happen(c, processes, victim)
	<-created
	l.fill(&result, aroundFault)
	result.Took = time.Since(begun).Seconds()
	m.fill(&result)
	l.remove(aroundFault)
	b.add(c, result)
}
