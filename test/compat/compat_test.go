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

package compat

import (
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/test/readme"
)

var update = flag.Bool("update", false, "write the README's table instead of comparing it")

// TestREADME: the README's table shows what the last run of hack/compat.sh found.
func TestREADME(t *testing.T) {
	all, err := Read(File)
	if err != nil {
		t.Fatal("Read() =", err)
	}
	if len(all) == 0 {
		t.Fatal("no result: nothing to show")
	}
	readme.HasTable(t, "hack/compat.sh", Table(all), *update)
}

// TestTriedIsInOrder: what was tried became even, and never had two leaders.
func TestTriedIsInOrder(t *testing.T) {
	all, err := Read(File)
	if err != nil {
		t.Fatal("Read() =", err)
	}
	for _, tried := range all {
		whole := len(tried.Queues) > 0 && tried.Buckets > 0 && tried.Even > 0 && tried.Again > 0
		if !whole || tried.TwoLeaders != 0 {
			t.Errorf("%s %s: %+v, want that it became even with one leader", tried.Component, tried.Version, tried)
		}
	}
}

func TestTable(t *testing.T) {
	file := `{"component":"a","version":"v1","queues":["x","y"],"buckets":8,"even_s":20.4,"even_again_s":31.6,"two_leaders_s":0.25}
{"component":"b","version":"v2","queues":["z"],"buckets":1,"even_s":1,"even_again_s":2,"two_leaders_s":0}
`
	all, err := Read([]byte(file))
	if err != nil {
		t.Fatal("Read() =", err)
	}
	want := `| component | version | queues found | buckets of each | even within | again, one replica replaced | two leaders |
|---|---|---|---|---|---|---|
| ` + "`a`" + ` | v1 | 2: x, y | 8 | 20 s | 32 s | 0.25 s |
| ` + "`b`" + ` | v2 | 1: z | 1 | 1 s | 2 s | 0 s |
`
	if diff := cmp.Diff(want, Table(all)); diff != "" {
		t.Errorf("Table() (-want, +got):\n%s", diff)
	}
	if _, err := Read([]byte(`{"component":"a","even":1}`)); err == nil {
		t.Error("Read() of an unknown key = nil, want an error")
	}
}
