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
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// Record is what one run yielded. Durations are in seconds.
type Record struct {
	Setting
	// TwoLeaders is for how long, in sum, each bucket that got another leader had two of them; MostTwoLeaders is the most
	// of any bucket.
	TwoLeaders     []float64
	MostTwoLeaders float64
	// Gaps are the times in which nobody led a bucket because of a handover, OtherGaps all others: those that the
	// scenario makes also without us.
	Gaps, OtherGaps []float64
	// Settle is how long it took until every queue was even and each bucket had one leader, counted from the moment at
	// which leases may be moved; for each time that the scenario made it uneven.
	Settle []float64
	// Unsettled counts those times after which it did not become even.
	Unsettled int
	// Handovers are the leases that were taken from a leader, Needed the fewest that would have done.
	Handovers, Needed int
	// Writes are those that our controller sent to managed leases, also in vain.
	Writes int
	// Broken are the promises that were not kept.
	Broken []string
}

// Write writes the record as one line.
func (r Record) Write(w io.Writer) error {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("failed to encode the record of %s: %w", r.Setting, err)
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// Read reads records, one a line.
func Read(from io.Reader) ([]Record, error) {
	var records []Record
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var r Record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("failed to read record %d: %w", len(records)+1, err)
		}
		records = append(records, r)
	}
	return records, lines.Err()
}
