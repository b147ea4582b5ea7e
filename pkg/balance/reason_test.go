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

package balance_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// TestReasons reads the constants from the source, so that none can be forgotten.
func TestReasons(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "reason.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	sentences := make(map[string]string)
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Type == nil {
			return true
		}
		value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil || value != spec.Names[0].Name {
			t.Errorf("constant %s has the value %q", spec.Names[0].Name, value)
		}
		sentence := balance.Reason(value).Sentence()
		if !strings.HasSuffix(sentence, ".") || strings.Count(sentence, ".") != 1 {
			t.Errorf("%s has no sentence, but %q", value, sentence)
		}
		if other, ok := sentences[sentence]; ok {
			t.Errorf("%s and %s have the same sentence", value, other)
		}
		sentences[sentence] = value
		return true
	})
	if len(sentences) < 20 {
		t.Errorf("found only %d reasons", len(sentences))
	}
}

// TestReadme: the README has each reason with its sentence.
func TestReadme(t *testing.T) {
	content, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(content), "| reason | meaning |\n|---|---|\n")
	if !ok {
		t.Fatal("the README has no table of reasons")
	}
	got, _, _ := strings.Cut(rest, "\n\n")
	want := make([]string, 0, len(balance.Reasons()))
	for _, r := range balance.Reasons() {
		want = append(want, "| `"+string(r)+"` | "+r.Sentence()+" |")
	}
	if diff := cmp.Diff(want, strings.Split(got, "\n")); diff != "" {
		t.Errorf("table of reasons (-want, +got):\n%s", diff)
	}
}

func TestSentenceOfUnknownReason(t *testing.T) {
	if got := balance.Reason("Moonshine").Sentence(); got != "Moonshine" {
		t.Errorf("Sentence() = %q", got)
	}
}
