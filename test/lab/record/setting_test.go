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

package record

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	first := Setting{Row: Row{"restart", Handover, Tekton, Fixed}, Replicas: 2, Buckets: 10, Seed: 1}
	changed := func(change func(*Setting)) Setting {
		s := first
		change(&s)
		return s
	}
	cases := map[string]struct {
		text    string
		want    Setting
		wantErr string
	}{
		"nothing":                  {text: "", want: first},
		"a seed":                   {text: "seed=-7", want: changed(func(s *Setting) { s.Seed = -7 })},
		"a scenario of many words": {text: "scenario=scale-out-and-in", want: changed(func(s *Setting) { s.Scenario = "scale out and in" })},
		"everything": {
			text: "scenario=slow-API strategy=delete timings=15/10/2 size=any replicas=5 buckets=3 seed=99",
			want: Setting{Row: Row{"slow API", Delete, ClientGo, Drawn}, Replicas: 5, Buckets: 3, Seed: 99},
		},
		"no number":     {text: "replicas=two", wantErr: `"replicas=two"`},
		"no such field": {text: "replica=2", wantErr: `a setting has no "replica"`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := Parse(tc.text)
			if tc.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), tc.wantErr) {
					t.Fatalf("error = %v, want one with %s", err, tc.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error("unexpected setting (-want, +got):\n", diff)
			}
		})
	}
}

func TestStringIsParsed(t *testing.T) {
	for _, row := range Rows() {
		for seed := range int64(3) {
			want := row.Draw(seed)
			got, err := Parse(want.String())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s is read as another setting (-want, +got):\n%s", want, diff)
			}
		}
	}
}
