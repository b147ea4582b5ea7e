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

package up

import (
	"cmp"
	"net"
	"path/filepath"
	"strconv"
)

const (
	serviceCIDR = "10.96.0.0/16"
	serviceIP   = "10.96.0.1" // of the API server inside the pods
)

// plan says where everything of one cluster lies and how each component is called.
type plan struct {
	dir                            string
	images                         []string
	address                        string // of the API server, if its node is run by somebody else
	etcdPort, apiPort, kubeletPort int
}

func newPlan(o *options) (*plan, error) {
	p := &plan{dir: o.dir, images: o.images, address: o.address}
	return p, freePorts(&p.etcdPort, &p.apiPort, &p.kubeletPort)
}

func (p *plan) file(name string) string { return filepath.Join(p.dir, "control-plane", name) }

func (p *plan) adminKubeconfig() string { return filepath.Join(p.dir, "kubeconfig") }

func (p *plan) kubeconfig(component string) string { return p.file(component + ".kubeconfig") }

func (p *plan) etcd() invocation {
	url := "http://" + loopback(p.etcdPort)
	return invocation{"etcd", []string{
		"--data-dir=" + p.file("etcd"),
		"--listen-client-urls=" + url,
		"--advertise-client-urls=" + url,
		"--listen-peer-urls=http://127.0.0.1:0",
		"--log-level=warn",
		"--unsafe-no-fsync", // the data need not outlive a crash of the machine
	}}
}

func (p *plan) apiServer() invocation {
	reach := "--endpoint-reconciler-type=none" // it refuses a loopback address, and the node knows where the API server is
	if p.address != "" {
		reach = "--advertise-address=" + p.address
	}
	return invocation{"kube-apiserver", []string{
		"--etcd-servers=http://" + loopback(p.etcdPort),
		"--bind-address=" + p.host(),
		"--secure-port=" + strconv.Itoa(p.apiPort),
		reach,
		"--service-cluster-ip-range=" + serviceCIDR,
		"--tls-cert-file=" + p.file("serving.crt"),
		"--tls-private-key-file=" + p.file("serving.key"),
		"--cert-dir=" + p.file("certificates"),
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + p.file("service-account.key"),
		"--service-account-signing-key-file=" + p.file("service-account.key"),
		"--token-auth-file=" + p.file("tokens.csv"),
		"--authorization-mode=Node,RBAC",
		"--kubelet-preferred-address-types=InternalIP",
		"--kubelet-client-certificate=" + p.file("serving.crt"),
		"--kubelet-client-key=" + p.file("serving.key"),
		"--audit-policy-file=" + p.file("audit-policy.yaml"),
		"--audit-log-path=" + filepath.Join(p.dir, "log", "audit.log"),
		"--profiling=false",
	}}
}

func (p *plan) controllerManager() invocation {
	return invocation{"kube-controller-manager", []string{
		"--kubeconfig=" + p.kubeconfig("kube-controller-manager"),
		"--secure-port=0",
		"--leader-elect=false",
		"--use-service-account-credentials",
		"--service-account-private-key-file=" + p.file("service-account.key"),
		"--root-ca-file=" + p.file("serving.crt"),
	}}
}

func (p *plan) scheduler() invocation {
	return invocation{"kube-scheduler", []string{
		"--kubeconfig=" + p.kubeconfig("kube-scheduler"),
		"--secure-port=0",
		"--leader-elect=false",
	}}
}

func (p *plan) node() invocation {
	args := make([]string, 0, len(p.images))
	for _, image := range p.images {
		args = append(args, "--image="+image)
	}
	return invocation{"node", append(args,
		"--dir="+p.dir,
		"--kubeconfig="+p.kubeconfig("node"),
		"--api-server="+loopback(p.apiPort),
		"--service-ip="+serviceIP,
		"--port="+strconv.Itoa(p.kubeletPort),
		"--certificate="+p.file("serving.crt"),
		"--key="+p.file("serving.key"),
	)}
}

// nodes are those that run here.
func (p *plan) nodes() []invocation {
	if p.address != "" {
		return nil
	}
	return []invocation{p.node()}
}

// host is the address that the API server listens on.
func (p *plan) host() string { return cmp.Or(p.address, "127.0.0.1") }

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
