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

package config

import (
	"flag"
	"io"
	"strconv"
	"strings"
	"testing"
)

// TestCase17FlagAsGo holds our reading of -disable-ha to that of Go's flag
// package with some of the flags that Tekton's controllers have.
func TestCase17FlagAsGo(t *testing.T) {
	for _, args := range []string{
		"", "-", "--", "word",
		"-disable-ha", "--disable-ha", "-disable-ha=true", "--disable-ha=1", "-disable-ha=t", "-disable-ha=TRUE",
		"-disable-ha=false", "-disable-ha=0", "--disable-ha=F",
		"-disable-ha -disable-ha=false", "-disable-ha=false --disable-ha", "-disable-ha false",
		"word -disable-ha", "- -disable-ha", "-- -disable-ha", "-disable-ha -- -disable-ha=false", "-disable-ha word -disable-ha=false",
		"-entrypoint-image an/image -disable-ha", "-entrypoint-image=an/image -disable-ha", "-entrypoint-image - -disable-ha",
		"-entrypoint-image an/image word -disable-ha", "-entrypoint-image=an/image word -disable-ha",
		"-entrypoint-image disable-ha", "-entrypoint-image=-disable-ha", "-entrypoint-image= -disable-ha",
		"-logtostderr -disable-ha", "-logtostderr -- -disable-ha", "-logtostderr=false -disable-ha=true", "-threads-per-controller -1 -disable-ha",
	} {
		t.Run(args, func(t *testing.T) {
			list := strings.Fields(args)
			value, set := disableHA(list)
			got, err := strconv.ParseBool(value)
			if set && err != nil {
				t.Fatalf("disableHA() = %q, want a boolean", value)
			}
			if want := parseWithGo(t, list); got != want {
				t.Errorf("disableHA() = %t, Go says %t", got, want)
			}
		})
	}
}

// parseWithGo returns what a controller makes of its arguments.
func parseWithGo(t *testing.T, args []string) bool {
	t.Helper()
	flags := flag.NewFlagSet("controller", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.String("entrypoint-image", "", "")
	flags.Int("threads-per-controller", 2, "")
	flags.Bool("logtostderr", false, "")
	disabled := flags.Bool("disable-ha", false, "")
	if err := flags.Parse(args); err != nil {
		t.Fatal("Parse() =", err)
	}
	return *disabled
}

// TestFlagThatGoRefuses has values that end the process of a controller.
func TestFlagThatGoRefuses(t *testing.T) {
	for _, want := range []string{"", "maybe", "$(DISABLE_HA)"} {
		if got, set := disableHA([]string{"-disable-ha=" + want}); got != want || !set {
			t.Errorf("disableHA() = %q, %t, want %q", got, set, want)
		}
	}
}
