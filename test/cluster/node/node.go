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

package node

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/virtual-kubelet/virtual-kubelet/log"
	"github.com/virtual-kubelet/virtual-kubelet/log/klogv2"
	vknode "github.com/virtual-kubelet/virtual-kubelet/node"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

// Name is the name of the node.
const Name = "local"

// config is what the node is told on its command line.
type config struct {
	dir              string
	kubeconfig       string
	apiServer        string // its address on the host
	serviceIP        netip.Addr
	port             int // of the kubelet's API
	certificate, key string
	images           images
}

// images maps images to binaries.
type images map[string]string

// String implements flag.Value.
func (i images) String() string { return fmt.Sprint(map[string]string(i)) }

// Set implements flag.Value.
func (i images) Set(value string) error {
	image, path, _ := strings.Cut(value, "=")
	i[image] = path
	return nil
}

// Run is the command `cluster node`. It returns the exit status.
func Run(args []string) int {
	c := config{images: images{}}
	flags := flag.NewFlagSet("cluster node", flag.ExitOnError)
	flags.StringVar(&c.dir, "dir", "", "the cluster's directory")
	flags.StringVar(&c.kubeconfig, "kubeconfig", "", "how to reach the API server")
	flags.StringVar(&c.apiServer, "api-server", "", "host:port of the API server")
	flags.TextVar(&c.serviceIP, "service-ip", netip.Addr{}, "the service address of the API server")
	flags.IntVar(&c.port, "port", 0, "port of the kubelet's API")
	flags.StringVar(&c.certificate, "certificate", "", "certificate of the kubelet's API and of its one client")
	flags.StringVar(&c.key, "key", "", "key of the certificate")
	flags.Var(c.images, "image", "IMAGE=PATH (may be given more than once)")
	_ = flags.Parse(args) // exits on an error

	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	log.L = klogv2.New(nil)
	if err := run(ctx, c); err != nil {
		klog.ErrorS(err, "The node ends")
		return 1
	}
	return 0
}

func run(ctx context.Context, c config) error {
	rest, err := clientcmd.BuildConfigFromFlags("", c.kubeconfig)
	if err != nil {
		return fmt.Errorf("failed to read %s: %w", c.kubeconfig, err)
	}
	rest.QPS, rest.Burst = 200, 400
	client, err := kubernetes.NewForConfig(rest)
	if err != nil {
		return fmt.Errorf("failed to make a client: %w", err)
	}
	k, err := newKubelet(c, client)
	if err != nil {
		return err
	}
	server, err := listen(c, k)
	if err != nil {
		return err
	}
	defer server.Close()

	if err := k.watch(ctx); err != nil {
		return err
	}
	controller, err := vknode.NewNodeController(vknode.NewNaiveNodeProvider(), object(c.port), client.CoreV1().Nodes(),
		vknode.WithNodeEnableLeaseV1(client.CoordinationV1().Leases(corev1.NamespaceNodeLease), vknode.DefaultLeaseDuration))
	if err != nil {
		return fmt.Errorf("failed to make the node: %w", err)
	}
	return controller.Run(ctx)
}

// listen serves the kubelet's API, as far as there is one, to the API server.
func listen(c config, k *kubelet) (*http.Server, error) {
	tls, err := mutual(c.certificate, c.key)
	if err != nil {
		return nil, err
	}
	server := &http.Server{Addr: fmt.Sprintf("127.0.0.1:%d", c.port), Handler: k.handler(), TLSConfig: tls}
	go func() {
		if err := server.ListenAndServeTLS("", ""); err != http.ErrServerClosed {
			klog.ErrorS(err, "The kubelet's API ends")
			os.Exit(1)
		}
	}()
	return server, nil
}
