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

// Command table sums up the records of runs in the lab: it prints the table and, as the last line, RESULT. It exits with
// status 1 if a promise was not kept, and says which run it was and how to repeat it.
//
//	table <file of records>...
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/tektoncd/leases-controller/test/lab/record"
)

func main() {
	kept, err := run(os.Args[1:], os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
	}
	if !kept || err != nil {
		os.Exit(1)
	}
}

// run reports whether all promises were kept.
func run(files []string, out, complaints io.Writer) (kept bool, err error) {
	var records []record.Record
	for _, name := range files {
		more, err := read(name)
		if err != nil {
			return false, err
		}
		records = append(records, more...)
	}
	all := record.Sum(records)
	_, err = fmt.Fprintf(out, "%s\n%s\n", record.Table(all), record.Result(all))
	return complain(records, complaints), err
}

func read(name string) ([]record.Record, error) {
	file, err := os.Open(name) //nolint:gosec // what the caller wants read
	if err != nil {
		return nil, err
	}
	defer file.Close()
	records, err := record.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return records, nil
}

// complain says which promises were not kept, and how to see it again.
func complain(records []record.Record, to io.Writer) (kept bool) {
	kept = true
	for _, r := range records {
		for _, broken := range r.Broken {
			kept = false
			_, _ = fmt.Fprintf(to, "BROKEN %s\n  again: hack/lab.sh -repeat '%s'\n", broken, r.Setting)
		}
	}
	return kept
}
