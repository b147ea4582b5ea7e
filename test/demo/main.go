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

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/tektoncd/leases-controller/test/witness"
)

const (
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	options, err := parseOptions(os.Args[1:])
	switch {
	case errors.Is(err, errHelp):
		fmt.Print(usage)
		return
	case err != nil:
		fmt.Fprintln(os.Stderr, "hack/demo.sh:", err)
		os.Exit(exitUsage)
	case options.validateOnly:
		if err := checkNamespaces(); err != nil {
			fmt.Fprintln(os.Stderr, "hack/demo.sh:", err)
			os.Exit(exitFailed)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err = run(ctx, options)
	stop()
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted; everything is stopped")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "hack/demo.sh:", err)
		os.Exit(exitFailed)
	}
}

// run starts a cluster in a new directory, plays the story on it and prints
// the result. The cluster and its directory go with us, unless they are to be
// kept; what went wrong leaves its logs.
func run(ctx context.Context, o options) error {
	// hack/demo.sh says where it has built everything.
	cache, root := os.Getenv("CACHE"), os.Getenv("ROOT")
	//nolint:gosec // who runs the demo may read what he names
	tektonConfig, err := os.ReadFile(filepath.Join(cache, "tekton-config"))
	if err != nil {
		return fmt.Errorf("failed to find Tekton's manifests, run hack/demo.sh: %w", err)
	}
	dir, err := os.MkdirTemp("", "leases-demo-")
	if err != nil {
		return fmt.Errorf("failed to make a directory: %w", err)
	}
	screen := newScreen(os.Stdout, time.Now())
	screen.say(time.Now(), "Starting Kubernetes: etcd, API server, controller manager, scheduler and a node.")
	story := &story{
		options: o, tektonConfig: strings.TrimSpace(string(tektonConfig)), ownConfig: filepath.Join(root, "config"),
		board: newBoard(), journal: witness.NewJournal(), screen: screen,
	}
	err = story.playIn(ctx, filepath.Join(cache, "bin"), dir)
	switch {
	case ctx.Err() != nil, err == nil && !o.keep:
		return errors.Join(err, os.RemoveAll(dir))
	case err != nil:
		return fmt.Errorf("%w (logs are in %s)", err, dir)
	}
	return nil
}

// playIn plays the story on a cluster that runs in dir, and prints the result
// as the last thing it does.
func (s *story) playIn(ctx context.Context, bin, dir string) error {
	cluster, err := startCluster(ctx, bin, dir, s.options.keep)
	if err != nil {
		return err
	}
	result, err := s.playOn(ctx, cluster.kubeconfig)
	keep := s.options.keep && err == nil
	if !keep {
		cluster.stop()
	}
	if err != nil {
		return err
	}
	fmt.Printf("\n%s\nThe picture is in %s.\n\n", result.summary(), s.options.out)
	if keep {
		fmt.Print(howToUse(cluster, filepath.Join(bin, "cluster")))
	}
	fmt.Println(result)
	if failure := result.failure(s.options.strategy); failure != "" {
		return errors.New(failure)
	}
	return nil
}

// playOn connects the story to the cluster and plays it.
func (s *story) playOn(ctx context.Context, kubeconfig string) (result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var err error
	if s.cfg, err = clientcmd.BuildConfigFromFlags("", kubeconfig); err != nil {
		return result{}, fmt.Errorf("failed to read the kubeconfig: %w", err)
	}
	// We ask seldom, but then for all logs at once.
	s.cfg.QPS = -1
	if s.client, err = kubernetes.NewForConfig(s.cfg); err != nil {
		return result{}, fmt.Errorf("failed to make a client: %w", err)
	}
	return s.play(ctx)
}

// howToUse says how to go on with a cluster that is kept.
func howToUse(c *cluster, binary string) string {
	return fmt.Sprintf(`
The cluster goes on running. Use it with any kubectl, or with the one that is built in:

  export KUBECONFIG=%s
  %[2]s -n tekton-pipelines get pods
  %[2]s -n tekton-pipelines get leases
  %[2]s -n tekton-pipelines logs -f deployment/%[3]s
  %[2]s -n tekton-pipelines scale deployment/%[4]s --replicas=3
  %[2]s -n tekton-pipelines rollout restart deployment/%[4]s

Its metrics (the node has no port-forward; the file tells where the pod's ports are on this machine):

  sed 's|.*"9090":"\([^"]*\)".*|http://\1/metrics|' %[6]s/pods/*_%[3]s-*/ports.json | xargs -n1 curl -s | grep ^tekton_

Stop it:

  kill %[5]d && rm -r %[6]s

`, c.kubeconfig, binary+" kubectl", witness.LeasesController, witness.TektonController, c.cmd.Process.Pid, filepath.Dir(c.kubeconfig))
}
