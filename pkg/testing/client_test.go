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

package testing

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestFaults(t *testing.T) {
	unavailable := apierrors.NewServiceUnavailable("not now")
	throttled := apierrors.NewTooManyRequests("slowly", 3)
	conflict := apierrors.NewConflict(schema.GroupResource{Resource: "leases"}, "x", errors.New("changed"))
	cases := map[string]struct {
		faults []Fault
		// timeout is when the client gives up; 0 is never.
		timeout time.Duration
		// took is how long the client waited, applied when the lease appeared; negative if it never did.
		took, applied time.Duration
		want          func(error) bool
	}{
		"none": {},
		"slow": {faults: []Fault{{Before: 2 * time.Second, After: 3 * time.Second}}, took: 5 * time.Second, applied: 2 * time.Second},
		"given up before it arrives": {
			faults: []Fault{{Before: 5 * time.Second}}, timeout: 2 * time.Second,
			took: 2 * time.Second, applied: 5 * time.Second, want: isTimeout,
		},
		"given up before the answer": {
			faults: []Fault{{After: 5 * time.Second}}, timeout: 2 * time.Second, took: 2 * time.Second, want: isTimeout,
		},
		"lost answer": {faults: []Fault{{Lost: true}}, timeout: 2 * time.Second, took: 2 * time.Second, want: isTimeout},
		"lost request": {
			faults: []Fault{{Lost: true, Err: errors.New("cable")}}, timeout: 2 * time.Second,
			took: 2 * time.Second, applied: -1, want: isTimeout,
		},
		"refused": {
			faults: []Fault{{Err: unavailable, After: time.Second}}, took: time.Second, applied: -1, want: apierrors.IsServiceUnavailable,
		},
		"conflict": {faults: []Fault{{Err: conflict}}, applied: -1, want: apierrors.IsConflict},
		"broken": {
			faults: []Fault{{Err: errCable}}, applied: -1,
			want: func(err error) bool { return errors.Is(err, errCable) },
		},
		"broken after it was carried out": {
			faults: []Fault{{Before: time.Second, After: 45 * time.Second, Broken: true}}, took: 46 * time.Second, applied: time.Second,
			want: func(err error) bool { return errors.Is(err, ErrBroken) },
		},
		"throttled, then served": {faults: []Fault{{Err: throttled}}, took: 3 * time.Second, applied: 3 * time.Second},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				var applied atomic.Int64
				applied.Store(-1)
				api := NewAPI()
				api.Observe(func(o Observation) {
					if o.Code == 201 {
						applied.Store(int64(time.Since(start)))
					}
				})
				c := api.NewClient("test", ClientOptions{Fault: func(r Request) Fault {
					if r.Ordinal < len(tc.faults) {
						return tc.faults[r.Ordinal]
					}
					return Fault{}
				}}).Kube().CoordinationV1().Leases(Namespace)
				ctx := t.Context()
				if tc.timeout > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, tc.timeout)
					defer cancel()
				}
				_, err := c.Create(ctx, MakeLease("x").Obj(), metav1.CreateOptions{})
				if tc.want == nil && err != nil || tc.want != nil && !tc.want(err) {
					t.Errorf("err = %v", err)
				}
				if took := time.Since(start); took != tc.took {
					t.Errorf("took %v, want %v", took, tc.took)
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				if got := time.Duration(applied.Load()); got != tc.applied {
					t.Errorf("applied after %v, want %v", got, tc.applied)
				}
			})
		})
	}
}

var errCable = errors.New("cable")

func isTimeout(err error) bool { return errors.Is(err, context.DeadlineExceeded) }

func TestCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := NewAPI()
		client := api.NewClient("test", ClientOptions{Fault: func(Request) Fault { return Fault{Before: 2 * time.Second} }})
		c := client.Kube().CoordinationV1().Leases(Namespace)
		time.AfterFunc(time.Second, client.Cut)
		if _, err := c.Create(t.Context(), MakeLease("x").Obj(), metav1.CreateOptions{}); !errors.Is(err, ErrCut) {
			t.Errorf("err = %v, want %v", err, ErrCut)
		}
		if _, err := c.Get(t.Context(), "x", metav1.GetOptions{}); !errors.Is(err, ErrCut) {
			t.Errorf("err = %v, want %v", err, ErrCut)
		}
		time.Sleep(2 * time.Second)
		if got := len(Objects(api, MakeLease("").Obj())); got != 1 {
			t.Errorf("%d leases, want the one that was on its way when the connection was cut", got)
		}
	})
}

func TestRateLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := NewAPI(MakeLease("x").Obj())
		c := api.NewClient("test", ClientOptions{QPS: 2, Burst: 3}).Kube().CoordinationV1().Leases(Namespace)
		start := time.Now()
		for range 7 {
			if _, err := c.Get(t.Context(), "x", metav1.GetOptions{}); err != nil {
				t.Fatal("failed to get:", err)
			}
		}
		if took := time.Since(start); took != 2*time.Second {
			t.Errorf("7 calls at 2 per second and a burst of 3 took %v, want 2s", took)
		}
	})
}

func TestOrdinals(t *testing.T) {
	var got []int
	api := NewAPI()
	c := api.NewClient("test", ClientOptions{Fault: func(r Request) Fault {
		got = append(got, r.Ordinal)
		return Fault{}
	}}).Kube().CoordinationV1().Leases(Namespace)
	for _, name := range []string{"x", "x", "y", "x"} {
		_, _ = c.Get(t.Context(), name, metav1.GetOptions{})
	}
	for i, want := range []int{0, 1, 0, 2} {
		if got[i] != want {
			t.Errorf("ordinals = %v, want [0 1 0 2]", got)
			break
		}
	}
}
