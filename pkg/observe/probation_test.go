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

package observe

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// TestProbation: how long a replica that became Ready at 100 s does not count,
// after what happened to it since it was Ready at 0 s.
func TestProbation(t *testing.T) {
	restarted := func(w *world, n int32) *corev1.Pod { return w.make("pod-a").Restarts(n).Obj() }
	down := func(w *world, n int32) *corev1.Pod {
		return w.make("pod-a").Restarts(n).NotReady(stampAt(0)).Obj()
	}
	cases := map[string]struct {
		then func(*world)
		want time.Duration
	}{
		"it lost its readiness": {
			then: func(w *world) { w.see(50, down(w, 0)) }, want: time.Minute,
		},
		"it was restarted, and lost its readiness with it": {
			then: func(w *world) { w.see(50, down(w, 1)) }, want: time.Minute,
		},
		"it lost its readiness, and was restarted then": {
			then: func(w *world) { w.see(50, down(w, 0)); w.see(51, down(w, 1)) }, want: time.Minute,
		},
		"it was restarted twice before it was Ready again": {
			then: func(w *world) { w.see(50, down(w, 1)); w.see(60, down(w, 2)) }, want: 2 * time.Minute,
		},
		"it was restarted three times, seen at once": {
			then: func(w *world) { w.see(50, down(w, 3)) }, want: 4 * time.Minute,
		},
		"it was restarted so fast that nobody saw it not Ready": {
			then: func(w *world) { w.see(50, restarted(w, 1)); w.see(70, down(w, 1)) }, want: 2 * time.Minute,
		},
		"it is restarted over and over": {
			then: func(w *world) {
				for i := range int32(40) {
					w.see(50, down(w, i+1))
				}
			},
			want: maxProbation,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 1)
			w.ready("pod-a")
			tc.then(w)
			last, _ := w.observer().Pods.Pods(w.deployment.Namespace).Get("pod-a")
			w.see(100, w.make("pod-a").Restarts(restarts(last)).Obj())
			r := w.view(100, nil).Replicas[0]
			if r.Standing != balance.ReplicaOnProbation || !r.EligibleAt.Equal(at(100).Add(tc.want)) {
				t.Errorf("standing %q until %v, want %q until %v", r.Standing, r.EligibleAt.Sub(at(100)), balance.ReplicaOnProbation, tc.want)
			}
			if got := w.view(100+tc.want.Seconds(), nil).Replicas[0].Standing; got != "" {
				t.Errorf("standing afterwards: %q", got)
			}
		})
	}
}

// TestProbationRestartedWhileReady: it counts from the restart again.
func TestProbationRestartedWhileReady(t *testing.T) {
	w := newWorld(t, 1)
	w.ready("pod-a")
	w.see(200, w.make("pod-a").Restarts(1).Obj())
	if got, want := w.view(200, nil).Replicas[0].EligibleAt, at(260); !got.Equal(want) {
		t.Errorf("eligible at %v, want %v", got, want)
	}
}

// TestProbationIsForgotten: half an hour without a fault, and it is as new.
func TestProbationIsForgotten(t *testing.T) {
	for name, tc := range map[string]struct {
		stable, want time.Duration
	}{
		"not yet": {memory - time.Second, 2 * time.Minute},
		"now":     {memory, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 1)
			w.ready("pod-a")
			w.see(10, w.make("pod-a").Restarts(1).NotReady(stampAt(0)).Obj())
			w.see(20, w.make("pod-a").Restarts(1).Obj())
			again := 20 + tc.stable.Seconds()
			w.see(again, w.make("pod-a").Restarts(2).NotReady(stampAt(0)).Obj())
			w.see(again+1, w.make("pod-a").Restarts(2).Obj())
			got := w.view(again+1, nil).Replicas[0].EligibleAt.Sub(at(again + 1))
			if got != tc.want {
				t.Errorf("probation = %v, want %v", got, tc.want)
			}
		})
	}
}

