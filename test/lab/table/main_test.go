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

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tektoncd/leases-controller/test/lab/record"
)

func TestRun(t *testing.T) {
	row := record.Rows()[0]
	good := record.Record{Setting: row.Draw(1), Settle: []float64{70}, Handovers: 15, Needed: 15}
	bad := record.Record{Setting: row.Draw(2), Handovers: 16, Needed: 15, Broken: []string{"two leaders"}}
	cases := map[string]struct {
		records    []record.Record
		kept       bool
		complaints string
	}{
		"all promises kept": {records: []record.Record{good, good}, kept: true},
		"one was not": {
			records: []record.Record{good, bad}, kept: false,
			complaints: "BROKEN two leaders\n  again: hack/lab.sh -repeat 'scenario=restart strategy=handover timings=60/40/10 " +
				"size=2x10 replicas=2 buckets=10 seed=2'\n",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var files []string
			for _, r := range tc.records {
				files = append(files, written(t, r))
			}
			var out, complaints bytes.Buffer
			kept, err := run(files, &out, &complaints)
			if err != nil {
				t.Fatal(err)
			}
			if kept != tc.kept || complaints.String() != tc.complaints {
				t.Errorf("kept = %v with %q, want %v with %q", kept, complaints.String(), tc.kept, tc.complaints)
			}
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			if last := lines[len(lines)-1]; !strings.HasPrefix(last, "RESULT handovers=3") {
				t.Errorf("the last line is %q, want RESULT of both files", last)
			}
		})
	}
}

func TestRunWithoutItsFile(t *testing.T) {
	if _, err := run([]string{filepath.Join(t.TempDir(), "none")}, new(bytes.Buffer), new(bytes.Buffer)); err == nil {
		t.Error("no error, want one")
	}
}

// written is a file with the record in it.
func written(t *testing.T, r record.Record) string {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "records")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := r.Write(file); err != nil {
		t.Fatal(err)
	}
	return file.Name()
}
