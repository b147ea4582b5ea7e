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

// strict prints optional manifests, which hold the leases controller to the leases
// that it manages. See config/strict/README.md.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"knative.dev/pkg/leaderelection"
	"sigs.k8s.io/yaml"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

const usage = `Usage: go run ./hack/strict [-n NAMESPACE] role|policy [PREFIX]...
Run it where config/ is. PREFIX is what the names of a queue's leases begin with, before .NN-of-MM;
without any, it is for the queues of tekton-pipelines-controller.
`

const (
	name     = "tekton-leases-controller"
	roleFile = "config/200-leases-controller-role.yaml"
)

// pipelines are the queues of Tekton Pipelines' controller.
var pipelines = []string{
	"github.com.tektoncd.pipeline.pkg.reconciler.pipelinerun.Reconciler",
	"github.com.tektoncd.pipeline.pkg.reconciler.resolutionrequest.Reconciler",
	"github.com.tektoncd.pipeline.pkg.reconciler.taskrun.Reconciler",
}

// ownQueue is the one of the leases controller itself.
const ownQueue = "github.com.tektoncd.leases-controller.pkg.reconciler.deployment.Reconciler"

// one is an election with one bucket and no prefix mapped.
var one = &leaderelection.Config{Buckets: 1}

// own is the lease of the leases controller's own election.
func own() string { return bucket.NewGroup(name, ownQueue, one).Name(0) }

// defaultPrefixes are those of Tekton Pipelines' controller.
func defaultPrefixes() []string {
	prefixes := make([]string, 0, len(pipelines))
	for _, queue := range pipelines {
		prefixes = append(prefixes, bucket.NewGroup("tekton-pipelines-controller", queue, one).Prefix)
	}
	return prefixes
}

// managed are the leases of the queues, with each bucket count that knative.dev/pkg
// allows: leases of a former one are cleaned up.
func managed(prefixes []string) []string {
	var names []string
	for _, prefix := range prefixes {
		for buckets := uint32(1); buckets <= leaderelection.MaxBuckets; buckets++ {
			names = append(names, bucket.Group{Prefix: prefix, Buckets: buckets}.Names()...)
		}
	}
	return names
}

// check refuses what is no prefix of a lease that may be managed.
func check(prefixes []string) error {
	for _, prefix := range prefixes {
		if _, _, err := bucket.Parse(bucket.Group{Prefix: prefix, Buckets: 1}.Name(0)); err != nil {
			return fmt.Errorf("%q is no prefix of leases: %w", prefix, err)
		}
		if (bucket.Group{Prefix: prefix}).Webhook() {
			return fmt.Errorf("%q is a webhook's, and these are never managed", prefix)
		}
	}
	return nil
}

// manifest is what is printed: the head, then the objects.
func manifest(head []byte, objects ...metav1.Object) ([]byte, error) {
	out := slices.Clone(head)
	for i, object := range objects {
		text, err := yaml.Marshal(object)
		if err != nil {
			return nil, fmt.Errorf("failed to write %s: %w", object.GetName(), err)
		}
		if i > 0 {
			out = append(out, "---\n"...)
		}
		out = append(out, bytes.TrimSuffix(text, []byte("status: {}\n"))...)
	}
	return out, nil
}

// generate makes the manifest that is asked for, from the Role that is shipped.
func generate(shipped []byte, what, namespace string, prefixes []string) ([]byte, error) {
	if len(prefixes) == 0 {
		prefixes = defaultPrefixes()
	}
	if err := check(prefixes); err != nil {
		return nil, err
	}
	licence, _, _ := bytes.Cut(shipped, []byte("\n\n"))
	head := fmt.Appendf(slices.Clone(licence), "\n\n# Made by: go run ./hack/strict %s\n", what)
	switch what {
	case "role":
		role, err := strictRole(shipped, namespace, prefixes)
		if err != nil {
			return nil, err
		}
		return manifest(head, role)
	case "policy":
		return manifest(head, policy(namespace, prefixes), binding(namespace))
	default:
		return nil, fmt.Errorf("%q is neither role nor policy", what)
	}
}

func main() {
	flag.Usage = func() { fmt.Fprint(os.Stderr, usage) }
	namespace := flag.String("n", "tekton-pipelines", "the namespace of the leases controller")
	flag.Parse()
	shipped, err := os.ReadFile(roleFile)
	var text []byte
	if err == nil {
		text, err = generate(shipped, flag.Arg(0), *namespace, flag.Args()[min(1, flag.NArg()):])
	}
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%v\n\n%s", err, usage)
		os.Exit(1)
	}
}
