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

package cli

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/status"
)

// boardOf is a Deployment with a queue in which these have leases: a letter for
// who leads, ">" for a handover from a.
func boardOf(screen Screen, wide bool, holders string, standings ...balance.Reason) board {
	d := status.Deployment{Name: "tekton"}
	for i, standing := range standings {
		d.Replicas = append(d.Replicas, status.Replica{Name: "tekton-" + string(rune('a'+i)), Standing: standing})
	}
	q := status.Queue{Name: "taskrun"}
	for _, by := range holders {
		l := status.Lease{Place: status.Led, Holder: "tekton-" + string(by)}
		switch by {
		case '>':
			l = status.Lease{Place: status.InHandover, From: "tekton-a"}
		case '?':
			l = status.Lease{Place: status.Elsewhere}
		}
		q.Leases = append(q.Leases, l)
	}
	d.Queues = []status.Queue{q}
	return newBoard(screen, status.Status{Time: metav1.Time{Time: start}}, d, wide)
}

func TestBars(t *testing.T) {
	cases := map[string]struct {
		screen  Screen
		holders string
		want    []string
	}{
		"bars":              {screen: narrow, holders: "aab", want: []string{"■■   2", "■    1"}},
		"in a handover":     {screen: narrow, holders: "a>>b", want: []string{"■□□   1", "■     1", "□ in a handover"}},
		"nothing":           {screen: narrow, holders: "aa", want: []string{"■■  2", "·   0"}},
		"somebody else's":   {screen: narrow, holders: "a?", want: []string{"(elsewhere)            ■   1"}},
		"numbers":           {screen: Screen{Width: 40}, holders: strings.Repeat("a", 30) + "b", want: []string{"30   ", " 1   "}},
		"numbers, handover": {screen: Screen{Width: 40}, holders: strings.Repeat("a", 30) + ">", want: []string{"30+1 ", "+n in a handover"}},
		"too many for both": {screen: Screen{Width: 10}, holders: "aab", want: []string{"##   2", "#    1"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := boardOf(tc.screen, false, tc.holders, "", "").table()
			for _, want := range tc.want {
				if !strings.Contains(got, want) {
					t.Errorf("%q is not in\n%s", want, got)
				}
			}
		})
	}
}

func TestStanding(t *testing.T) {
	cases := map[string]struct {
		replica status.Replica
		want    string
	}{
		"eligible":     {want: "eligible"},
		"on probation": {replica: status.Replica{Standing: balance.ReplicaOnProbation, EligibleAt: &metav1.Time{Time: start.Add(25 * time.Second)}}, want: "eligible in 25s"},
		"not Ready":    {replica: status.Replica{Standing: balance.HolderNotReady}, want: "not Ready"},
		"unknown":      {replica: status.Replica{Standing: balance.HolderUnknown}, want: "HolderUnknown"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := (board{now: start}).standing(tc.replica).text; got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

// TestWhy: each reason is there once, with its sentence and how many leases it
// keeps.
func TestWhy(t *testing.T) {
	for _, r := range []balance.Reason{
		balance.RolloutInProgress, balance.ReplicaOnProbation, balance.HolderNotReady, balance.HolderUnknown, balance.HolderLate,
		balance.LastLease, balance.LeaseUnowned, balance.LeasesMissing, balance.TwoBucketCounts, balance.HandoverInFlight,
		balance.SingleBucket, balance.SingleReplica, balance.NotManaged, balance.ConfigInvalid, balance.OptedOut, balance.Paused,
	} {
		t.Run(string(r), func(t *testing.T) {
			b := boardOf(Screen{Width: 200}, false, "aaaa", "", "")
			for i := range 2 {
				b.Queues[0].Leases[i].To, b.Queues[0].Leases[i].Reason = "tekton-b", r
			}
			b.Queues[0].Blocked = r
			want := string(r) + " (2 leases): " + r.Sentence() + "\n"
			if got := b.why(); got != want {
				t.Errorf("%q, want %q", got, want)
			}
			if got := b.stays(); !strings.Contains(got, string(r)) {
				t.Errorf("%s is not in\n%s", r, got)
			}
			if got, want := b.next(b.Queues[0].Leases[0]), "should move to b, but stays: "+string(r); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
