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
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestFreeze makes a call 1 s after the begin, which takes 1 s there and 1 s back.
func TestFreeze(t *testing.T) {
	cases := map[string]struct {
		freeze, thaw time.Duration
		// timeout is when the client gives up, after the call; 0 is never.
		timeout time.Duration
		late    bool
		// cut is when the process dies; 0 is never.
		cut time.Duration
		// returned is when the call returned, applied when the lease appeared; 0 if it never did.
		returned, applied time.Duration
		want              error
	}{
		"never": {freeze: time.Hour, returned: 3 * time.Second, applied: 2 * time.Second},
		"before the call": {
			freeze: 500 * time.Millisecond, thaw: 10 * time.Second, returned: 12 * time.Second, applied: 11 * time.Second,
		},
		"before the call, for longer than it may take": {
			freeze: 500 * time.Millisecond, thaw: 10 * time.Second, timeout: 4 * time.Second,
			returned: 10 * time.Second, want: context.DeadlineExceeded,
		},
		"before the call, for longer than it may take, which it notices late": {
			freeze: 500 * time.Millisecond, thaw: 10 * time.Second, timeout: 4 * time.Second, late: true,
			returned: 10 * time.Second, applied: 11 * time.Second, want: context.DeadlineExceeded,
		},
		"while the call is on its way": {
			freeze: 1500 * time.Millisecond, thaw: 10 * time.Second, returned: 10 * time.Second, applied: 2 * time.Second,
		},
		"while the answer is on its way": {
			freeze: 2500 * time.Millisecond, thaw: 10 * time.Second, returned: 10 * time.Second, applied: 2 * time.Second,
		},
		"while the answer is on its way, for longer than it may take": {
			freeze: 2500 * time.Millisecond, thaw: 10 * time.Second, timeout: 4 * time.Second,
			returned: 10 * time.Second, applied: 2 * time.Second, want: context.DeadlineExceeded,
		},
		"while the answer is on its way, for longer than it may take, which it notices late": {
			freeze: 2500 * time.Millisecond, thaw: 10 * time.Second, timeout: 4 * time.Second, late: true,
			returned: 10 * time.Second, applied: 2 * time.Second,
		},
		"until it is killed": {
			freeze: 2500 * time.Millisecond, thaw: time.Hour, timeout: 4 * time.Second, cut: 20 * time.Second,
			returned: 20 * time.Second, applied: 2 * time.Second, want: context.DeadlineExceeded,
		},
		"until it is killed before it could send": {
			freeze: 500 * time.Millisecond, thaw: time.Hour, cut: 20 * time.Second, returned: 20 * time.Second, want: ErrCut,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				var applied time.Duration
				api := NewAPI()
				api.Observe(func(o Observation) {
					if o.Code == 201 {
						applied = time.Since(start)
					}
				})
				client := api.NewClient("test", ClientOptions{
					Fault: func(Request) Fault { return Fault{Before: time.Second, After: time.Second} },
					Late:  func(Request) bool { return tc.late },
				})
				time.AfterFunc(tc.freeze, client.Freeze)
				time.AfterFunc(tc.thaw, client.Thaw)
				if tc.cut > 0 {
					time.AfterFunc(tc.cut, client.Cut)
				}
				time.Sleep(time.Second)
				ctx := t.Context()
				if tc.timeout > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, tc.timeout)
					defer cancel()
				}
				_, err := client.Kube().CoordinationV1().Leases(Namespace).Create(ctx, MakeLease("x").Obj(), metav1.CreateOptions{})
				if !errors.Is(err, tc.want) {
					t.Errorf("err = %v, want %v", err, tc.want)
				}
				if got := time.Since(start); got != tc.returned {
					t.Errorf("returned after %v, want %v", got, tc.returned)
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				if applied != tc.applied {
					t.Errorf("applied after %v, want %v", applied, tc.applied)
				}
			})
		})
	}
}

func TestFreezeWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := NewAPI()
		client := api.NewClient("test", ClientOptions{})
		w, err := client.Kube().CoordinationV1().Leases(Namespace).Watch(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal("failed to watch:", err)
		}
		defer w.Stop()
		start := time.Now()
		client.Freeze()
		client.Freeze() // once more changes nothing
		time.AfterFunc(10*time.Second, func() {
			client.Thaw()
			client.Freeze()
		})
		time.AfterFunc(15*time.Second, client.Thaw)
		api.Seed(MakeLease("x").Obj(), MakeLease("y").Obj())
		for _, want := range []string{"x", "y"} {
			if got := (<-w.ResultChan()).Object.(Object).GetName(); got != want {
				t.Errorf("event for %q, want %q", got, want)
			}
		}
		if got, want := time.Since(start), 15*time.Second; got != want {
			t.Errorf("events after %v, want %v", got, want)
		}
	})
}
