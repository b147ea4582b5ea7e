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
	"strconv"
	"strings"
	"testing"

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

func TestSentenceOfUnknownReason(t *testing.T) {
	if got := balance.Reason("Moonshine").Sentence(); got != "Moonshine" {
		t.Errorf("Sentence() = %q", got)
	}
}
