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

// Command cluster is a whole Kubernetes in one executable: `cluster up` runs it, and starts this executable again as
// each of its parts.
package main

import (
	"fmt"
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	kubectl "k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"

	"github.com/tektoncd/leases-controller/test/cluster/node"
	"github.com/tektoncd/leases-controller/test/cluster/up"
)

const usage = `usage: cluster COMMAND [ARGUMENT...]

  up         run a cluster until it is told to stop (cluster up --help)
  kubectl    the Kubernetes command line tool

and the parts that "up" starts: etcd, kube-apiserver, kube-controller-manager, kube-scheduler, node
`

func main() {
	if len(os.Args) < 2 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	os.Args = os.Args[1:] // each part sees its own name first
	os.Exit(run(os.Args[0], os.Args[1:]))
}

func run(command string, args []string) int {
	if err := up.WritePID(); err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		return 1
	}
	switch command {
	case "up":
		return up.Run(args)
	case up.SuperviseCommand:
		return up.Supervise(args)
	case "etcd":
		etcdmain.Main(os.Args)
		return 0
	case "kube-apiserver":
		return cli.Run(apiserver.NewAPIServerCommand())
	case "kube-controller-manager":
		return cli.Run(controllermanager.NewControllerManagerCommand())
	case "kube-scheduler":
		return cli.Run(scheduler.NewSchedulerCommand())
	case "node":
		return node.Run(args)
	case "kubectl":
		util.CheckErr(cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand())) // exits on an error
		return 0
	default:
		fmt.Fprintf(os.Stderr, "cluster: there is no command %q\n%s", command, usage)
		return 2
	}
}
