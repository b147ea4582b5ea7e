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
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/handover"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestFacts: what a handover is told, at 70 s with a lease held since 61 s.
func TestFacts(t *testing.T) {
	// last is the stamp of the last renewal before the hold.
	last := at(60).Add(-skew)
	end := at(71).Add(-skew) // of its process
	unknown := handover.Party{Replica: "pod-b"}
	cases := map[string]struct {
		change func(*bench)
		target string
		want   handover.Facts
		// alive is when the last sign of life was seen, 70 s if not set.
		alive time.Time
	}{
		"all is well": {
			target: "pod-b", want: handover.Facts{FromThere: true, Target: unknown},
		},
		"the target is known": {
			change: func(b *bench) { b.write("pod-b_1", taskrun.Name(3)) },
			target: "pod-b", want: handover.Facts{FromThere: true, Target: handover.Party{Replica: "pod-b", Identity: "pod-b_1"}},
		},
		"the target is none of the replicas": {
			target: "pod-z", want: handover.Facts{FromThere: true},
		},
		"there is no target": {want: handover.Facts{FromThere: true}},
		"the old holder should keep it": {
			target: "pod-a",
			want:   handover.Facts{FromThere: true, Target: handover.Party{Replica: "pod-a", Identity: "pod-a_1"}},
		},
		"the old holder is late": {
			change: func(b *bench) { b.time.now = at(73.5) },
			target: "pod-b", want: handover.Facts{FromThere: true, Target: unknown},
		},
		"the old holder is overdue": {
			change: func(b *bench) { b.time.now = at(83) },
			target: "pod-b",
			want:   handover.Facts{FromThere: true, Target: unknown, Lateness: 3 * time.Second},
		},
		"the old holder's pod is gone": {
			change: func(b *bench) {
				if err := b.podCache.Delete(b.replica("pod-a").Obj()); err != nil {
					b.t.Fatal(err)
				}
			},
			target: "pod-b", want: handover.Facts{Target: unknown},
		},
		"the old holder's pod is terminating": {
			change: func(b *bench) { b.pod(b.replica("pod-a").Terminating(at(100)).Obj()) },
			target: "pod-b", want: handover.Facts{Target: unknown, Cancel: true}, // a rollout, too
		},
		"the old holder's process ended after its last renewal": {
			change: func(b *bench) {
				b.pod(b.replica("pod-a").Restarted(end, 1).Started(end).Obj())
			},
			target: "pod-b", want: handover.Facts{Dead: true, Target: unknown},
		},
		"its process ended before: another one": {
			change: func(b *bench) {
				b.pod(b.replica("pod-a").Restarted(last.Add(-time.Second), 1).Started(last.Add(-time.Second)).Obj())
			},
			target: "pod-b", want: handover.Facts{FromThere: true, Target: unknown},
		},
		"its pod is said to have failed, its container runs": {
			change: func(b *bench) { b.pod(b.replica("pod-a").Phase(corev1.PodFailed).Obj()) },
			target: "pod-b", want: handover.Facts{FromThere: true, Target: unknown},
		},
		"its pod has failed, and its container has ended": {
			change: func(b *bench) {
				b.pod(b.replica("pod-a").Phase(corev1.PodFailed).Finished(end, 1).Obj())
			},
			target: "pod-b", want: handover.Facts{Dead: true, Target: unknown},
		},
		"the dead should keep it: its new process may": {
			change: func(b *bench) {
				b.pod(b.replica("pod-a").Restarted(end, 1).Started(end).Obj())
				for _, seconds := range []float64{71, 72} {
					b.time.now = at(seconds)
					b.write("pod-a_2", taskrun.Name(2), taskrun.Name(3))
				}
			},
			target: "pod-a",
			want:   handover.Facts{Dead: true, Target: handover.Party{Replica: "pod-a", Identity: "pod-a_2"}},
			alive:  at(72),
		},
		"trouble with the API": {
			change: func(b *bench) { b.work[key].trouble = true },
			target: "pod-b", want: handover.Facts{FromThere: true, Target: unknown},
		},
		"a rollout": {
			change: func(b *bench) { b.deployment.Status.UpdatedReplicas = 1 },
			target: "pod-b", want: handover.Facts{FromThere: true, Target: unknown, Cancel: true},
		},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			b := uneven(t)
			b.until(61, 70, "pod-a_1")
			if tc.change != nil {
				tc.change(b)
			}
			w := b.work[key]
			view, err := b.observe(b.context(), w, "", b.time.now)
			if err != nil {
				t.Fatal(err)
			}
			lease := taskrun.Name(0)
			got := b.facts(w, w.handovers[lease].Handover, view, byName(view)[lease], tc.target, b.time.now)
			if got.Lease == nil || got.Lease.Name != lease {
				t.Errorf("lease %v, want %s", got.Lease, lease)
			}
			if tc.alive.IsZero() {
				tc.alive = at(70)
			}
			want := handover.Sign{Stamp: tc.alive.Add(-skew), Seen: tc.alive}
			if diff := cmp.Diff(want, got.Alive[len(got.Alive)-1]); diff != "" {
				t.Errorf("last sign of life (-want, +got):\n%s", diff)
			}
			got.Lease, got.Alive = nil, nil
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("facts (-want, +got):\n%s", diff)
			}
		})
	}
}

