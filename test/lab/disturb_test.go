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

package lab

import (
	"context"
	"errors"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestDisturb makes one call under each disturbance: how long it takes, what comes of it, and whether it was carried out.
func TestDisturb(t *testing.T) {
	const patience = 50 * time.Second
	is := func(want error) func(error) bool { return func(err error) bool { return errors.Is(err, want) } }
	fine := func(err error) bool { return err == nil }
	cases := map[string]struct {
		disturb Disturbance
		who     Who
		// took is how long the caller waited, more or less.
		took time.Duration
		want func(error) bool
		// applied is when the write was carried out, negative if never.
		applied time.Duration
	}{
		"somebody else's": {disturb: Refused(), who: Electors, want: fine},
		"refused":         {disturb: Refused(), who: Ours, want: is(syscall.ECONNREFUSED), applied: -1},
		"silent":          {disturb: Silent(), who: Everybody, took: 45 * time.Second, want: is(leasestesting.ErrBroken), applied: -1},
		"stuck":           {disturb: Stuck(), who: Ours, took: patience, want: is(context.DeadlineExceeded), applied: time.Minute},
		"slow": {
			disturb: Slow(Range{4 * time.Second, 4*time.Second + 1}), who: Ours,
			took: 4 * time.Second, want: fine, applied: 2 * time.Second,
		},
		"late":        {disturb: Late(Range{3 * time.Second, 3*time.Second + 1}), who: Ours, took: 3 * time.Second, want: fine},
		"lossy":       {disturb: Lossy(1), who: Ours, took: 45 * time.Second, want: is(leasestesting.ErrBroken)},
		"never lossy": {disturb: Lossy(0), who: Ours, want: fine},
		"conflict":    {disturb: Failing(1, ErrConflict), who: Ours, want: apierrors.IsConflict, applied: -1},
		"internal":    {disturb: Failing(1, ErrInternal), who: Ours, want: apierrors.IsInternalError, applied: -1},
		"timeout":     {disturb: Failing(1, ErrTimeout), who: Ours, want: apierrors.IsTimeout, applied: -1},
		// client-go tries ten times more, each after the second that the server asks for.
		"too many":    {disturb: Failing(1, ErrTooMany), who: Ours, took: 10 * time.Second, want: apierrors.IsTooManyRequests, applied: -1},
		"unavailable": {disturb: Failing(1, ErrUnavailable), who: Ours, want: apierrors.IsServiceUnavailable, applied: -1},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			run(t, Options{}, func(l *Lab) {
				applied := time.Duration(-1)
				start := time.Now()
				l.API.Observe(func(o leasestesting.Observation) {
					if o.Verb == "create" && o.Code == 201 {
						applied = time.Since(start)
					}
				})
				l.Disturb(tc.who, tc.disturb, time.Minute)
				err := l.probe(patience)
				if !tc.want(err) {
					l.T.Errorf("unexpected error: %v", err)
				}
				// A call and its retries take some milliseconds besides.
				if took := time.Since(start); took < tc.took || took > tc.took+250*time.Millisecond {
					l.T.Errorf("took %v, want %v", took, tc.took)
				}
				time.Sleep(2 * time.Minute)
				if diff := applied - tc.applied; diff < 0 || diff > 50*time.Millisecond || (applied < 0) != (tc.applied < 0) {
					l.T.Errorf("applied after %v, want %v", applied, tc.applied)
				}
				if tc.applied < 0 {
					l.try(l.probe(time.Second)) // it has ended
				}
			})
		})
	}
}

// probe creates a lease of our controller's own.
func (l *Lab) probe(patience time.Duration) error {
	const name = controllerName + "-0"
	ctx, cancel := context.WithTimeout(l.ctx, patience)
	defer cancel()
	_, err := l.API.NewClient(name, l.network(name)).Kube().CoordinationV1().Leases(leasestesting.Namespace).
		Create(ctx, leasestesting.MakeLease(controllerName+".probe").Obj(), metav1.CreateOptions{})
	return err
}

// TestDisturbWatches lets a lease change every second and looks at when a watch shows it.
func TestDisturbWatches(t *testing.T) {
	cases := map[string]struct {
		disturb Disturbance
		want    []time.Duration // after the change
	}{
		"stale":    {Stale(Range{5 * time.Second, 5*time.Second + 1}), inSeconds(5, 5, 5)},
		"slow":     {Slow(Range{4 * time.Second, 4*time.Second + 1}), inSeconds(2, 2, 2)},
		"stuck":    {Stuck(), inSeconds(20, 19, 18)},
		"no lag":   {Failing(1, ErrInternal), inSeconds(0, 0, 0)},
		"answered": {Late(Range{time.Second, 2 * time.Second}), inSeconds(0, 0, 0)},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			run(t, Options{}, func(l *Lab) {
				const client = controllerName + "-0"
				ctx, cancel := context.WithCancel(l.ctx)
				defer cancel()
				events, err := l.API.NewClient(client, l.network(client)).Kube().CoordinationV1().
					Leases(leasestesting.Namespace).Watch(ctx, metav1.ListOptions{ResourceVersion: "0"})
				l.try(err)
				var arrived []time.Time
				var reader sync.WaitGroup
				reader.Go(func() {
					for e := range events.ResultChan() {
						if e.Type == watch.Added || e.Type == watch.Modified {
							arrived = append(arrived, time.Now())
						}
					}
				})
				l.Disturb(Ours, tc.disturb, 20*time.Second)
				var changed []time.Time
				for i := range tc.want {
					changed = append(changed, time.Now())
					l.API.Seed(leasestesting.MakeLease("x").Duration(int32(i)).Obj())
					time.Sleep(time.Second)
				}
				time.Sleep(time.Minute)
				events.Stop()
				reader.Wait()
				var got []time.Duration
				for i, at := range arrived {
					got = append(got, at.Sub(changed[i]).Truncate(time.Second))
				}
				if diff := cmp.Diff(tc.want, got); diff != "" {
					l.T.Error("unexpected delays (-want, +got):\n", diff)
				}
			})
		})
	}
}

func inSeconds(all ...time.Duration) []time.Duration {
	for i := range all {
		all[i] *= time.Second
	}
	return all
}
