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

package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestHelp: each command has a help with examples, under the name that it was
// called by.
func TestHelp(t *testing.T) {
	commands := []string{"root"}
	for _, command := range NewCommand(newScene(t, narrow).options()).Commands() {
		commands = append(commands, command.Name())
	}
	for _, command := range commands {
		t.Run(command, func(t *testing.T) {
			s := newScene(t, narrow)
			args := []string{command, "--help"}
			if command == "root" {
				args = args[1:]
			}
			s.run(t.Context(), ExitOK, args...)
			own, flags, _ := strings.Cut(s.out.String(), "\nGlobal Flags:\n")
			if command == "root" {
				own, flags, _ = strings.Cut(own, "\nFlags:\n")
			}
			golden(t, own)
			if !strings.Contains(own, "Examples:\n  tkn leases ") {
				t.Errorf("no examples:\n%s", own)
			}
			for _, flag := range []string{"kubeconfig", "context", "namespace", "as", "request-timeout"} {
				if !regexp.MustCompile(`--` + flag + `\b`).MatchString(flags) {
					t.Errorf("no flag --%s in\n%s", flag, flags)
				}
			}
		})
	}
}

func TestName(t *testing.T) {
	for program, want := range map[string]string{
		"/usr/bin/tkn-leases": "tkn leases", "kubectl-leases": "kubectl leases", `kubectl-tekton_leases.exe`: "kubectl tekton-leases",
		"cli.test": "tkn leases",
	} {
		if got := (Options{Program: program}).name(); got != want {
			t.Errorf("%s: %q, want %q", program, got, want)
		}
	}
}

func TestVersion(t *testing.T) {
	s := newScene(t, narrow)
	s.run(t.Context(), ExitOK, "version")
	if got, want := s.out.String(), "tkn leases devel (go"; !strings.HasPrefix(got, want) {
		t.Errorf("%q, want it to begin with %q", got, want)
	}
	s.out.Reset()
	s.run(t.Context(), ExitOK, "version", "-o", "json")
	if got, want := s.out.String(), `"version": "devel"`; !strings.Contains(got, want) {
		t.Errorf("%q, want %s in it", got, want)
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		t.Run(shell, func(t *testing.T) {
			s := newScene(t, narrow)
			s.run(t.Context(), ExitOK, "completion", shell)
			if got := s.out.String(); !strings.Contains(got, "tkn-leases") {
				t.Errorf("the script is not for tkn-leases:\n%.300s", got)
			}
		})
	}
}

// TestCompletes: what the shells are told to complete.
func TestCompletes(t *testing.T) {
	cases := map[string]struct {
		args []string
		want []string
	}{
		"commands":       {args: []string{""}, want: []string{"status", "plan", "explain", "watch", "record", "version", "completion"}},
		"Deployments":    {args: []string{"status", ""}, want: []string{deployment}},
		"no one twice":   {args: []string{"plan", deployment, ""}},
		"to watch":       {args: []string{"watch", ""}, want: []string{deployment}},
		"queues":         {args: []string{"explain", ""}, want: []string{"pipelinerun", "taskrun", "taskrun/09"}},
		"only one queue": {args: []string{"explain", "taskrun", ""}},
		"formats":        {args: []string{"status", "-o", ""}, want: []string{"json", "yaml", "wide"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, narrow, two...)
			s.spreadAll("x7k2p", 10)
			s.run(t.Context(), ExitOK, append([]string{"__completeNoDesc"}, tc.args...)...)
			got := map[string]bool{}
			for line := range strings.Lines(s.out.String()) {
				got[strings.TrimSpace(line)] = true
			}
			for _, want := range tc.want {
				if !got[want] {
					t.Errorf("%q is not offered: %v", want, got)
				}
			}
			if len(tc.want) == 0 && len(got) != 1 { // the directive
				t.Errorf("offered %v, want nothing", got)
			}
		})
	}
}

// TestREADME: what the README shows is what there is.
func TestREADME(t *testing.T) {
	raw, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(raw)
	s := newScene(t, narrow, two...)
	situations["one has all"].set(s)
	s.installed()
	s.run(t.Context(), ExitOK, "status")
	if want := "```text\n" + s.out.String() + "```\n"; !strings.Contains(readme, want) {
		t.Errorf("not in the README:\n%s", want)
	}
	for _, cmd := range NewCommand(s.options()).Commands() {
		if !strings.Contains(readme, "\n| `"+cmd.Use+"` |") && !strings.Contains(readme, "\n| `"+cmd.Name()+" -o ") && cmd.Name() != "version" {
			t.Errorf("the README has no row for %q", cmd.Use)
		}
	}
}
