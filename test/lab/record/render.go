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
	"math"
	"strings"
)

// header explains the columns: times are in seconds, the last ones are counts in sum over all runs.
const header = `| scenario | replicas x buckets | strategy | timings | runs | two leaders: p50, max | nobody leads, handovers: p50, p95, max | nobody leads, else: p50, p95, max | settle: p50, p95 | moves, wasted | writes |
|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|
`

// Table renders the figures as a Markdown table.
func Table(all []Figures) string {
	var table strings.Builder
	table.WriteString(header)
	for _, f := range all {
		fmt.Fprintf(&table, "| %s | %s | %s | %s | %d | %s, %s | %s | %s | %s | %d, %d | %d |\n",
			f.Scenario, f.Size, f.Strategy, f.Timings, f.Runs,
			seconds(f.TwoLeaders.Quantile(0.5)), seconds(f.MostTwoLeaders.Max()),
			quantiles(f.Gaps, 0.5, 0.95, 1), quantiles(f.OtherGaps, 0.5, 0.95, 1), quantiles(f.Settle, 0.5, 0.95),
			f.Handovers, f.Wasted(), f.Writes)
	}
	return table.String()
}

// Result is the line that sums up the first row: the handover after a restart, and what strategy delete does instead.
func Result(all []Figures) string {
	first, abrupt := Figures{}, Figures{}
	for _, f := range all {
		switch f.Row {
		case Rows()[0]:
			first = f
		case Rows()[1]:
			abrupt = f
		}
	}
	return fmt.Sprintf("RESULT handovers=%d two_leaders_s_max=%.1f gap_s_p50=%.1f gap_s_p99=%.1f gap_s_max=%.1f "+
		"settle_s_p50=%.1f settle_s_p95=%.1f wasted_ratio=%.2f delete_two_leaders_s_p50=%.1f",
		first.Handovers, first.MostTwoLeaders.Max(),
		first.Gaps.Quantile(0.5), first.Gaps.Quantile(0.99), first.Gaps.Max(),
		first.Settle.Quantile(0.5), first.Settle.Quantile(0.95),
		float64(first.Wasted())/float64(max(1, first.Needed)), abrupt.TwoLeaders.Quantile(0.5))
}

func quantiles(s Sample, at ...float64) string {
	if len(s) == 0 {
		return "-"
	}
	texts := make([]string, 0, len(at))
	for _, q := range at {
		texts = append(texts, seconds(s.Quantile(q)))
	}
	return strings.Join(texts, ", ")
}

func seconds(s float64) string {
	if math.IsInf(s, 1) {
		return "never"
	}
	return fmt.Sprintf("%.1f", s)
}
