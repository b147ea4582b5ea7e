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
	"hash/fnv"
	"math/rand/v2"
	"slices"
)

// Scenarios are all that the table is made of, in its order.
var Scenarios = []string{
	"cold start", "restart", "killed", "scale out and in", "rolling update", "flapping",
	"slow API", "API outage", "lost answers", "our crash", "two of us",
}

// aboutUs are the scenarios that are nothing without our controller.
var aboutUs = []string{"our crash", "two of us"}

// Replicas and MaxBuckets bound what is drawn for a run.
var (
	replicas   = []int{2, 3, 5, 10}
	maxBuckets = 10
)

// Shares of the runs of the first row that the other rows get: those that the table compares the first row with, and
// all others.
const (
	compared = 20
	others   = 200
)

// Rows are all rows of the table. The first one is what RESULT is about.
func Rows() []Row {
	rows := []Row{
		{"restart", Handover, Tekton, Fixed},
		{"restart", Delete, Tekton, Fixed},
		{"restart", None, Tekton, Fixed},
	}
	for _, timings := range []string{Tekton, ClientGo, OpenShift} {
		for _, scenario := range Scenarios {
			for _, strategy := range []string{Handover, Delete, None} {
				if strategy == None && slices.Contains(aboutUs, scenario) {
					continue
				}
				rows = append(rows, Row{scenario, strategy, timings, Drawn})
			}
		}
	}
	return rows
}

// Plan returns the runs of a table: so many of the first row, a share of that of each other one, and each with the next
// seed. They are in turn, so that any n-th part of them takes about as long as any other.
func Plan(runs int, seed int64) []Setting {
	rows := Rows()
	settings := make([]Setting, 0, runs+len(rows))
	for i, row := range rows {
		n := max(1, runs/others)
		switch {
		case i == 0:
			n = runs
		case row.Size == Fixed:
			n = max(1, runs/compared)
		}
		for j := range n {
			settings = append(settings, row.Draw(seed+int64(j)))
		}
	}
	rand.New(rand.NewPCG(0, 0)).Shuffle(len(settings), func(i, j int) {
		settings[i], settings[j] = settings[j], settings[i]
	})
	return settings
}

// Draw is the run of the row that has the seed.
func (r Row) Draw(seed int64) Setting {
	s := Setting{Row: r, Replicas: 2, Buckets: maxBuckets, Seed: seed}
	if r.Size == Fixed {
		return s
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(r.Scenario + r.Strategy + r.Timings))
	d := rand.New(rand.NewPCG(uint64(seed), h.Sum64()))
	s.Replicas = replicas[d.IntN(len(replicas))]
	s.Buckets = 1 + d.IntN(maxBuckets)
	return s
}
