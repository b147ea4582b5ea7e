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
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// TestAges: only stamps of the cluster are compared with each other, whatever
// our own clock shows.
func TestAges(t *testing.T) {
	lease := func(ago time.Duration) *coordinationv1.Lease {
		return leasestesting.MakeLease("x.00-of-01").Holder("a_1").Duration(60).Renewed(there.Add(-ago)).Obj()
	}
	cases := map[string]struct {
		ago, want time.Duration
	}{
		"the newest":                        {},
		"some seconds ago":                  {ago: 8 * time.Second, want: 8 * time.Second},
		"just alive":                        {ago: time.Minute, want: time.Minute},
		"expired, unless the clocks differ": {ago: 100 * time.Second, want: time.Minute},
		"expired":                           {ago: 121 * time.Second, want: 121 * time.Second},
		"a leftover":                        {ago: 48 * time.Hour, want: 48 * time.Hour},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			a := newAges([]*coordinationv1.Lease{lease(tc.ago), lease(0), leasestesting.MakeLease("empty").Obj()}, start)
			if got := start.Sub(a.renewed(lease(tc.ago))); got != tc.want {
				t.Errorf("renewed %s ago, want %s", got, tc.want)
			}
			ready := leasestesting.MakePod("pod").Ready(there.Add(-tc.ago)).Obj()
			if got := start.Sub(a.ready(ready)); got != tc.ago {
				t.Errorf("ready for %s, want %s", got, tc.ago)
			}
		})
	}
	t.Run("nothing has a stamp", func(t *testing.T) {
		a := newAges([]*coordinationv1.Lease{leasestesting.MakeLease("empty").Obj()}, start)
		if got := a.renewed(leasestesting.MakeLease("empty").Obj()); !got.Equal(start) {
			t.Errorf("renewed %v, want now", got)
		}
		if got := a.ready(leasestesting.MakePod("pod").Obj()); !got.Equal(start) {
			t.Errorf("ready %v, want now", got)
		}
	})
}
