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

// tkn-leases shows who leads which leader-election leases of Tekton's
// controllers, and what the leases controller would do about it. In the PATH it
// is the plugin "tkn leases"; called kubectl-leases, it is "kubectl leases".
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/tektoncd/leases-controller/pkg/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	klog.LogToStderr(false) // client-go's own log would end up in the middle of what is shown
	klog.SetOutput(io.Discard)
	status := cli.Run(ctx, cli.Options{
		IOStreams: genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr},
		Clock:     clock.RealClock{},
		Program:   os.Args[0],
		Screen:    cli.ScreenOf(os.Stdout, os.Getenv),
	}, os.Args[1:])
	stop()
	os.Exit(status)
}