// TestUnsettledKeepsTheTarget: while it is not known who leads what, a held lease
// is not given back only because the plan changes.
func TestUnsettledKeepsTheTarget(t *testing.T) {
	b := uneven(t)
	b.until(61, 70, "pod-a_1")
	b.write("", taskrun.Name(3)) // released by an elector that stops
	w := b.work[key]
	view, err := b.observe(b.context(), w, "", b.time.now)
	if err != nil {
		t.Fatal(err)
	}
	if got := view.Unsettled(); got != balance.LeaseUnowned {
		t.Fatalf("unsettled by %q", got)
	}
	lease := taskrun.Name(0)
	got := b.facts(w, w.handovers[lease].Handover, view, byName(view)[lease], "pod-a", b.time.now).Target.Replica
	if want := "pod-b"; got != want {
		t.Errorf("target %q, want %q as it was", got, want)
	}
}

// TestDraws: as long as a lease is open for a replica whose identity is not
// known, none of its queue is bound; then all are.
func TestDraws(t *testing.T) {
	b := newBench(t)
	b.deployment.Spec.Replicas, b.deployment.Status.Replicas, b.deployment.Status.ReadyReplicas = ptr.To[int32](3), 3, 3
	b.deployment.Status.UpdatedReplicas = 3
	for _, pod := range []string{"pod-a", "pod-b", "pod-c"} {
		b.pod(b.replica(pod).Obj())
	}
	for seconds := 0; seconds <= 60; seconds += 10 {
		b.time.now = at(float64(seconds))
		b.write("pod-a_1", wide.Names()...)
	}
	b.until(61, 119, "pod-a_1")
	b.wrote()
	b.until(120, 121, "pod-a_1") // released: two each for b and c
	b.write("pod-b_1", wide.Name(0))
	b.until(122, 123, "pod-a_1", "pod-b_1")
	want := []string{"delete wide.00-of-06", "delete wide.01-of-06", "delete wide.02-of-06", "delete wide.03-of-06"}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("one of two is known, writes (-want, +got):\n%s", diff)
	}
	b.write("pod-c_1", wide.Name(1))
	b.until(124, 125, "pod-a_1", "pod-b_1", "pod-c_1")
	want = []string{"create wide.02-of-06 pod-b_1", "create wide.03-of-06 pod-c_1"}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("both are known, writes (-want, +got):\n%s", diff)
	}
}

// TestStepAt: when a step is made, among others that are due.
func TestStepAt(t *testing.T) {
	does := func(a handover.Action) step { return step{&task{}, handover.Decision{Action: a}} }
	ends, later := does(handover.Finish), does(handover.Finish)
	later.retry = at(3)
	waits, fails := does(handover.Wait), does(handover.Extend)
	waits.Until, fails.retry = at(9), at(4)
	cases := map[string]struct {
		step   step
		others []step
		want   time.Time
	}{
		"it waits":                            {step: waits, want: at(9)},
		"its last call failed":                {step: fails, want: at(4)},
		"it holds":                            {step: does(handover.Hold), others: []step{ends}, want: at(0)},
		"it releases":                         {step: does(handover.Release), others: []step{ends}, want: at(0)},
		"it ends":                             {step: ends, others: []step{ends}, want: at(0)},
		"it binds":                            {step: does(handover.Assign), others: []step{does(handover.Hold)}, want: at(0)},
		"it binds while another ends":         {step: does(handover.Assign), others: []step{ends}, want: at(0.1)},
		"it binds anew while another ends":    {step: does(handover.Create), others: []step{ends}, want: at(0.1)},
		"it binds before another tries again": {step: does(handover.Create), others: []step{later}, want: at(0)},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := tc.step.at(at(0), append(tc.others, tc.step)); !got.Equal(tc.want) {
				t.Errorf("at %s, want %s", got, tc.want)
			}
		})
	}
}

