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

package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Leases is how the replicas share their work.
type Leases string

// The ways to share it.
const (
	// OnOne: one replica holds all leases, as after any restart or scale-up.
	OnOne Leases = "all leases on one"
	// Even: the leases controller has made them even.
	Even Leases = "even, by us"
	// Plain: they are as even, but the leases controller is gone.
	Plain Leases = "even, without us"
	// Ordinals: there are no leases, each pod of a StatefulSet has its bucket.
	Ordinals Leases = "StatefulSet ordinals"
)

// Cell is what is measured.
type Cell struct {
	Replicas int `json:"replicas"`
	// Settings are those of Tekton's controller, by name.
	Settings string `json:"settings"`
	Leases   Leases `json:"leases"`
	// Fault is what happens to one replica in the middle, if anything does.
	Fault string `json:"fault,omitempty"`
}

// Result is what came of it in one run.
type Result struct {
	Cell
	PipelineRuns int `json:"pipelineruns"`
	// Took is how long it took until all were done, in seconds; Began50 and Began95
	// how long it took from the creation of a PipelineRun to that of its first TaskRun,
	// at the median and for 95 of 100.
	Took    float64 `json:"took_s"`
	Began50 float64 `json:"began_p50_s"`
	Began95 float64 `json:"began_p95_s"`
	// Waited is how many waited for a controller for more than 30 s at a stretch, and
	// Longest how long one waited at the most.
	Waited  int     `json:"waited"`
	Longest float64 `json:"longest_wait_s"`
	// Depth is how many keys the work queues of one replica had at the most.
	Depth float64 `json:"queue_depth"`
	// CPU has the cores that each replica used, the greatest first, and Requests its
	// requests in a second.
	CPU      []float64 `json:"replica_cores"`
	Requests []float64 `json:"replica_requests_per_s"`
	// APIServer are the cores that the API server used, and Machine the share of the
	// machine's that were busy.
	APIServer float64 `json:"api_server_cores"`
	Machine   float64 `json:"machine_busy"`
}

// Read returns the results in a text, one JSON object after another.
func Read(text string) ([]Result, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	var all []Result
	for {
		var r Result
		if err := decoder.Decode(&r); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("failed to read result %d: %w", len(all)+1, err)
		}
		all = append(all, r)
	}
}
