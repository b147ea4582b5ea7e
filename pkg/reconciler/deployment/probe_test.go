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
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/tektoncd/leases-controller/pkg/balance"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestProbe: nothing is taken while a lease to be moved cannot be read, and the
// API is asked again and again until it has been well for a while.
func TestProbe(t *testing.T) {
	b := uneven(t)
	var reads []int
	b.fault = func(r leasestesting.Request) leasestesting.Fault {
		if r.Verb != "get" || !slices.Contains(taskrun.Names(), r.Name) {
			return leasestesting.Fault{}
		}
		second := int(b.time.now.Sub(start).Seconds())
		reads = append(reads, second)
		if second < 70 && r.Name == taskrun.Name(1) || second == 66 {
			return leasestesting.Fault{Err: apierrors.NewInternalError(errLister)}
		}
		return leasestesting.Fault{}
	}
	b.until(61, 95, "pod-a_1")
	if wrote := b.wrote(); len(wrote) > 0 {
		t.Errorf("writes %q, want none", wrote)
	}
	if diff := cmp.Diff(map[balance.Reason]int{balance.APITrouble: 2}, b.reasonsNow()); diff != "" {
		t.Errorf("surplus leases that stay (-want, +got):\n%s", diff)
	}
	b.until(96, 97, "pod-a_1")
	want := []string{"update taskrun.00-of-04 " + ownIdentity, "update taskrun.01-of-04 " + ownIdentity}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("writes (-want, +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{61, 61, 61, 61, 61, 66, 71, 76, 81, 86, 91, 96, 96, 96, 96, 96}, reads); diff != "" {
		t.Errorf("reads at (-want, +got):\n%s", diff)
	}
}

// TestProbes: which leases are read.
func TestProbes(t *testing.T) {
	moves := func(n int) (all []balance.Move) {
		for i := range n {
			all = append(all, balance.Move{Lease: fmt.Sprint("m", i)})
		}
		return all
	}
	stays := []balance.Stay{{Lease: "s0", Reason: balance.Muted}, {Lease: "s1", Reason: balance.APITrouble}, {Lease: "s2", Reason: balance.APITrouble}}
	cases := map[string]struct {
		plan    balance.Plan
		trouble bool
		want    string
	}{
		"nothing to move":      {},
		"some":                 {plan: balance.Plan{Moves: moves(2)}, want: "m0 m1 m0 m1 m0"},
		"many":                 {plan: balance.Plan{Moves: moves(9)}, want: "m0 m1 m2 m3 m4"},
		"kept back by trouble": {plan: balance.Plan{Stays: stays}, trouble: true, want: "s1"},
		"kept back, no more":   {plan: balance.Plan{Stays: stays}},
		"for another reason":   {plan: balance.Plan{Stays: stays[:1]}, trouble: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(toProbe(tc.plan, tc.trouble), " "); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// TestAnswers: what tells that the API is well.
func TestAnswers(t *testing.T) {
	cases := map[string]struct {
		fault leasestesting.Fault
		want  bool
		took  time.Duration
	}{
		"well":          {want: true},
		"gone":          {fault: leasestesting.Fault{Err: apierrors.NewNotFound(leasesResource, taskrun.Name(1))}, want: true},
		"a conflict":    {fault: leasestesting.Fault{Err: apierrors.NewConflict(leasesResource, taskrun.Name(1), errLister)}},
		"too many":      {fault: leasestesting.Fault{Err: apierrors.NewTooManyRequestsError("busy")}},
		"no connection": {fault: leasestesting.Fault{Err: errLister}},
		"unavailable":   {fault: leasestesting.Fault{Err: apierrors.NewGenericServerResponse(http.StatusServiceUnavailable, "get", leasesResource, "", "", 0, true)}},
		"no answer":     {fault: leasestesting.Fault{Lost: true}, took: probeTimeout},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := uneven(t)
				b.fault = func(r leasestesting.Request) leasestesting.Fault {
					if r.Name != taskrun.Name(1) {
						return leasestesting.Fault{}
					}
					return tc.fault
				}
				began := time.Now()
				if got := b.answers(b.context(), taskrun.Names()) == nil; got != tc.want {
					t.Errorf("answers = %v, want %v", got, tc.want)
				}
				if took := time.Since(began); took != tc.took {
					t.Errorf("it took %s, want %s", took, tc.took)
				}
			})
		})
	}
}

// TestTroubleBeforeTheHold: a handover whose hold was refused before the trouble
// was known does not hold its lease while that lasts.
func TestTroubleBeforeTheHold(t *testing.T) {
	b := uneven(t)
	b.fault = func(r leasestesting.Request) leasestesting.Fault {
		if r.Verb != "update" {
			return leasestesting.Fault{}
		}
		return leasestesting.Fault{Err: apierrors.NewInternalError(errLister)}
	}
	b.until(61, 61, "pod-a_1")
	b.fault = nil
	b.brake.trip(at(61.5), nil)
	b.until(62, 90, "pod-a_1")
	if wrote := b.wrote(); len(wrote) > 0 || len(b.work[key].handovers) > 0 {
		t.Errorf("writes %q, %d handovers in flight, want none", wrote, len(b.work[key].handovers))
	}
	b.until(91, 93, "pod-a_1")
	if wrote := b.wrote(); len(wrote) != 2 {
		t.Errorf("writes %q, want two holds", wrote)
	}
}
