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
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseOptions(t *testing.T) {
	shipped := timings{60 * time.Second, 40 * time.Second, 10 * time.Second}
	for name, tc := range map[string]struct {
		args []string
		want options
	}{
		"defaults": {want: options{timings: shipped, replicas: 2, buckets: 10, strategy: "handover", out: "leadership.svg"}},
		"all": {
			args: strings.Fields("--timings fast --replicas 3 --buckets=5 --strategy delete --keep --out a.svg --validate-only"),
			want: options{
				timings: timings{15 * time.Second, 10 * time.Second, 2 * time.Second}, replicas: 3, buckets: 5,
				strategy: "delete", out: "a.svg", keep: true, validateOnly: true,
			},
		},
		"least": {
			args: strings.Fields("--replicas 2 --buckets 1"),
			want: options{timings: shipped, replicas: 2, buckets: 1, strategy: "handover", out: "leadership.svg"},
		},
		"most": {
			args: strings.Fields("--replicas 8 --buckets 10"),
			want: options{timings: shipped, replicas: 8, buckets: 10, strategy: "handover", out: "leadership.svg"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parseOptions(tc.args)
			if err != nil {
				t.Fatal("parseOptions() =", err)
			}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(options{}, timings{})); diff != "" {
				t.Errorf("parseOptions() (-want, +got):\n%s", diff)
			}
		})
	}
}

func TestParseOptionsRefuses(t *testing.T) {
	const legal = "legal options: --buckets --keep --out --replicas --strategy --timings"
	for args, want := range map[string]string{
		"--timings slow":    `--timings is "slow"; legal values: default, fast`,
		"--timings=":        `--timings is ""; legal values: default, fast`,
		"--strategy seed":   `--strategy is "seed"; legal values: handover, delete`,
		"--replicas 1":      "--replicas is 1; legal values: 2 to 8",
		"--replicas 9":      "--replicas is 9; legal values: 2 to 8",
		"--replicas two":    `invalid value "two" for flag -replicas: parse error; ` + legal,
		"--buckets 0":       "--buckets is 0; legal values: 1 to 10",
		"--buckets 11":      "--buckets is 11; legal values: 1 to 10",
		"--out=":            "--out is empty; it must be the name of a file",
		"--out no/such.svg": `--out is "no/such.svg", which cannot be written: no such file or directory`,
		"--out":             "flag needs an argument: -out; " + legal,
		"--speed fast":      "flag provided but not defined: -speed; " + legal,
		"fast":              `unexpected argument "fast"; ` + legal,
		"--keep --keep now": `unexpected argument "now"; ` + legal,
	} {
		if _, err := parseOptions(strings.Fields(args)); err == nil || err.Error() != want {
			t.Errorf("parseOptions(%q) = %v, want %q", args, err, want)
		}
	}
}

func TestParseOptionsHelp(t *testing.T) {
	for _, arg := range []string{"-h", "--help"} {
		if _, err := parseOptions([]string{arg}); !errors.Is(err, errHelp) {
			t.Errorf("parseOptions(%s) = %v, want %v", arg, err, errHelp)
		}
	}
}

// The one text that documents the options has each of them, and each value.
func TestUsage(t *testing.T) {
	_, err := parseOptions([]string{"--unknown"})
	_, legal, _ := strings.Cut(err.Error(), "legal options: ")
	want := strings.Fields(legal)
	for name := range allTimings {
		want = append(want, name)
	}
	for _, text := range append(want, strategies...) {
		if !strings.Contains(usage, text) {
			t.Errorf("usage.txt does not tell of %q", text)
		}
	}
}
