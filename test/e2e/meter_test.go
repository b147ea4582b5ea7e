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
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tektoncd/leases-controller/test/bench"
	"github.com/tektoncd/leases-controller/test/witness"
)

// meter reads once a second what Tekton's replicas, the API server and the machine
// use, until it is stopped.
type meter struct {
	*cluster
	processes string
	stop      chan struct{}
	stopped   chan struct{}

	begun, ended  time.Time
	replicas      map[string]*gauge
	apiServer     gauge
	busy, elapsed time.Duration
}

// gauge is what is known of one process, and of those that took its place.
type gauge struct {
	pid       int
	cpu, used time.Duration // until the last reading, and since the first one
	metrics   bench.Metrics
	depth     float64 // the most
	requests  float64 // since the first reading
}

// startMeter begins to read.
func (c *cluster) startMeter() *meter {
	c.t.Helper()
	m := &meter{
		cluster: c, processes: c.processes(), stop: make(chan struct{}), stopped: make(chan struct{}),
		begun: time.Now(), replicas: map[string]*gauge{},
	}
	busy, elapsed, err := machine()
	c.must(err)
	for _, pod := range c.replicas() {
		m.replicas[pod] = &gauge{}
	}
	m.read()
	for _, g := range m.all() {
		g.used, g.requests = 0, 0 // what was before does not count
	}
	go func() {
		defer close(m.stopped)
		for {
			select {
			case <-time.After(time.Second):
				m.read()
			case <-m.stop:
				m.read()
				m.ended = time.Now()
				return
			}
		}
	}()
	c.t.Cleanup(func() { m.end() })
	m.busy, m.elapsed = busy, elapsed
	return m
}

// end stops it, if it runs.
func (m *meter) end() {
	select {
	case <-m.stopped:
	case m.stop <- struct{}{}:
		<-m.stopped
	}
}

func (m *meter) all() []*gauge {
	all := []*gauge{&m.apiServer}
	for _, g := range m.replicas {
		all = append(all, g)
	}
	return all
}

func (m *meter) read() {
	for pod, g := range m.replicas {
		g.readCPU(m.pid(m.processes, pod, witness.TektonController))
		if now, err := m.metrics(pod); err == nil { // it may be about to start
			g.readMetrics(now)
		}
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(m.processes), "control-plane", "kube-apiserver.pid"))
	if err != nil {
		return
	}
	if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
		m.apiServer.readCPU(pid)
	}
}

// readCPU adds what the process has used since the last reading; all that it has, if
// it is a new one.
func (g *gauge) readCPU(pid int) {
	now, err := cpuTime(pid)
	if err != nil {
		return // it has just ended
	}
	if pid != g.pid {
		g.pid, g.cpu = pid, 0
	}
	g.used, g.cpu = g.used+now-g.cpu, now
}

// readMetrics does so with its requests.
func (g *gauge) readMetrics(now bench.Metrics) {
	if now.Requests < g.metrics.Requests { // it was restarted
		g.metrics = bench.Metrics{}
	}
	g.depth = max(g.depth, now.Depth)
	g.requests, g.metrics = g.requests+now.Requests-g.metrics.Requests, now
}

// metricsTimeout is how long a replica may take to answer.
const metricsTimeout = 500 * time.Millisecond

// metrics asks a replica.
func (m *meter) metrics(pod string) (bench.Metrics, error) {
	address, err := m.metricsAddress(m.processes, pod)
	if err != nil {
		return bench.Metrics{}, err
	}
	answer, err := (&http.Client{Timeout: metricsTimeout}).Get("http://" + address + "/metrics")
	if err != nil {
		return bench.Metrics{}, fmt.Errorf("failed to ask for metrics: %w", err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return bench.Metrics{}, fmt.Errorf("failed to read metrics: %w", err)
	}
	return bench.ReadMetrics(string(text))
}

// fill stops the meter, and puts what it has read into a result.
func (m *meter) fill(r *bench.Result) {
	m.t.Helper()
	m.end()
	busy, elapsed, err := machine()
	m.must(err)
	seconds := m.ended.Sub(m.begun).Seconds()
	for _, g := range m.replicas {
		r.Depth = max(r.Depth, g.depth)
		r.CPU = append(r.CPU, g.used.Seconds()/seconds)
		r.Requests = append(r.Requests, g.requests/seconds)
	}
	descending := func(a, b float64) int { return cmp.Compare(b, a) }
	slices.SortFunc(r.CPU, descending)
	slices.SortFunc(r.Requests, descending)
	r.APIServer = m.apiServer.used.Seconds() / seconds
	r.Machine = (busy - m.busy).Seconds() / (elapsed - m.elapsed).Seconds()
}

// machine is how long the machine's processors were busy since it started, and how
// long they were there, in sum. In /proc/stat the first line has the ticks of user,
// nice, system, idle, iowait and others.
func machine() (busy, elapsed time.Duration, err error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, 0, fmt.Errorf("failed to read what the machine does: %w", err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	fields := strings.Fields(line)[1:9] // guests are in user
	elapsed, err = sumTicks(fields)
	idle, idleErr := sumTicks(fields[3:5])
	return elapsed - idle, elapsed, errors.Join(err, idleErr)
}
