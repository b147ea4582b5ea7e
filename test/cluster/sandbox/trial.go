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

package sandbox

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
)

// trialProgram is the name by which this executable, in a container, does nothing.
const trialProgram = "/trial"

func init() {
	if os.Args[0] == trialProgram {
		os.Exit(0)
	}
}

// Try runs a container that does nothing, with files below dir, because only trying tells whether this machine allows
// it: some let a namespace be made and then forbid what makes it useful.
func Try(dir string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("failed to find this program: %w", err)
	}
	root := filepath.Join(dir, "trial")
	if err := os.Mkdir(root, 0o700); err != nil {
		return fmt.Errorf("failed to make a directory: %w", err)
	}
	network, err := NewNetwork(netip.MustParseAddr("10.244.0.1"))
	if err != nil {
		return forbidden(err)
	}
	defer func() { _ = network.Close() }()
	cmd, err := Start(Container{
		Hostname: "trial", Args: []string{trialProgram}, WorkingDir: "/", ReadOnly: true,
		Mounts:  []Mount{{Source: self, Target: trialProgram, ReadOnly: true}},
		RootDir: root, PIDFile: filepath.Join(dir, "trial.pid"),
	}, network, os.Stderr)
	if err != nil {
		return forbidden(err)
	}
	if err := cmd.Wait(); err != nil {
		return forbidden(fmt.Errorf("a container that does nothing failed: %w", err))
	}
	return nil
}
