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

// The leases controller keeps the leader-election leases of Tekton's
// controllers evenly spread over their replicas.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"

	"k8s.io/utils/clock"
	"knative.dev/pkg/injection"
	"knative.dev/pkg/injection/sharedmain"
	"knative.dev/pkg/signals"
	"knative.dev/pkg/system"

	"github.com/tektoncd/leases-controller/pkg/reconciler/deployment"
)

func main() {
	disableHA := flag.Bool("disable-ha", false, "Run without leader election of our own. Only for a single replica.")
	flag.BoolFunc("version", "Print the version and exit.", func(string) error {
		fmt.Println(deployment.Version)
		os.Exit(0)
		return nil
	})
	cfg := injection.ParseAndGetRESTConfigOrDie() // parses the flags

	ctx := injection.WithNamespaceScope(signals.NewContext(), system.Namespace())
	if *disableHA {
		ctx = sharedmain.WithHADisabled(ctx)
	}
	ctx, err := deployment.WithOwnElection(ctx, cfg)
	if err != nil {
		log.Fatalf("Failed to start: %v", err)
	}
	sharedmain.MainWithConfig(ctx, "tekton-leases-controller", cfg, deployment.NewController(clock.RealClock{}))
}
