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

package handover

import (
	"context"
	"errors"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/bucket"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

const (
	ownIdentity = "tekton-leases-controller_0aef"
	// otherOfOurs is the identity of another process of this controller.
	otherOfOurs = "tekton-leases-controller_77b1"
	stranger    = "pod-c_cccc"
)

var (
	// start is when the last renewal of the old holder was seen. All times of
	// the tests are counted from it.
	start = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)
	// stamp is what the old holder wrote then: its clock is 7 minutes behind.
	stamp = start.Add(-7 * time.Minute)

	defaults = Timing{RetryPeriod: 10 * time.Second, RenewDeadline: 40 * time.Second}
	group    = bucket.Group{Prefix: "tekton-pipelines-controller.taskrun", Buckets: 10}

	oldHolder = Party{Replica: "pod-a", Identity: "pod-a_aaaa"}
	target    = Party{Replica: "pod-b", Identity: "pod-b_bbbb"}
	unknown   = Party{Replica: "pod-b"}

	errNetwork = errors.New("the network broke")
)

// at is the time so many seconds after start.
func at(seconds float64) time.Time {
	return start.Add(time.Duration(seconds * float64(time.Second)))
}

// bench is one lease on an API, and a handover of it.
type bench struct {
	*Handover
	t   *testing.T
	api *leasestesting.API
	// fault is what the network does to our calls.
	fault func(leasestesting.Request) leasestesting.Fault
	c     Client
}

// newBench begins the handover of a lease from oldHolder, 1 s after its last
// renewal was seen.
func newBench(t *testing.T) *bench {
	t.Helper()
	b := benchOn(t)
	b.Handover = New(ownIdentity, group, b.lease(), oldHolder, at(0), at(1), defaults, 0)
	return b
}

// newAbruptBench is the same with strategy delete.
func newAbruptBench(t *testing.T) *bench {
	t.Helper()
	b := benchOn(t)
	b.Handover = NewAbrupt(group, b.lease(), oldHolder, at(0), at(1), defaults)
	return b
}

func benchOn(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t}
	b.api = leasestesting.NewAPI(leasestesting.MakeLease(group.Name(3)).Holder(oldHolder.Identity).
		Acquired(stamp.Add(-time.Hour)).Renewed(stamp).Duration(60).Transitions(4).
		Annotation("example.com/note", "kept").Obj())
	client := b.api.NewClient("ours", leasestesting.ClientOptions{Fault: func(r leasestesting.Request) leasestesting.Fault {
		if b.fault == nil {
			return leasestesting.Fault{}
		}
		return b.fault(r)
	}})
	b.c = client.Kube().CoordinationV1().Leases(leasestesting.Namespace)
	return b
}

// lease is what the server stores, nil for nothing.
func (b *bench) lease() *coordinationv1.Lease {
	for _, l := range leasestesting.Objects(b.api, &coordinationv1.Lease{}) {
		return l
	}
	return nil
}

// seconds is for how long a record is good.
func seconds(lease *coordinationv1.Lease) time.Duration {
	return time.Duration(ptr.Deref(lease.Spec.LeaseDurationSeconds, 0)) * time.Second
}

// edit is a write by somebody else.
func (b *bench) edit(change func(*coordinationv1.Lease)) {
	b.t.Helper()
	l := b.lease()
	change(l)
	b.api.Seed(l)
}

// record is the write of an elector.
func (b *bench) wrote(identity string, renewed time.Time) {
	b.t.Helper()
	b.edit(func(l *coordinationv1.Lease) {
		l.Spec.HolderIdentity, l.Spec.LeaseDurationSeconds = &identity, ptr.To[int32](60)
		l.Spec.RenewTime = ptr.To(metav1.NewMicroTime(renewed))
	})
}

// create is what an elector does that finds no lease.
func (b *bench) create(identity string) {
	b.api.Seed(leasestesting.MakeLease(group.Name(3)).Holder(identity).Renewed(stamp).Duration(60).Obj())
}

// remove is somebody who deletes the lease by hand.
func (b *bench) remove() {
	b.t.Helper()
	hand := b.api.NewClient("somebody", leasestesting.ClientOptions{}).Kube().CoordinationV1().Leases(leasestesting.Namespace)
	if err := hand.Delete(b.t.Context(), group.Name(3), metav1.DeleteOptions{}); err != nil {
		b.t.Fatalf("failed to delete the lease by hand: %v", err)
	}
}

// do makes a call that must succeed.
func (b *bench) do(seconds float64, d Decision) {
	b.t.Helper()
	if err := b.Do(b.t.Context(), b.c, at(seconds), d); err != nil {
		b.t.Fatalf("Do(%s) at %vs: %v", d.Action, seconds, err)
	}
}

// doFailing makes a call that must fail.
func (b *bench) doFailing(ctx context.Context, seconds float64, d Decision) error {
	b.t.Helper()
	err := b.Do(ctx, b.c, at(seconds), d)
	if err == nil {
		b.t.Fatalf("Do(%s) at %vs succeeded, want an error", d.Action, seconds)
	}
	return err
}

// facts are those of a handover in which nothing is wrong, with a cache that is
// up to date.
func (b *bench) facts() Facts {
	return Facts{Lease: b.lease(), FromThere: true, Target: target}
}

// The ways to a step. Each takes place at the seconds in its name.

func held1(b *bench) { b.do(1, Decision{Action: Hold, Target: target}) }

func extended47(b *bench) {
	held1(b)
	b.do(47, Decision{Action: Extend, Target: target})
}

func assigned52(b *bench) {
	held1(b)
	b.do(52, Decision{Action: Assign, Target: target})
}

func open52(b *bench) {
	held1(b)
	b.do(52, Decision{Action: Release})
}

func created60(b *bench) {
	open52(b)
	b.do(60, Decision{Action: Create, Target: target})
}

// missed84 is a lease whose target did not come for it in time.
func missed84(b *bench) {
	created60(b)
	b.do(84, Decision{Action: Release})
}
