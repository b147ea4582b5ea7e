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
	"reflect"
	"testing"

	"knative.dev/pkg/depcheck"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

// TestImports takes the package's path from the compiler, since depcheck finds
// nothing wrong with a package that does not exist.
func TestImports(t *testing.T) {
	path := reflect.TypeFor[balance.Plan]().PkgPath()
	depcheck.AssertOnlyDependencies(t, map[string][]string{path: {"cmp", "math", "slices"}})
	if depcheck.CheckOnlyDependencies(path, map[string]struct{}{path: {}}) == nil {
		t.Errorf("depcheck sees no imports of %s", path)
	}
}
