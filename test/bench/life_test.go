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
	"testing"
	"time"
)

var start = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)

// life has a moment of each kind, at so many seconds.
func life(created, taskRun, pod, ended, taskRunDone, done float64) Life {
	var l Life
	for kind, s := range []float64{created, taskRun, pod, ended, taskRunDone, done} {
		l = append(l, Moment{start.Add(time.Duration(s * float64(time.Second))), Kind(kind)})
	}
	return l
}

func TestLife(t *testing.T) {
	second := life(0, 41, 42, 43, 44, 45)[TaskRunCreated:] // of another task
	cases := map[string]struct {
		life                 Life
		began, took, longest time.Duration
	}{
		"a wait for the first TaskRun": {life: life(0, 31, 32, 33, 34, 35), began: 31 * time.Second, took: 35 * time.Second, longest: 31 * time.Second},
		"a wait for the end":           {life: life(10, 11, 12, 13, 14, 45.5), began: time.Second, took: 35500 * time.Millisecond, longest: 31500 * time.Millisecond},
		"a pod that works":             {life: life(0, 1, 3, 60, 61, 62), began: time.Second, took: 62 * time.Second, longest: 2 * time.Second},
		"the pod is seen before its TaskRun": {
			life: life(0, 6, 5, 7, 8, 9), began: 6 * time.Second, took: 9 * time.Second, longest: 5 * time.Second,
		},
		"two tasks": {life: append(second, life(0, 1, 2, 3, 4, 45)...), began: time.Second, took: 45 * time.Second, longest: 37 * time.Second},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			began, hasBegun := tc.life.Began()
			took, done := tc.life.Took()
			if !hasBegun || !done || began != tc.began || took != tc.took || tc.life.Longest() != tc.longest {
				t.Errorf("began %s, took %s, longest wait %s, want %s, %s, %s", began, took, tc.life.Longest(), tc.began, tc.took, tc.longest)
			}
		})
	}
}

func TestLifeThatIsNotDone(t *testing.T) {
	waiting := life(0, 1, 2, 3, 4, 5)[:TaskRunCreated]
	if _, ok := waiting.Began(); ok {
		t.Error("Began() without a TaskRun: ok, want not")
	}
	if _, ok := waiting.Took(); ok {
		t.Error("Took() before it is done: ok, want not")
	}
	if _, ok := (Life{{start, Done}}).Took(); ok {
		t.Error("Took() without its creation: ok, want not")
	}
}

func TestQuantile(t *testing.T) {
	var all []time.Duration
	for i := range 100 {
		all = append(all, time.Duration(100-i)*time.Second) // 100 s ... 1 s
	}
	for share, want := range map[float64]time.Duration{0: time.Second, 0.5: 51 * time.Second, 0.95: 96 * time.Second, 1: 100 * time.Second} {
		if got := Quantile(share, all); got != want {
			t.Errorf("Quantile(%g) = %s, want %s", share, got, want)
		}
	}
	if got := Quantile(0.5, nil); got != 0 {
		t.Errorf("Quantile of nothing = %s, want 0", got)
	}
}
