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
	"testing"

	"knative.dev/pkg/depcheck"
)

// TestControllerStaysSmall: nothing for the terminal is linked with the
// controller.
func TestControllerStaysSmall(t *testing.T) {
	depcheck.AssertNoDependency(t, map[string][]string{
		"github.com/tektoncd/leases-controller/cmd/leases-controller": {
			"github.com/spf13/cobra",
			"k8s.io/cli-runtime/pkg/genericclioptions",
			"k8s.io/cli-runtime/pkg/genericiooptions",
			"sigs.k8s.io/kustomize/api/krusty",
			"github.com/tektoncd/leases-controller/pkg/cli",
		},
	})
}
