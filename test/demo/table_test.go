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

package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// inTransition is a moment of a handover: of ten leases in each of two queues
// the old replica has given up three to the new one, and two are on the way.
func inTransition() snapshot {
	b := newBoard()
	b.setReplica(replica{name: oldPod, uid: "1", created: at(0), state: "Ready", ready: true})
	b.setReplica(replica{name: newPod, uid: "2", created: at(9), state: "Ready", ready: true})
	for _, queue := range []string{"taskrun", "resolutionrequest"} {
		for i, bucket := range []string{"00", "01", "02", "03", "04", "05", "06", "07", "08", "09"} {
			name := prefix + queue + ".reconciler." + bucket + "-of-10"
			b.setLease(name, oldPod+"_1", at(0))
			switch {
			case i < 3:
				b.setLease(name, hold, at(10))
				b.setLease(name, newPod+"_2", at(40))
			case i == 3:
				b.setLease(name, hold, at(12))
			case i == 4:
				b.setLease(name, "", at(14))
			}
		}
	}
	return b.snapshot()
}

func TestTable(t *testing.T) {
	want := `replica             resolutionrequest  taskrun         all
rz4kq  Ready        ■■■■■□□         5  ■■■■■□□      5   10
x7bnm  Ready        ■■■             3  ■■■          3    6
`
	if diff := cmp.Diff(want, table(inTransition())); diff != "" {
		t.Errorf("table() (-want, +got):\n%s", diff)
	}
}

func TestTableOfAGoneHolder(t *testing.T) {
	s := snapshot{leases: []lease{{queue: "taskrun", holder: oldPod, last: oldPod}}}
	want := `replica             taskrun  all
rz4kq  gone         ■     1    1
`
	if diff := cmp.Diff(want, table(s)); diff != "" {
		t.Errorf("table() (-want, +got):\n%s", diff)
	}
}

func TestTableOfNothing(t *testing.T) {
	if diff := cmp.Diff("replica             all\n", table(snapshot{})); diff != "" {
		t.Errorf("table() (-want, +got):\n%s", diff)
	}
}

func TestSpread(t *testing.T) {
	want := "resolutionrequest 5/3 (2 in transit)   taskrun 5/3 (2 in transit)"
	if got := spread(inTransition()); got != want {
		t.Errorf("spread() = %q, want %q", got, want)
	}
}

func TestReasons(t *testing.T) {
	want := []string{
		"resolutionrequest 03 from rz4kq (had 7, share 5), held until it has stopped, 28 s",
		"resolutionrequest 04 from rz4kq, free for any replica, 26 s",
		"taskrun 03 from rz4kq (had 7, share 5), held until it has stopped, 28 s",
		"taskrun 04 from rz4kq, free for any replica, 26 s",
	}
	if diff := cmp.Diff(want, reasons(inTransition(), at(40))); diff != "" {
		t.Errorf("reasons() (-want, +got):\n%s", diff)
	}
}

func TestShare(t *testing.T) {
	ready, pending := replica{ready: true}, replica{}
	leases := make([]lease, 10)
	for name, tc := range map[string]struct {
		replicas []replica
		want     string
	}{
		"even":          {replicas: []replica{ready, ready}, want: "5"},
		"with the rest": {replicas: []replica{ready, ready, ready}, want: "3 or 4"},
		"only Ready":    {replicas: []replica{ready, pending}, want: "10"},
		"none":          {want: "10"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := share(snapshot{leases: leases, replicas: tc.replicas}, ""); got != tc.want {
				t.Errorf("share() = %q, want %q", got, tc.want)
			}
		})
	}
}

func TestTell(t *testing.T) {
	moved := func(bucket string, before, after lease) move {
		after.queue, after.bucket = "taskrun", bucket
		return move{before: before, after: after}
	}
	led := lease{holder: oldPod, last: oldPod, since: at(0)}
	held := lease{last: oldPod, ours: true, since: at(10)}
	free := lease{last: oldPod, since: at(10)}
	for name, tc := range map[string]struct {
		moves []move
		want  []string
	}{
		"first holder":        {moves: []move{moved("00", lease{}, led)}, want: []string{"taskrun 00: rz4kq"}},
		"taken":               {moves: []move{moved("01", led, held), moved("00", led, held)}, want: []string{"taskrun 00 01: taken from rz4kq"}},
		"released":            {moves: []move{moved("00", held, free)}, want: []string{"taskrun 00: of rz4kq, released to any replica"}},
		"deleted":             {moves: []move{moved("00", led, lease{last: oldPod, deleted: true})}, want: []string{"taskrun 00: deleted while rz4kq led it"}},
		"let go":              {moves: []move{moved("00", led, free)}, want: []string{"taskrun 00: let go by rz4kq"}},
		"given to another":    {moves: []move{moved("00", held, lease{holder: newPod, since: at(37.5)})}, want: []string{"taskrun 00: rz4kq -> x7bnm after 27.5 s"}},
		"back":                {moves: []move{moved("00", free, lease{holder: oldPod, since: at(12)})}, want: []string{"taskrun 00: back to rz4kq after 2.0 s"}},
		"passed without stop": {moves: []move{moved("00", led, lease{holder: newPod, since: at(90)})}, want: []string{"taskrun 00: rz4kq -> x7bnm"}},
		"the longest of some": {
			moves: []move{moved("00", held, lease{holder: newPod, since: at(20)}), moved("01", held, lease{holder: newPod, since: at(21)})},
			want:  []string{"taskrun 00 01: rz4kq -> x7bnm after 11.0 s"},
		},
		"several things": {
			moves: []move{moved("00", led, held), moved("01", free, lease{holder: oldPod, since: at(12)})},
			want:  []string{"taskrun 00: taken from rz4kq", "taskrun 01: back to rz4kq after 2.0 s"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tell(tc.moves)); diff != "" {
				t.Errorf("tell() (-want, +got):\n%s", diff)
			}
		})
	}
}

func TestSnapshotReplicas(t *testing.T) {
	s := inTransition()
	s.replicas[1].ready = false
	if diff := cmp.Diff([]string{oldPod}, s.ready()); diff != "" {
		t.Errorf("ready() (-want, +got):\n%s", diff)
	}
	if got := s.busiest().name; got != oldPod {
		t.Errorf("busiest() = %q, want %q", got, oldPod)
	}
	if got := s.youngest().name; got != newPod {
		t.Errorf("youngest() = %q, want %q", got, newPod)
	}
	if !s.has(s.replicas[0]) || s.has(replica{uid: "3"}) {
		t.Error("has() must be true for a pod that is there, and for no other")
	}
}

func TestShortNames(t *testing.T) {
	for name, want := range map[string]string{oldPod: "rz4kq", "pod": "pod", "": ""} {
		if got := shortReplica(name); got != want {
			t.Errorf("shortReplica(%q) = %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"03-of-10": "03", "lock": "lock"} {
		if got := shortBucket(name); got != want {
			t.Errorf("shortBucket(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestTook(t *testing.T) {
	// It was released to everybody in between: it counts from the hold.
	b := newBoard()
	for _, step := range []struct {
		at       float64
		identity string
	}{{0, oldPod + "_1"}, {10, hold}, {30, ""}, {34, newPod + "_1"}} {
		b.setLease(taskrun+"00-of-10", step.identity, at(step.at))
	}
	moves := b.moves()
	if got, want := moves[len(moves)-1].took(), 24*time.Second; got != want {
		t.Errorf("took() = %s, want %s", got, want)
	}
}
