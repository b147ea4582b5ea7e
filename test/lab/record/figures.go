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
	"math"
	"slices"
)

// Figures are what the runs of one row come to.
type Figures struct {
	Row
	Runs int
	// TwoLeaders has each bucket that got another leader, MostTwoLeaders each run; the others are as in Record. A
	// spread that did not become even settled after an infinite time.
	TwoLeaders, MostTwoLeaders, Gaps, OtherGaps, Settle Sample
	Handovers, Needed, Writes                           int
}

// Sample is a sorted set of measurements.
type Sample []float64

// Quantile returns the smallest measurement that at least the part q of them does not exceed: 0 of none at all.
func (s Sample) Quantile(q float64) float64 {
	if len(s) == 0 {
		return 0
	}
	rank := int(math.Ceil(q * float64(len(s))))
	return s[max(1, min(rank, len(s)))-1]
}

// Max returns the largest measurement, 0 of none at all.
func (s Sample) Max() float64 { return s.Quantile(1) }

// Wasted is how many leases were taken in vain: by chance, or because something went wrong. Without our controller, what
// was needed was not done.
func (f Figures) Wasted() int { return max(0, f.Handovers-f.Needed) }

// Sum sums up the records of each row, in the order of Rows; rows without a run are left out.
func Sum(records []Record) []Figures {
	var all []Figures
	for _, row := range Rows() {
		f := Figures{Row: row}
		for _, r := range records {
			if r.Row == row {
				f.add(r)
			}
		}
		if f.Runs == 0 {
			continue
		}
		for _, s := range []Sample{f.TwoLeaders, f.MostTwoLeaders, f.Gaps, f.OtherGaps, f.Settle} {
			slices.Sort(s)
		}
		all = append(all, f)
	}
	return all
}

func (f *Figures) add(r Record) {
	f.Runs++
	f.TwoLeaders = append(f.TwoLeaders, r.TwoLeaders...)
	f.MostTwoLeaders = append(f.MostTwoLeaders, r.MostTwoLeaders)
	f.Gaps = append(f.Gaps, r.Gaps...)
	f.OtherGaps = append(f.OtherGaps, r.OtherGaps...)
	f.Settle = append(f.Settle, r.Settle...)
	for range r.Unsettled {
		f.Settle = append(f.Settle, math.Inf(1))
	}
	f.Handovers += r.Handovers
	f.Needed += r.Needed
	f.Writes += r.Writes
}
