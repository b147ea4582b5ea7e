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

const (
	prefix  = "tekton-pipelines-controller.github.com.tektoncd.pipeline.pkg.reconciler."
	taskrun = prefix + "taskrun.reconciler."
	oldPod  = "tekton-pipelines-controller-7d9c5b-rz4kq"
	newPod  = "tekton-pipelines-controller-7d9c5b-x7bnm"
	hold    = "tekton-leases-controller_0a1b"
)

var epoch = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)

// at is so many seconds into the tests' story.
func at(seconds float64) time.Time {
	return epoch.Add(time.Duration(seconds * float64(time.Second)))
}

func TestSetLease(t *testing.T) {
	type step struct {
		at       float64
		identity string
	}
	for name, tc := range map[string]struct {
		steps     []step
		want      lease
		wantTaken int
	}{
		"a holder": {
			steps:     []step{{0, oldPod + "_1"}},
			want:      lease{holder: oldPod, last: oldPod, since: at(0)},
			wantTaken: 1,
		},
		"renewed": {
			steps:     []step{{0, oldPod + "_1"}, {10, oldPod + "_1"}},
			want:      lease{holder: oldPod, last: oldPod, since: at(0)},
			wantTaken: 1,
		},
		"nobody's yet": {
			steps: []step{{0, ""}},
			want:  lease{since: at(0)},
		},
		"held by us": {
			steps:     []step{{0, oldPod + "_1"}, {10, hold}},
			want:      lease{last: oldPod, ours: true, since: at(10)},
			wantTaken: 1,
		},
		"held by us, renewed": {
			steps:     []step{{0, oldPod + "_1"}, {10, hold}, {20, hold}},
			want:      lease{last: oldPod, ours: true, since: at(10)},
			wantTaken: 1,
		},
		"handed over": {
			steps:     []step{{0, oldPod + "_1"}, {10, hold}, {40, newPod + "_2"}},
			want:      lease{holder: newPod, last: newPod, since: at(40)},
			wantTaken: 2,
		},
		"released to everybody: in transit since it was taken": {
			steps:     []step{{0, oldPod + "_1"}, {10, hold}, {40, ""}},
			want:      lease{last: oldPod, since: at(10)},
			wantTaken: 1,
		},
		"deleted, and created again by the old holder": {
			steps:     []step{{0, oldPod + "_1"}, {10, ""}, {12, oldPod + "_1"}},
			want:      lease{holder: oldPod, last: oldPod, since: at(12)},
			wantTaken: 2,
		},
		"taken over at once": {
			steps:     []step{{0, oldPod + "_1"}, {90, newPod + "_2"}},
			want:      lease{holder: newPod, last: newPod, since: at(90)},
			wantTaken: 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBoard()
			for _, step := range tc.steps {
				b.setLease(taskrun+"03-of-10", step.identity, at(step.at))
			}
			tc.want.name, tc.want.queue, tc.want.bucket = taskrun+"03-of-10", "taskrun", "03"
			if diff := cmp.Diff([]lease{tc.want}, b.snapshot().leases, cmp.AllowUnexported(lease{})); diff != "" {
				t.Errorf("leases (-want, +got):\n%s", diff)
			}
			if got := b.takenSince(at(0)); got != tc.wantTaken {
				t.Errorf("takenSince() = %d, want %d", got, tc.wantTaken)
			}
		})
	}
}

func TestDeleteLease(t *testing.T) {
	b := newBoard()
	b.setLease(taskrun+"00-of-02", oldPod+"_1", at(0))
	b.deleteLease(taskrun+"00-of-02", at(5))
	if got := b.snapshot().leases[0]; !got.deleted || !got.inTransit() || !got.since.Equal(at(5)) {
		t.Errorf("lease = %+v, want it deleted and in transit since then", got)
	}
	b.setLease(taskrun+"00-of-02", oldPod+"_1", at(7))
	if got := b.snapshot().leases[0]; got.deleted || got.holder != oldPod {
		t.Errorf("lease = %+v, want it there again", got)
	}
}

func TestTakenSinceCountsFromThen(t *testing.T) {
	b := newBoard()
	b.setLease(taskrun+"00-of-02", oldPod+"_1", at(0))
	b.setLease(taskrun+"01-of-02", oldPod+"_1", at(5))
	if got := b.takenSince(at(5)); got != 1 {
		t.Errorf("takenSince() = %d, want 1", got)
	}
}

func TestMovesAreToldOnce(t *testing.T) {
	b := newBoard()
	b.setLease(taskrun+"00-of-02", oldPod+"_1", at(0))
	b.setLease(taskrun+"00-of-02", oldPod+"_1", at(10))
	if got := len(b.moves()); got != 1 {
		t.Errorf("%d moves, want 1: a renewal is none", got)
	}
	if got := len(b.moves()); got != 0 {
		t.Errorf("%d moves, want 0: all were told", got)
	}
}

func TestSnapshotIsOrdered(t *testing.T) {
	b := newBoard()
	b.setLease("b.01-of-02", "", at(0))
	b.setLease("a.00-of-02", "", at(0))
	b.setReplica(replica{name: "young", uid: "1", created: at(9)})
	b.setReplica(replica{name: "b", uid: "2", created: at(1)})
	b.setReplica(replica{name: "a", uid: "3", created: at(1)})
	b.setReplica(replica{name: "gone", uid: "4"})
	b.removeReplica("4")
	got := b.snapshot()
	var names []string
	for _, l := range got.leases {
		names = append(names, l.name)
	}
	for _, r := range got.replicas {
		names = append(names, r.name)
	}
	if diff := cmp.Diff([]string{"a.00-of-02", "b.01-of-02", "a", "b", "young"}, names); diff != "" {
		t.Errorf("snapshot() (-want, +got):\n%s", diff)
	}
}

func TestOwnStartIsTheFirst(t *testing.T) {
	b := newBoard()
	for _, seconds := range []float64{20, 10, 30} {
		b.ownStarted(at(seconds))
	}
	if got := b.ownStartedAt(); !got.Equal(at(10)) {
		t.Errorf("ownStartedAt() = %s, want %s", got, at(10))
	}
}
