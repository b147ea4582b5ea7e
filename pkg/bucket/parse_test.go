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

package bucket_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

func TestParse(t *testing.T) {
	for name, tc := range map[string]struct {
		name        string
		wantGroup   bucket.Group
		wantOrdinal uint32
	}{
		"Tekton's": {
			name:        taskruns + ".03-of-10",
			wantGroup:   bucket.Group{Prefix: taskruns, Buckets: 10},
			wantOrdinal: 3,
		},
		"first of one":      {name: "a.00-of-01", wantGroup: bucket.Group{Prefix: "a", Buckets: 1}},
		"three digits":      {name: "a.100-of-101", wantGroup: bucket.Group{Prefix: "a", Buckets: 101}, wantOrdinal: 100},
		"mixed digits":      {name: "a.07-of-101", wantGroup: bucket.Group{Prefix: "a", Buckets: 101}, wantOrdinal: 7},
		"the largest":       {name: "a.998-of-999", wantGroup: bucket.Group{Prefix: "a", Buckets: 999}, wantOrdinal: 998},
		"a name as a start": {name: "a.00-of-01.01-of-02", wantGroup: bucket.Group{Prefix: "a.00-of-01", Buckets: 2}, wantOrdinal: 1},
	} {
		t.Run(name, func(t *testing.T) {
			group, ordinal, err := bucket.Parse(tc.name)
			if err != nil {
				t.Fatal("Parse() =", err)
			}
			if diff := cmp.Diff(tc.wantGroup, group); diff != "" {
				t.Error("group (-want, +got):", diff)
			}
			if ordinal != tc.wantOrdinal {
				t.Errorf("ordinal = %d, want %d", ordinal, tc.wantOrdinal)
			}
		})
	}
}

// TestParseRefuses holds what is no bucket of anybody, or is none that an
// elector would name so. (Case 30 has the locks of applications.)
func TestParseRefuses(t *testing.T) {
	for name, in := range map[string]string{
		"a lock of an application":    "kube-controller-manager",
		"one digit":                   "a.3-of-10",
		"one digit in the count":      "a.00-of-1",
		"too many zeros":              "a.003-of-010",
		"ordinal is the count":        "a.10-of-10",
		"ordinal above the count":     "a.11-of-10",
		"no buckets":                  "a.00-of-00",
		"no prefix, only a separator": "00-of-10",
		"hexadecimal":                 "a.0a-of-10",
		"text behind":                 "a.00-of-10.b",
		"another separator":           "a-00-of-10",
		"too many buckets":            "a.00-of-1000",
		"count too large for 32 bits": "a.00-of-1000",
		"count far too large":         "a.00-of-99999999999999999999999",
		"ordinal too large":           "a.4294967296-of-10",
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := bucket.Parse(in)
			want := `"` + in + `" is no name of a bucket: want <prefix>.<NN>-of-<MM> with NN less than MM and MM at most 999, both with two digits or as many as they need`
			if err == nil || err.Error() != want {
				t.Errorf("Parse() = %v, want %s", err, want)
			}
		})
	}
}

func TestParseRefusesNamesOfNoLease(t *testing.T) {
	for name, in := range map[string]string{
		"empty":            "",
		"upper case":       "A.00-of-10",
		"only a dot":       ".00-of-10",
		"two dots":         "a..00-of-10",
		"a line end":       "a.00-of-10\n",
		"other digits":     "a.٠٠-of-10",
		"a slash":          "tekton-pipelines/a.00-of-10",
		"longer than 253":  strings.Repeat("a", 245) + ".00-of-10",
		"not UTF-8 at all": "\xff.00-of-10",
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := bucket.Parse(in)
			if err == nil || !strings.Contains(err.Error(), "is no name of a lease: ") {
				t.Errorf("Parse(%q) = %v, want that this is no name of a lease", in, err)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{
		taskruns + ".03-of-10", "a.00-of-01", "a.100-of-101", "a.003-of-010", "00-of-00", "", "a..00-of-01", "-of-", "a.00-of-1000",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		group, ordinal, err := bucket.Parse(name)
		if err != nil {
			return
		}
		if got := group.Name(ordinal); got != name {
			t.Errorf("Parse(%q) formats as %q", name, got)
		}
		if ordinal >= group.Buckets {
			t.Errorf("Parse(%q) has ordinal %d of %d buckets", name, ordinal, group.Buckets)
		}
	})
}

func FuzzFormat(f *testing.F) {
	f.Add(taskruns, uint32(10), uint32(3))
	f.Add("a", uint32(1), uint32(0))
	f.Add("a.00-of-01", uint32(101), uint32(100))
	f.Add("a", uint32(999), uint32(998))
	f.Add("a", uint32(1000), uint32(999))
	f.Fuzz(func(t *testing.T, prefix string, buckets, ordinal uint32) {
		group := bucket.Group{Prefix: prefix, Buckets: buckets}
		name := group.Name(ordinal)
		legal := prefix != "" && ordinal < buckets && buckets <= 999 && len(validation.IsDNS1123Subdomain(name)) == 0
		gotGroup, gotOrdinal, err := bucket.Parse(name)
		switch {
		case legal != (err == nil):
			t.Errorf("Parse(%q) = %v, want an error: %t", name, err, !legal)
		case legal && (gotGroup != group || gotOrdinal != ordinal):
			t.Errorf("Parse(%q) = %v, %d, want %v, %d", name, gotGroup, gotOrdinal, group, ordinal)
		}
	})
}
