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

package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mutantVariable names, in the environment of a binary with all mutants, the one that is switched on.
const mutantVariable = "LEASES_MUTANT"

// mutantSeeds is how many seeds a mutant has to show itself.
const mutantSeeds = 10

// mutant is a fault put into the production code: what the lab must notice.
type mutant struct {
	edits []edit
	// breaks is the invariant that must fail.
	breaks string
	opts   Options
	// scenario holds all invariants without the mutant.
	scenario func(l *Lab)
}

// edit is a change of one place in the sources.
type edit struct {
	// file is the path from the root of the repository.
	file string
	// before is the beginning of a statement that is there exactly once. When the mutant is switched on, insert runs
	// right before it, or instead of it.
	before, insert string
}

// TestMutants builds the production code with all mutants, and wants each of them, switched on alone, to break the
// invariant that it is against. The build is of the same sources: a mutant whose place is gone fails.
func TestMutants(t *testing.T) {
	if os.Getenv(mutantVariable) != "" {
		t.Skip("this binary has the mutants")
	}
	if testing.Short() {
		t.Skip("builds a binary")
	}
	binary := buildMutants(t)
	for name, m := range mutants {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), binary, "-test.run=^TestMutated$", fmt.Sprintf("-seeds=%d", mutantSeeds))
			cmd.Env = append(os.Environ(), mutantVariable+"="+name)
			out, err := cmd.CombinedOutput()
			switch broken := fmt.Sprintf("invariant %q broken", m.breaks); {
			case err == nil:
				t.Errorf("nothing noticed it with %d seeds, want %s", mutantSeeds, broken)
			case !bytes.Contains(out, []byte(broken)):
				t.Errorf("want %s, got:\n%s", broken, tail(out, 4000))
			default:
				t.Logf("%s: %s", name, firstLine(string(out), broken))
			}
		})
	}
}

// TestMutated runs the scenario of the mutant that is switched on until an invariant fails; without one it runs them
// all, and nothing may fail.
func TestMutated(t *testing.T) {
	on := os.Getenv(mutantVariable)
	for name, m := range mutants {
		if on != "" && on != name {
			continue
		}
		t.Run(name, func(t *testing.T) {
			for seed := *firstSeed; seed < *firstSeed+*seeds && !t.Failed(); seed++ {
				opts := m.opts
				opts.Seed = seed
				if on != "" { // it may break others first
					opts.Tolerate = slices.DeleteFunc(slices.Clone(invariants), func(i string) bool { return i == m.breaks })
				}
				t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { Run(t, opts, m.scenario) })
			}
		})
	}
}

// buildMutants returns this package's test binary, built with the mutants in it.
func buildMutants(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	overlay := map[string]string{}
	for path, source := range mutatedSources(t, root) {
		file := filepath.Join(dir, strings.ReplaceAll(path, "/", "_"))
		if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay[filepath.Join(root, path)] = file
	}
	config, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	overlayFile, binary := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "lab.test")
	if err := os.WriteFile(overlayFile, config, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-c", "-overlay", overlayFile, "-o", binary, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("failed to build the mutants: %v\n%s", err, out)
	}
	return binary
}

// mutatedSources returns the sources with all mutants in them, each behind its switch, and the switch itself.
func mutatedSources(t *testing.T, root string) map[string]string {
	t.Helper()
	type place struct{ file, before string }
	inserts := map[place]string{}
	for name, m := range mutants {
		for _, e := range m.edits {
			inserts[place{e.file, e.before}] += fmt.Sprintf("if mutated(%q) {\n%s\n}\n", name, e.insert)
		}
	}
	sources := map[string]string{}
	for at, insert := range inserts {
		original, err := os.ReadFile(filepath.Join(root, at.file))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(original), at.before); n != 1 {
			t.Fatalf("%q is %d times in %s, want once: a mutant has lost its place", at.before, n, at.file)
		}
		source, ok := sources[at.file]
		if !ok {
			source = string(original)
		}
		i := strings.Index(source, at.before)
		sources[at.file] = source[:i] + insert + source[i:]
		dir := filepath.Dir(at.file)
		sources[filepath.Join(dir, "mutated.go")] = fmt.Sprintf(
			"package %s\n\nimport \"os\"\n\nfunc mutated(name string) bool { return os.Getenv(%q) == name }\n", filepath.Base(dir), mutantVariable)
	}
	return sources
}

// firstLine returns the first line with the text in it.
func firstLine(out, text string) string {
	lines := strings.Split(out, "\n")
	if i := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, text) }); i >= 0 {
		return strings.TrimSpace(lines[i])
	}
	return ""
}

func tail(out []byte, n int) []byte { return out[max(0, len(out)-n):] }
