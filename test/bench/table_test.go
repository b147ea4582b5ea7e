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

package bench

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTable(t *testing.T) {
	result := func(leases Leases, took float64, cpu ...float64) Result {
		return Result{
			Cell: Cell{Replicas: 2, Settings: "default", Leases: leases}, Took: took, Began50: took / 2, Began95: took - 1.04, Depth: 300,
			CPU: cpu, Requests: []float64{19.6, 2}, APIServer: 0.5, Machine: 0.75,
		}
	}
	killed := func(leases Leases, waited int) Result {
		return Result{Cell: Cell{Replicas: 2, Settings: "default", Leases: leases, Fault: "killed"}, PipelineRuns: 60, Waited: waited, Longest: 70.4}
	}
	got := Table([]Result{
		result(OnOne, 100, 0.2, 0.01), result(Even, 50, 0.1, 0.1), killed(Even, 0), killed(Plain, 30),
		result(OnOne, 120, 0.3, 0.02), result(Even, 50.2, 0.1, 0.1), killed(Even, 3), killed(Plain, 33),
		result(OnOne, 110, 0.4, 0.03), result(Even, 50, 0.1, 0.1), killed(Even, 1),
	})
	const want = `| replicas, settings, leases | runs | all done after, s | faster than on one | creation to TaskRun p50, s | p95, s | keys queued in one replica | cores, each replica | requests/s, each replica | cores, API server | machine busy, % |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
| 2, default, all leases on one | 3 | 110 (100 to 120) | 1.00 | 55.0 (50.0 to 60.0) | 109.0 (99.0 to 119.0) | 300 | 0.30 / 0.02 | 20 / 2 | 0.50 | 75 |
| 2, default, even, by us | 3 | 50 | 2.20 (2.00 to 2.39) | 25.0 (25.0 to 25.1) | 49.0 (49.0 to 49.2) | 300 | 0.10 / 0.10 | 20 / 2 | 0.50 | 75 |

| fault in the middle, leases | runs | PipelineRuns | waited more than 30 s | longest wait, s | machine busy, % |
|---|--:|--:|--:|--:|--:|
| killed, even, by us | 3 | 60 | 1 (0 to 3) | 70 | 0 |
| killed, even, without us | 2 | 60 | 33 (30 to 33) | 70 | 0 |
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Table() (-want, +got):\n%s", diff)
	}
	if got := Table(nil); got != "" {
		t.Errorf("Table(nil) = %q, want nothing", got)
	}
}

func TestRead(t *testing.T) {
	all, err := Read(`{"replicas":2,"settings":"default","leases":"even, by us","pipelineruns":3,"took_s":1.5,"replica_cores":[0.5,0.25]}` + "\n{\"fault\":\"killed\"}")
	want := []Result{
		{Cell: Cell{Replicas: 2, Settings: "default", Leases: Even}, PipelineRuns: 3, Took: 1.5, CPU: []float64{0.5, 0.25}},
		{Cell: Cell{Fault: "killed"}},
	}
	if diff := cmp.Diff(want, all); diff != "" || err != nil {
		t.Errorf("Read() (-want, +got), error %v:\n%s", err, diff)
	}
	if _, err := Read(`{"replica":2}`); err == nil {
		t.Error("Read() of an unknown field: no error")
	}
}
