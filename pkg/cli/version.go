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
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

// Version is that of the tool. A release sets it when it links.
var Version = "devel"

func newVersion(o Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Show the version of this tool",
		Args:    cobra.NoArgs,
		Example: o.examples("%s version", "%s version -o json"),
	}
	f := formats(cmd, "json", "yaml")
	cmd.RunE = func(*cobra.Command, []string) error {
		if err := f.check(); err != nil {
			return err
		}
		v := struct {
			Version string `json:"version"`
			Go      string `json:"go"`
		}{Version, runtime.Version()}
		return f.print(o.Out, v, fmt.Sprintf("%s %s (%s)\n", o.name(), v.Version, v.Go))
	}
	return cmd
}
