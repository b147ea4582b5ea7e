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

package prometheus

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestDecode: the answers of Prometheus to both kinds of queries.
func TestDecode(t *testing.T) {
	cases := map[string]struct {
		answer  string
		want    []Series
		wantErr string
	}{
		"now": {
			answer: `{"status":"success","data":{"resultType":"vector","result":[{"metric":{"queue":"a"},"value":[1772366400.25,"7"]}]}}`,
			want:   []Series{{Labels: map[string]string{"queue": "a"}, Points: []Point{{time.UnixMilli(1772366400250), 7}}}},
		},
		"over time": {
			answer: `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1772366400,"0.5"],[1772366401,"+Inf"]]}]}}`,
			want:   []Series{{Labels: map[string]string{}, Points: []Point{{time.Unix(1772366400, 0), 0.5}, {time.Unix(1772366401, 0), math.Inf(1)}}}},
		},
		"nothing":    {answer: `{"status":"success","data":{"resultType":"vector","result":[]}}`, want: []Series{}},
		"an error":   {answer: `{"status":"error","errorType":"bad_data","error":"parse error"}`, wantErr: "parse error"},
		"no JSON":    {answer: `404`, wantErr: "failed to read"},
		"no values":  {answer: `{"status":"success","data":{"result":[{"metric":{},"values":[[1772366400]]}]}}`, wantErr: "no value"},
		"no number":  {answer: `{"status":"success","data":{"result":[{"metric":{},"value":[1772366400,"many"]}]}}`, wantErr: "no value"},
		"not a time": {answer: `{"status":"success","data":{"result":[{"metric":{},"value":["now","1"]}]}}`, wantErr: "no value"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := decode(strings.NewReader(tc.answer))
			if (err == nil) != (tc.wantErr == "") || err != nil && !strings.Contains(err.Error(), tc.wantErr) {
				t.Fatalf("error %v, want %q", err, tc.wantErr)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("series (-want, +got):\n%s", diff)
			}
		})
	}
}

func TestLast(t *testing.T) {
	if got := (Series{Points: points(1, 2)}).Last(); got != 2 {
		t.Errorf("Last() = %g, want 2", got)
	}
	if got := (Series{}).Last(); !math.IsNaN(got) {
		t.Errorf("Last() of nothing = %g, want none", got)
	}
}
