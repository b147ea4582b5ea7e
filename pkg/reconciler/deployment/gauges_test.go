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

package deployment

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"knative.dev/pkg/leaderelection"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
	"github.com/tektoncd/leases-controller/pkg/status"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestImbalance: it is that of the replicas that leases are spread over.
func TestImbalance(t *testing.T) {
	cases := map[string]struct {
		held      []int
		standings []balance.Reason
		want      int
	}{
		"even":                    {held: []int{2, 2}, standings: []balance.Reason{"", ""}, want: 0},
		"one remains":             {held: []int{3, 2}, standings: []balance.Reason{"", ""}, want: 1},
		"fewer than replicas":     {held: []int{1, 1, 0}, standings: []balance.Reason{"", "", ""}, want: 1},
		"one has all":             {held: []int{0, 4}, standings: []balance.Reason{"", ""}, want: 4},
		"some in a handover":      {held: []int{2, 0}, standings: []balance.Reason{"", ""}, want: 2},
		"one is about to get its": {held: []int{4, 0}, standings: []balance.Reason{"", balance.ReplicaOnProbation}, want: 4},
		"one is not Ready":        {held: []int{4, 0}, standings: []balance.Reason{"", balance.HolderNotReady}, want: 0},
		"none is Ready":           {held: []int{4}, standings: []balance.Reason{balance.HolderNotReady}, want: 0},
		"no replicas":             {},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			view, g := observe.View{}, observe.Group{}
			for i, n := range tc.held {
				pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: string(rune('a' + i))}}
				view.Replicas = append(view.Replicas, observe.Replica{Pod: pod, Standing: tc.standings[i]})
				for range n {
					g.Leases = append(g.Leases, observe.Lease{Holder: pod.Name})
				}
			}
			if got := imbalance(view, g); got != tc.want {
				t.Errorf("imbalance = %d, want %d", got, tc.want)
			}
		})
	}
}