// TestBackOff: calls of a handover that fail are made again, at longer and
// longer intervals that leave time to extend a hold. The others go on.
func TestBackOff(t *testing.T) {
	b := uneven(t)
	b.remember(key, b.deployment).probed = at(61) // the API was well right before
	var got []int
	b.fault = func(r leasestesting.Request) leasestesting.Fault {
		if r.Name != taskrun.Name(0) {
			return leasestesting.Fault{}
		}
		got = append(got, int(b.time.now.Sub(start).Seconds()))
		return leasestesting.Fault{Err: errLister}
	}
	b.until(61, 80, "pod-a_1")
	if diff := cmp.Diff([]int{61, 62, 64, 68, 72, 76, 80}, got); diff != "" {
		t.Errorf("calls of the one that fails at (-want, +got):\n%s", diff)
	}
	if got := b.woken[len(b.woken)-1]; got != stepInterval {
		t.Errorf("after a call it comes back after %s, want %s", got, stepInterval)
	}
	b.until(81, 81, "pod-a_1")
	if got, want := b.woken[len(b.woken)-1], 3*time.Second; got != want {
		t.Errorf("in the pause it comes back after %s, want %s", got, want)
	}
	b.until(82, 107, "pod-a_1")
	want := []string{"update taskrun.01-of-04 " + ownIdentity, "update taskrun.01-of-04 " + ownIdentity}
	if diff := cmp.Diff(want, b.wrote()); diff != "" {
		t.Errorf("writes of the other, held at 61s and extended at 107s (-want, +got):\n%s", diff)
	}
	if got := strings.Count(b.log.String(), "Handover step failed"); got != 13 {
		t.Errorf("%d failures in the log, want one per call, 13", got)
	}

	got, b.fault = nil, nil
	b.until(108, 112, "pod-a_1")
	if task := b.work[key].handovers[taskrun.Name(0)]; task != nil && task.failures != 0 {
		t.Errorf("%d failures in a row after a call that worked", task.failures)
	}
}

// TestCallsSideBySide: one call that never ends does not keep the others
// waiting, and is given up after a while.
func TestCallsSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := uneven(t)
		b.remember(key, b.deployment).probed = at(61) // the API was well right before
		b.fault = func(r leasestesting.Request) leasestesting.Fault {
			return leasestesting.Fault{Lost: r.Name == taskrun.Name(0), Err: lostOnly(r)}
		}
		began := time.Now()
		b.reconcileAt(61)
		if took := time.Since(began); took != callTimeout {
			t.Errorf("it took %s, want %s", took, callTimeout)
		}
		if diff := cmp.Diff([]string{"update taskrun.01-of-04 " + ownIdentity}, b.wrote()); diff != "" {
			t.Errorf("writes (-want, +got):\n%s", diff)
		}
	})
}

// lostOnly breaks what is lost before it reaches the server.
func lostOnly(r leasestesting.Request) error {
	if r.Name == taskrun.Name(0) {
		return errLister
	}
	return nil
}

// TestRefusedByTheServer: any answer of the server but success leads to a read.
func TestRefusedByTheServer(t *testing.T) {
	b := uneven(t)
	b.remember(key, b.deployment).probed = at(61) // the API was well right before
	calls := map[string]int{}
	b.fault = func(r leasestesting.Request) leasestesting.Fault {
		if r.Resource != "leases" {
			return leasestesting.Fault{}
		}
		calls[r.Verb]++
		if r.Verb == "update" {
			return leasestesting.Fault{Err: apierrors.NewInternalError(errLister)}
		}
		return leasestesting.Fault{}
	}
	b.reconcileAt(61)
	b.reconcileAt(63)
	if diff := cmp.Diff(map[string]int{"update": 2, "get": 2}, calls); diff != "" {
		t.Errorf("calls (-want, +got):\n%s", diff)
	}
}
