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
	"fmt"
	"strconv"
	"strings"
)

// The metrics of Tekton's controllers that are read.
const (
	depthMetric    = "kn_workqueue_depth"
	requestsMetric = "kn_k8s_client_http_response_status_code_total"
)

// Metrics are what a replica tells of itself at a moment.
type Metrics struct {
	// Depth is how many keys wait in its work queues, Requests how many requests it
	// has made so far.
	Depth, Requests float64
}

// ReadMetrics sums up what a replica's metrics endpoint answers.
func ReadMetrics(text string) (m Metrics, err error) {
	for line := range strings.Lines(text) {
		name, rest, _ := strings.Cut(line, "{")
		sum := map[string]*float64{depthMetric: &m.Depth, requestsMetric: &m.Requests}[name]
		if sum == nil {
			continue
		}
		fields := strings.Fields(rest[strings.LastIndex(rest, "}")+1:])
		if len(fields) == 0 {
			return Metrics{}, fmt.Errorf("failed to read metric %q: no value", line)
		}
		value, err := strconv.ParseFloat(fields[0], 64)
		if err != nil {
			return Metrics{}, fmt.Errorf("failed to read metric %q: %w", line, err)
		}
		*sum += value
	}
	return m, nil
}
