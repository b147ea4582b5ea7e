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

package record

import (
	"fmt"
	"strconv"
	"strings"
)

// Strategies of our controller, and None for a cluster without it.
const (
	Handover = "handover"
	Delete   = "delete"
	None     = "none"
)

// The timings of the electors, as <lease duration>/<renew deadline>/<retry period> in seconds.
const (
	// Tekton are the defaults of Tekton's controllers.
	Tekton = "60/40/10"
	// ClientGo are those of client-go, and what Tekton's documentation gives as an example.
	ClientGo = "15/10/2"
	// OpenShift are those of OpenShift Pipelines.
	OpenShift = "137/107/26"
)

// Sizes of the Deployment.
const (
	// Fixed is 2 replicas and 10 buckets in each queue.
	Fixed = "2x10"
	// Drawn: the seed decides on the replicas and the buckets.
	Drawn = "any"
)

// Row is what the runs of one row of the table have in common.
type Row struct {
	Scenario, Strategy, Timings, Size string
}

// Setting is one run; it repeats exactly.
type Setting struct {
	Row
	Replicas, Buckets int
	Seed              int64
}

// String writes the setting so that Parse reads it: "scenario=restart strategy=handover ...".
func (s Setting) String() string {
	return fmt.Sprintf("scenario=%s strategy=%s timings=%s size=%s replicas=%d buckets=%d seed=%d",
		strings.ReplaceAll(s.Scenario, " ", "-"), s.Strategy, s.Timings, s.Size, s.Replicas, s.Buckets, s.Seed)
}

// Parse reads what String wrote. What is left out is as in the RESULT line: the scenario restart, strategy handover,
// Tekton's timings, 2 replicas, 10 buckets, seed 1.
func Parse(text string) (Setting, error) {
	s := Setting{Row: Row{"restart", Handover, Tekton, Fixed}, Replicas: 2, Buckets: 10, Seed: 1}
	for _, field := range strings.Fields(text) {
		key, value, _ := strings.Cut(field, "=")
		if err := s.set(key, value); err != nil {
			return s, fmt.Errorf("failed to read %q: %w", field, err)
		}
	}
	return s, nil
}

func (s *Setting) set(key, value string) (err error) {
	switch key {
	case "scenario":
		s.Scenario = strings.ReplaceAll(value, "-", " ")
	case "strategy":
		s.Strategy = value
	case "timings":
		s.Timings = value
	case "size":
		s.Size = value
	case "replicas":
		s.Replicas, err = strconv.Atoi(value)
	case "buckets":
		s.Buckets, err = strconv.Atoi(value)
	case "seed":
		s.Seed, err = strconv.ParseInt(value, 10, 64)
	default:
		err = fmt.Errorf("a setting has no %q", key)
	}
	return err
}
