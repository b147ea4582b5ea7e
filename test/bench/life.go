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
	"slices"
	"time"
)

// Kind is what happened to a PipelineRun at a moment.
type Kind int

// The kinds of moments.
const (
	// Created is when it was created,
	Created Kind = iota
	// TaskRunCreated when one of its TaskRuns was,
	TaskRunCreated
	// PodCreated when the pod of one was.
	PodCreated
	// PodEnded is when that has done its work: the only thing for which no controller
	// of Tekton is waited.
	PodEnded
	// TaskRunDone is when the TaskRun says so,
	TaskRunDone
	// Done when the PipelineRun does.
	Done
)

// Moment is one in the life of a PipelineRun.
type Moment struct {
	At   time.Time
	Kind Kind
}

// Life is what was seen of a PipelineRun whose tasks run one after the other.
type Life []Moment

// at is when it happened for the first time, if it has.
func (l Life) at(kind Kind) (at time.Time, ok bool) {
	for _, m := range l {
		if m.Kind == kind && (!ok || m.At.Before(at)) {
			at, ok = m.At, true
		}
	}
	return at, ok
}

// between is how long it took from one kind to another, if both have happened.
func (l Life) between(from, to Kind) (took time.Duration, ok bool) {
	a, found := l.at(from)
	b, ok := l.at(to)
	return b.Sub(a), found && ok
}

// Took is how long it took from its creation until it was done, if it is.
func (l Life) Took() (time.Duration, bool) { return l.between(Created, Done) }

// Began is how long it took until it had a TaskRun, if it has one.
func (l Life) Began() (time.Duration, bool) { return l.between(Created, TaskRunCreated) }

// Longest is for how long it waited at the most for a controller to take the next
// step.
func (l Life) Longest() (longest time.Duration) {
	sorted := slices.SortedStableFunc(slices.Values(l), func(a, b Moment) int { return a.At.Compare(b.At) })
	for i := 1; i < len(sorted); i++ {
		if sorted[i].Kind != PodEnded {
			longest = max(longest, sorted[i].At.Sub(sorted[i-1].At))
		}
	}
	return longest
}

// Quantile is the shortest duration that is not exceeded by this share of them.
func Quantile(share float64, all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}
