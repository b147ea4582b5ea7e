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

	"github.com/google/go-cmp/cmp"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

func TestJournal(t *testing.T) {
	const name = "x.taskrun.00-of-01"
	seconds := func(n float64) time.Time { return start.Add(time.Duration(n * float64(time.Second))) }
	type sight struct {
		at     float64
		holder string
		stamp  float64
		gone   bool
		name   string
	}
	cases := map[string]struct {
		sights []sight
		expire float64
		want   []change
	}{
		"it has a holder at first": {
			sights: []sight{{at: 0, holder: "a_1"}}, want: []change{{seconds(0), name, "", "a_1"}},
		},
		"renewals change nothing": {
			sights: []sight{{at: 0, holder: "a_1"}, {at: 10, holder: "a_1", stamp: 10}, {at: 20, holder: "a_1", stamp: 20}}, expire: 79,
			want: []change{{seconds(0), name, "", "a_1"}},
		},
		"nor does the same record again": {
			sights: []sight{{at: 0, holder: "a_1"}, {at: 50, holder: "a_1"}}, expire: 61,
			want: []change{{seconds(0), name, "", "a_1"}, {seconds(60), name, "a_1", ""}},
		},
		"it changes hands": {
			sights: []sight{{at: 0, holder: "a_1"}, {at: 5, holder: "b_1", stamp: 5}},
			want:   []change{{seconds(0), name, "", "a_1"}, {seconds(5), name, "a_1", "b_1"}},
		},
		"it is deleted and comes back": {
			sights: []sight{{at: 0, holder: "a_1"}, {at: 5, gone: true}, {at: 7, holder: "a_1", stamp: 7}},
			want:   []change{{seconds(0), name, "", "a_1"}, {seconds(5), name, "a_1", ""}, {seconds(7), name, "", "a_1"}},
		},
		"it expires and is renewed after all": {
			sights: []sight{{at: 0, holder: "a_1"}}, expire: 100,
			want: []change{{seconds(0), name, "", "a_1"}, {seconds(60), name, "a_1", ""}},
		},
		"released": {
			sights: []sight{{at: 0, holder: "a_1"}, {at: 3, holder: "", stamp: 3}}, expire: 100,
			want: []change{{seconds(0), name, "", "a_1"}, {seconds(3), name, "a_1", ""}},
		},
		"no bucket": {sights: []sight{{at: 0, holder: "a_1", name: "kube-controller-manager"}}},
	}
	for title, tc := range cases {
		t.Run(title, func(t *testing.T) {
			j := newJournal()
			for _, s := range tc.sights {
				lease := leasestesting.MakeLease(name).Holder(s.holder).Renewed(seconds(s.stamp)).Duration(60).Obj()
				if s.gone {
					lease = nil
				}
				if s.name == "" {
					s.name = name
				}
				j.saw(s.name, lease, seconds(s.at))
			}
			j.expire(seconds(tc.expire))
			got := j.since(0)
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(change{})); diff != "" && len(tc.want)+len(got) > 0 {
				t.Errorf("changes (-want, +got):\n%s", diff)
			}
			if n := len(j.since(len(got))); n != 0 {
				t.Errorf("%d changes since the last one", n)
			}
		})
	}
}

// TestMoved: what was on its way at first has moved once somebody has it.
func TestMoved(t *testing.T) {
	cases := map[string]struct {
		holders []string
		want    int
	}{
		"it stays":                   {holders: []string{"a_1"}},
		"it goes":                    {holders: []string{"a_1", own, "b_1"}, want: 1},
		"it is on its way":           {holders: []string{"a_1", own}},
		"it was on its way":          {holders: []string{own, "b_1"}, want: 1},
		"it comes back":              {holders: []string{"a_1", "b_1", "a_1"}},
		"another process of the pod": {holders: []string{"a_1", "a_2"}},
		"it is let go":               {holders: []string{"a_1", ""}},
		"it goes, and is let go":     {holders: []string{"a_1", "b_1", ""}, want: 1},
		"it was nobody's":            {holders: []string{"", "a_1"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			j := newJournal()
			for _, lease := range []string{"x.taskrun.00-of-02", "x.other.00-of-01"} {
				for i, by := range tc.holders {
					at := start.Add(time.Duration(i) * time.Second)
					j.saw(lease, leasestesting.MakeLease(lease).Holder(by).Renewed(at).Duration(60).Obj(), at)
				}
			}
			if got := j.moved(func(lease string) bool { return lease == "x.taskrun.00-of-02" }); got != tc.want {
				t.Errorf("%d moved, want %d", got, tc.want)
			}
		})
	}
}