// TestLostSince: a queue in which nobody leads any more has lost its leaders,
// unless another bucket count took its place.
func TestLostSince(t *testing.T) {
	group := func(prefix string, buckets uint32) observe.Group {
		return observe.Group{Group: bucket.Group{Prefix: prefix, Buckets: buckets}}
	}
	cases := map[string]struct {
		before shown
		now    []observe.Group
		want   []string
	}{
		"still there":          {before: shown{view: observe.View{Groups: []observe.Group{group("a", 4)}}}, now: []observe.Group{group("a", 4)}},
		"gone":                 {before: shown{view: observe.View{Groups: []observe.Group{group("a", 4), group("b", 4)}}}, now: []observe.Group{group("b", 4)}, want: []string{"a-of-04"}},
		"still gone":           {before: shown{lost: []observe.Group{group("a", 4)}}, want: []string{"a-of-04"}},
		"back":                 {before: shown{lost: []observe.Group{group("a", 4)}}, now: []observe.Group{group("a", 4)}},
		"another bucket count": {before: shown{view: observe.View{Groups: []observe.Group{group("a", 4)}}}, now: []observe.Group{group("a", 8)}},
		"one of two counts":    {before: shown{view: observe.View{Groups: []observe.Group{group("a", 4), group("a", 8)}}}, now: []observe.Group{group("a", 8)}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, g := range tc.before.lostSince(observe.View{Groups: tc.now}) {
				got = append(got, g.String())
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("lost queues (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestGaugesWithoutLeaders: when all replicas are gone, nobody leads, which is
// shown for as long as there should be replicas.
func TestGaugesWithoutLeaders(t *testing.T) {
	b := uneven(t)
	b.reconcileAt(61)
	queueOf := name + " taskrun-of-04"
	b.wantSeries("led", map[string]map[string]int64{"unowned": {queueOf: 0}})
	for _, pod := range []string{"pod-a", "pod-b"} {
		if err := b.podCache.Delete(b.replica(pod).Obj()); err != nil {
			t.Fatal(err)
		}
		b.observer.Tracker.PodGone(b.replica(pod).Obj(), b.time.now)
	}
	for second := 62; second <= 300; second++ {
		b.reconcileAt(float64(second))
	}
	b.wantSeries("all replicas gone", map[string]map[string]int64{
		"unowned": {queueOf: 4}, "held": nil, "imbalance": nil, "replicas": {name + " Eligible": 0, name + " ReplicaOnProbation": 0},
	})
	b.deployment.Spec.Replicas = ptr.To[int32](0)
	b.reconcileAt(302)
	b.wantSeries("scaled to 0", map[string]map[string]int64{"unowned": nil})
}

// TestGaugesInFlight: handovers by step; the age of the oldest is that at the
// time of the scrape, since a reconcile that hangs shows nothing new.
func TestGaugesInFlight(t *testing.T) {
	b := uneven(t)
	b.reconcileAt(61)
	flying := func(begun, held, open, assigned int64) map[string]int64 {
		return map[string]int64{
			name + " " + string(handover.Begun): begun, name + " " + string(handover.Held): held,
			name + " " + string(handover.Open): open, name + " " + string(handover.Assigned): assigned,
		}
	}
	b.wantSeries("held", map[string]map[string]int64{
		"handovers.in.flight": flying(0, 2, 0, 0), "handover.oldest.age": {name: 0}, "planned.moves": {name + " taskrun-of-04": 2},
	})
	b.until(62, 121, "pod-a_1")
	b.wantSeries("open", map[string]map[string]int64{"handovers.in.flight": flying(0, 0, 2, 0), "handover.oldest.age": {name: 60}})
	b.time.now = at(400)
	b.wantSeries("nothing reconciled since", map[string]map[string]int64{"handover.oldest.age": {name: 339}})
}

// TestGaugesLeftAlone: leases that stay for a while are counted by reason, until
// it is over.
func TestGaugesLeftAlone(t *testing.T) {
	b := uneven(t)
	b.deployment.Status.ReadyReplicas = 1 // nothing moves
	b.reconcileAt(61)
	b.wantSeries("none", map[string]map[string]int64{"left.alone": nil})
	leases := b.work[key].history.leases
	leases[taskrun.Name(0)] = &past{last: at(61), pinned: at(100)}
	leases[taskrun.Name(1)] = &past{last: at(61), from: "pod-a_1", to: "pod-b", until: at(200), muted: true}
	b.until(62, 70, "pod-a_1")
	b.wantSeries("two", map[string]map[string]int64{"left.alone": {name + " PingPong": 1, name + " Muted": 1}})
	b.until(71, 120, "pod-a_1")
	b.wantSeries("one", map[string]map[string]int64{"left.alone": {name + " Muted": 1}})
	b.work[key].history.paused = at(200)
	b.until(121, 125, "pod-a_1")
	b.wantSeries("all", map[string]map[string]int64{"left.alone": {name + " PingPong": 4}})
	b.until(126, 210, "pod-a_1")
	b.wantSeries("over", map[string]map[string]int64{"left.alone": nil})
}

// TestPausedGauge: it is 1 for as long as the pause lasts.
func TestPausedGauge(t *testing.T) {
	b := uneven(t)
	b.reconcileAt(61)
	b.wantSeries("not paused", map[string]map[string]int64{"paused": {name: 0}})
	b.annotate(status.PausedUntil, at(100).Format(time.RFC3339))
	b.until(62, 65, "pod-a_1")
	b.wantSeries("paused", map[string]map[string]int64{"paused": {name: 1}, "surplus": {name + " taskrun-of-04 " + string(balance.Paused): 2}})
	b.until(66, 101, "pod-a_1")
	b.wantSeries("over", map[string]map[string]int64{"paused": {name: 0}})
}

// TestLastSuccess: a reconcile whose calls fail is none that succeeded.
func TestLastSuccess(t *testing.T) {
	b := uneven(t)
	success := func(seconds float64) map[string]map[string]int64 {
		return map[string]map[string]int64{"last.success.timestamp": {name: at(seconds).Unix()}}
	}
	b.reconcileAt(61)
	b.wantSeries("first", success(61))
	b.reconcileAt(61.01) // too early to be one
	b.time.now = at(62)
	b.fault = func(leasestesting.Request) leasestesting.Fault { return leasestesting.Fault{Err: errLister} }
	b.until(63, 107, "pod-a_1") // the extension at 107 fails
	b.wantSeries("a call fails", success(106))
	b.fault = nil
	b.until(108, 109, "pod-a_1")
	b.wantSeries("well again", success(109))
}

// TestConfigGauges: every process tells whether our ConfigMap is refused, and
// what is in force.
func TestConfigGauges(t *testing.T) {
	b := newBench(t)
	defaults := "true false true 0s 0 10m0s 30s handover" // by the names of the keys
	steps := []struct {
		key, value string
		invalid    int64
		info       string
	}{
		{key: "strategy", value: "handover", info: defaults},
		{key: "max-handovers-in-flight", value: "7", info: "true false true 0s 7 10m0s 30s handover"},
		{key: "max-handovers-in-flight", value: "many", invalid: 1, info: "true false true 0s 7 10m0s 30s handover"},
		{key: "strategy", value: "delete", info: "true false true 0s 0 10m0s 30s delete"},
	}
	for _, s := range steps {
		b.configure(leaderelection.ConfigMapName(), s.key, s.value)
		if err := b.readSettings(leasestesting.Namespace); err != nil {
			t.Fatal(err)
		}
		b.wantSeries(s.key+"="+s.value, map[string]map[string]int64{"config.invalid": {"": s.invalid}, "config.info": {s.info: 1}})
	}
}

// TestCountersBegin: Prometheus can only see a counter grow that it has seen
// before.
func TestCountersBegin(t *testing.T) {
	text := scrape(t, func(t *testing.T, m *metrics) { m.begin(t.Context(), key) })
	got := map[string]int{}
	for _, m := range ofSeries.FindAllStringSubmatch(text, -1) {
		got[m[1]]++
	}
	want := map[string]int{
		"tekton_leases_handovers_total": 2 * len(handover.Results), "tekton_leases_overlaps_total": 2, "tekton_leases_takeovers_total": len(observe.Causes),
		"tekton_leases_build_info": 1, "tekton_leases_config_invalid": 1,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("series (-want, +got):\n%s", diff)
	}
}
