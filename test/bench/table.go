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
	"slices"
	"strconv"
	"strings"
)

// Table shows all results: first what a burst of PipelineRuns took, then what came
// of it when one replica had a fault. Each cell of a table has the median of all
// runs, and the least and the most in brackets.
func Table(all []Result) string {
	var text strings.Builder
	groups := group(all)
	write := func(header string, line func(results []Result) []string, shown func(Cell) bool) {
		var lines strings.Builder
		for _, results := range groups {
			if shown(results[0].Cell) {
				fmt.Fprintf(&lines, "| %s |\n", strings.Join(line(results), " | "))
			}
		}
		if lines.Len() == 0 {
			return
		}
		if text.Len() > 0 {
			text.WriteString("\n")
		}
		columns := strings.Count(header, "|")
		fmt.Fprintf(&text, "| %s |\n|---%s|\n%s", header, strings.Repeat("|--:", columns), lines.String())
	}
	write("replicas, settings, leases | runs | all done after, s | faster than on one | creation to TaskRun p50, s | p95, s | keys queued in one replica"+
		" | cores, each replica | requests/s, each replica | cores, API server | machine busy, %",
		func(results []Result) []string { return burstLine(results, all) }, func(c Cell) bool { return c.Fault == "" })
	write("fault in the middle, leases | runs | PipelineRuns | waited more than 30 s | longest wait, s | machine busy, %",
		faultLine, func(c Cell) bool { return c.Fault != "" })
	return text.String()
}

// group puts the results of a cell together, in the order of their first ones.
func group(all []Result) (groups [][]Result) {
	places := map[Cell]int{}
	for _, r := range all {
		place, known := places[r.Cell]
		if !known {
			place = len(groups)
			places[r.Cell] = place
			groups = append(groups, nil)
		}
		groups[place] = append(groups[place], r)
	}
	return groups
}

func burstLine(results, all []Result) []string {
	c := results[0].Cell
	column := func(decimals int, of func(Result) float64) string { return spread(decimals, values(results, of)) }
	return []string{
		fmt.Sprintf("%d, %s, %s", c.Replicas, c.Settings, c.Leases), strconv.Itoa(len(results)),
		column(0, func(r Result) float64 { return r.Took }), spread(2, faster(results, all)),
		column(1, func(r Result) float64 { return r.Began50 }), column(1, func(r Result) float64 { return r.Began95 }),
		column(0, func(r Result) float64 { return r.Depth }),
		each(2, results, func(r Result) []float64 { return r.CPU }), each(0, results, func(r Result) []float64 { return r.Requests }),
		column(2, func(r Result) float64 { return r.APIServer }), column(0, func(r Result) float64 { return 100 * r.Machine }),
	}
}

func faultLine(results []Result) []string {
	c := results[0].Cell
	column := func(of func(Result) float64) string { return spread(0, values(results, of)) }
	return []string{
		fmt.Sprintf("%s, %s", c.Fault, c.Leases), strconv.Itoa(len(results)), strconv.Itoa(results[0].PipelineRuns),
		column(func(r Result) float64 { return float64(r.Waited) }), column(func(r Result) float64 { return r.Longest }),
		column(func(r Result) float64 { return 100 * r.Machine }),
	}
}

func values(results []Result, of func(Result) float64) []float64 {
	all := make([]float64, 0, len(results))
	for _, r := range results {
		all = append(all, of(r))
	}
	return all
}

// faster is how many times as fast they were as those with all leases on one
// replica, run by run: what else the machine had to do was about the same then.
func faster(results, all []Result) (times []float64) {
	one := results[0].Cell
	one.Leases = OnOne
	ones := slices.DeleteFunc(slices.Clone(all), func(r Result) bool { return r.Cell != one })
	for run := range min(len(results), len(ones)) {
		times = append(times, ones[run].Took/results[run].Took)
	}
	return times
}

// spread is the median, and in brackets the least and the most unless these are the
// same.
func spread(decimals int, all []float64) string {
	if len(all) == 0 {
		return ""
	}
	sorted := slices.Sorted(slices.Values(all))
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
	least, middle, most := number(sorted[0]), number(sorted[len(sorted)/2]), number(sorted[len(sorted)-1])
	if least == most {
		return middle
	}
	return fmt.Sprintf("%s (%s to %s)", middle, least, most)
}

// each has the median for each replica, the greatest first.
func each(decimals int, results []Result, of func(Result) []float64) string {
	count := len(of(results[0]))
	texts := make([]string, 0, count)
	for i := range count {
		sorted := slices.Sorted(slices.Values(values(results, func(r Result) float64 { return of(r)[i] })))
		texts = append(texts, strconv.FormatFloat(sorted[len(sorted)/2], 'f', decimals, 64))
	}
	return strings.Join(texts, " / ")
}