func TestProbationBounds(t *testing.T) {
	for name, tc := range map[string]struct {
		window    time.Duration
		doublings int
		want      time.Duration
	}{
		"none":                    {30 * time.Second, 0, 30 * time.Second},
		"five":                    {30 * time.Second, 5, maxProbation},
		"very many":               {30 * time.Second, 1 << 40, maxProbation},
		"no window":               {0, 1 << 40, 0},
		"the longest one allowed": {maxProbation, 3, maxProbation},
	} {
		t.Run(name, func(t *testing.T) {
			if got := probation(tc.window, tc.doublings); got != tc.want {
				t.Errorf("probation = %v, want %v", got, tc.want)
			}
		})
	}
}

// TestMember: what counts as one change of the members of a Deployment.
func TestMember(t *testing.T) {
	type sight struct {
		minute   float64
		pods     string
		changing bool
	}
	cases := map[string]struct {
		sights []sight
		want   int
	}{
		"nothing":                       {[]sight{{0, "ab", false}, {9, "ab", false}}, 0},
		"a change that was not seen":    {[]sight{{0, "ab", false}, {9, "ac", false}}, 1},
		"a replica comes":               {[]sight{{0, "ab", false}, {1, "abc", true}, {2, "abc", true}, {3, "abc", false}}, 1},
		"a rollout is one change":       {[]sight{{0, "ab", false}, {1, "abc", true}, {2, "bc", true}, {3, "bcd", true}, {4, "cd", true}, {5, "cd", false}}, 1},
		"two are two":                   {[]sight{{0, "a", false}, {1, "ab", true}, {2, "ab", false}, {3, "a", true}, {4, "a", false}}, 2},
		"one that goes on at our start": {[]sight{{0, "ab", true}, {1, "abc", true}, {2, "bc", true}, {3, "bc", false}}, 1},
		"not ready for a while":         {[]sight{{0, "ab", false}, {1, "ab", true}, {2, "ab", false}}, 0},
		"half an hour ago":              {[]sight{{0, "ab", false}, {1, "a", false}, {30, "a", false}}, 1},
		"more than half an hour ago":    {[]sight{{0, "ab", false}, {1, "a", false}, {31, "a", false}}, 0},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tracker := NewTracker()
			got := 0
			for _, s := range tc.sights {
				pods := sets.New[types.UID]()
				for _, pod := range s.pods {
					pods.Insert(types.UID(pod))
				}
				_, got = tracker.member("d", pods, s.changing, at(s.minute*60))
			}
			if got != tc.want {
				t.Errorf("%d changes, want %d", got, tc.want)
			}
		})
	}
}

// TestMemberIsBounded: an autoscaler may run wild.
func TestMemberIsBounded(t *testing.T) {
	tracker := NewTracker()
	got := 0
	for i := range 1000 {
		_, got = tracker.member("d", sets.New(types.UID(rune('a'+i%2))), false, at(1))
	}
	if got != maxChanges {
		t.Errorf("%d changes are remembered, want %d", got, maxChanges)
	}
}

// TestMemberSince: since when the members are changing.
func TestMemberSince(t *testing.T) {
	tracker := NewTracker()
	var got []time.Time
	for second, changing := range []bool{false, true, true, false, true} {
		since, _ := tracker.member("d", nil, changing, at(float64(second)))
		got = append(got, since)
	}
	if diff := cmp.Diff([]time.Time{{}, at(1), at(1), {}, at(4)}, got); diff != "" {
		t.Errorf("since (-want, +got):\n%s", diff)
	}
}

// TestAutoscaler: each change of the members but the first makes the probation
// of those who come longer. Those who are there count on.
func TestAutoscaler(t *testing.T) {
	w := newWorld(t, 1)
	w.ready("pod-a")
	w.view(60, nil)
	for i, want := range []time.Duration{30 * time.Second, 2 * time.Minute, 8 * time.Minute, maxProbation} {
		began := float64(100 + 200*i)
		extra := w.make("pod-b").UID(time.Duration(i).String()).Obj()
		w.see(began, extra)
		v := w.view(began, nil)
		if got := v.Replicas[1].EligibleAt.Sub(at(began)); got != want || v.Replicas[0].Standing != "" {
			t.Errorf("at %vs: probation %v, want %v; the other one: %q", began, got, want, v.Replicas[0].Standing)
		}
		w.gone(extra)
		w.view(began+100, nil)
	}
}
