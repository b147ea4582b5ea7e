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

//go:debug randseednop=0

package lab

import (
	"flag"
	"fmt"
	"testing"
)

var (
	firstSeed = flag.Int64("seed", 1, "the seed of the first run of each scenario")
	seeds     = flag.Int64("seeds", 1, "how many runs of each scenario, each with the next seed")
)

// run runs a scenario with each seed.
func run(t *testing.T, opts Options, scenario func(l *Lab)) {
	t.Helper()
	for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
		opts.Seed = seed
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { Run(t, opts, scenario) })
	}
}
