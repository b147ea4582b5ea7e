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

// Package compat is about the releases of Tekton's components that the leases
// controller was tried with: hack/compat.sh tries them on a real cluster
// (TestCompat of test/e2e), keeps what came of it in tried.jsonl, and has the
// README's table made of that.
package compat

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Tried is what came of one component.
type Tried struct {
	// Component is the name of its Deployment.
	Component string `json:"component"`
	// Version is that of its release.
	Version string `json:"version"`
	// Queues are the short names of its queues, as its electors call them, in order.
	Queues []string `json:"queues,omitempty"`
	// Buckets is how many leases each queue has.
	Buckets int `json:"buckets,omitempty"`
	// Even is how long it took until its leases were even, in seconds, from when the
	// controller was told to manage it, with all of them on one of two replicas.
	Even float64 `json:"even_s,omitempty"`
	// Again is how long it took after one replica had been replaced, in seconds, from
	// when the new one was Ready.
	Again float64 `json:"even_again_s,omitempty"`
	// TwoLeaders is how long buckets had two leaders meanwhile, in seconds, in sum.
	TwoLeaders float64 `json:"two_leaders_s"`
}

// File is what the last run of hack/compat.sh found.
//
//go:embed tried.jsonl
var File []byte

// Read returns what a file holds, one JSON object after another.
func Read(file []byte) ([]Tried, error) {
	decoder := json.NewDecoder(bytes.NewReader(file))
	decoder.DisallowUnknownFields()
	var all []Tried
	for {
		var t Tried
		if err := decoder.Decode(&t); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("failed to read result %d: %w", len(all)+1, err)
		}
		all = append(all, t)
	}
}

// Table is what the README shows of them.
func Table(all []Tried) string {
	var table strings.Builder
	table.WriteString("| component | version | queues found | buckets of each | even within | again, one replica replaced | two leaders |\n|---|---|---|---|---|---|---|\n")
	for _, t := range all {
		fmt.Fprintln(&table, "| "+strings.Join(t.cells(), " | ")+" |")
	}
	return table.String()
}

func (t Tried) cells() []string {
	return []string{
		"`" + t.Component + "`", t.Version,
		fmt.Sprintf("%d: %s", len(t.Queues), strings.Join(t.Queues, ", ")), strconv.Itoa(t.Buckets),
		fmt.Sprintf("%.0f s", t.Even), fmt.Sprintf("%.0f s", t.Again), fmt.Sprintf("%g s", t.TwoLeaders),
	}
}
