//go:build e2e

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

package e2e

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tektoncd/leases-controller/test/install"
	"github.com/tektoncd/leases-controller/test/witness"
)

// release is one of Tekton Pipelines or Chains, as hack/compat.sh built it.
type release struct {
	version string
	// programs are those that were built: controller, events and resolvers, or chains.
	programs []string
	// config is the directory of its manifests.
	config string
}

func (r release) has(program string) bool { return slices.Contains(r.programs, program) }

// deployments are the names of their Deployments, by program.
var deployments = map[string]string{
	"controller": witness.TektonController,
	"events":     "tekton-events-controller",
	"resolvers":  "tekton-pipelines-remote-resolvers",
	"chains":     "tekton-chains-controller",
}

// otherContainers are the names of the containers of all but the first.
var otherContainers = []string{"tekton-events-controller", "controller", "tekton-chains-controller"}

// releases are those that hack/compat.sh built, one in a line of COMPAT: version,
// programs with commas between, directory of the manifests.
func releases(t *testing.T) []release {
	t.Helper()
	if os.Getenv("COMPAT") == "" {
		t.Skip("hack/compat.sh builds what this test tries")
	}
	var all []release
	for line := range strings.Lines(os.Getenv("COMPAT")) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			t.Fatalf("COMPAT has the line %q, want version, programs and directory", line)
		}
		all = append(all, release{fields[0], strings.Split(fields[1], ","), fields[2]})
	}
	return all
}

// TestCompat tries the components of several releases, those of one release in
// one namespace at once, and appends what came of it to the file COMPAT_RESULT.
// All leases are on one of two replicas at first, then one is replaced.
func TestCompat(t *testing.T) {
	for _, r := range releases(t) {
		t.Run(r.version, func(t *testing.T) {
			s := quick
			s.namespace = "compat-" + strings.ReplaceAll(r.version, ".", "-")
			if !r.has("chains") {
				s.release = r
			}
			c := connectTo(t, s)
			if c.release = r; r.has("chains") {
				c.must(install.Chains(t.Context(), c.cfg, r.config, c.tektonOptions()))
			}
			c.compat()
		})
	}
}

// compat tries one release. The "*" does not stand for the events controller: it
// stays uneven until it is named.
func (c *cluster) compat() {
	c.t.Helper()
	trials := map[string]*trial{}
	for _, program := range c.release.programs {
		trials[program] = c.onOneReplica(deployments[program])
	}
	begun := time.Now()
	c.installOurs(map[string]string{"stabilization-window": "0s", "deployments": "*"}) // new replicas count at once
	for _, program := range c.release.programs {
		if program != "events" {
			trials[program].Even = trials[program].evenAfter(begun)
		}
	}
	if events := trials["events"]; events != nil {
		if replicas := events.holders(); len(replicas) != 1 {
			c.t.Errorf("%q hold the leases of the events controller, want one that holds all: it was not named", slices.Collect(maps.Keys(replicas)))
		}
		named := time.Now()
		c.installOurs(map[string]string{"stabilization-window": "0s", "deployments": "*, " + events.Component})
		events.Even = events.evenAfter(named)
	}
	for _, program := range c.release.programs {
		trials[program].replaceOne()
		trials[program].judge(begun)
	}
}
