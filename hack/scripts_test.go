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

// Package hack has the tests of the scripts.
package hack

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// answer is what a script that was asked for its usage has said.
type answer struct {
	stdout, stderr string
	status         int
}

func ask(t *testing.T, script string, args ...string) answer {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), script, args...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &stdout, &stderr, time.Second
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return answer{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// usage says what is wrong with how a script has answered a call for help.
func (a answer) usage(name string) error {
	line := regexp.MustCompile(`(?m)^Usage: hack/` + regexp.QuoteMeta(name) + `( |$)`)
	if a.status != 0 || a.stderr != "" || !line.MatchString(a.stdout) || strings.HasPrefix(a.stdout, "#") {
		return fmt.Errorf("exit status %d, want 0 and the usage alone:\n%s%s", a.status, a.stdout, a.stderr)
	}
	return nil
}

// refusal says what is wrong with how it has answered a flag that it does not
// know. The demo says first that it builds what knows the flags.
func (a answer) refusal(name string) error {
	line := regexp.MustCompile(`^(Building .*\n)?hack/` + regexp.QuoteMeta(name) + `: .*\n$`)
	if a.status != 2 || a.stdout != "" || !line.MatchString(a.stderr) {
		return fmt.Errorf("exit status %d, want 2 and a line that says what is wrong:\n%s%s", a.status, a.stdout, a.stderr)
	}
	return nil
}

// TestScripts: each script tells how it is used, and refuses what it does not
// know before it does anything, except for those whose flags are another
// program's.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Glob("*.sh")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range scripts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var help string
			for _, flag := range []string{"-h", "--help"} {
				a := ask(t, "./"+name, flag)
				if err := a.usage(name); err != nil {
					t.Fatalf("%s: %v", flag, err)
				}
				help = a.stdout
			}
			if handsOn := regexp.MustCompile(`\nUsage: .* \[flag of `); !handsOn.MatchString(help) {
				if err := ask(t, "./"+name, "--no-such-flag").refusal(name); err != nil {
					t.Error(err)
				}
			}
			if !strings.Contains(string(readme), "\n| `"+name) {
				t.Error("README.md has no row for it")
			}
		})
	}
}

// TestScriptsThatDoNotAnswer: the test above finds scripts that know no flags.
func TestScriptsThatDoNotAnswer(t *testing.T) {
	deaf := filepath.Join(t.TempDir(), "deaf.sh")
	if err := os.WriteFile(deaf, []byte("#!/bin/sh\necho done\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	a := ask(t, deaf, "--help")
	if a.usage("deaf.sh") == nil || a.refusal("deaf.sh") == nil {
		t.Errorf("%v counts as an answer", a)
	}
}
