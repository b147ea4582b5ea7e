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
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/tektoncd/leases-controller/test/cluster/sandbox"
)

// apiServicePort is that of the API server's service.
const apiServicePort = 443

// connect gives the pod a network: the API server under its service address, and each container port under an address
// of the host's loopback, which ports.json tells.
func (p *pod) connect() (err error) {
	if p.network, err = sandbox.NewNetwork(p.ip, p.kubelet.serviceIP); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			p.disconnect()
		}
	}()
	service := netip.AddrPortFrom(p.kubelet.serviceIP, apiServicePort)
	listener, err := p.network.Listen(service.String())
	if err != nil {
		return fmt.Errorf("failed to listen for the API server: %w", err)
	}
	p.listeners = append(p.listeners, listener)
	go serve(listener, p.partition(), func() (net.Conn, error) {
		return net.Dial("tcp", p.kubelet.apiServer)
	})
	return p.publishPorts()
}

// disconnect ends what connect began.
func (p *pod) disconnect() {
	for _, l := range p.listeners {
		_ = l.Close()
	}
	p.listeners = nil
	if p.network != nil {
		_ = p.network.Close()
		p.network = nil
	}
}

func (p *pod) publishPorts() error {
	addresses := map[string]string{}
	for _, c := range p.mains {
		for _, port := range c.spec.Ports {
			if port.Protocol != corev1.ProtocolTCP && port.Protocol != "" {
				continue
			}
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return fmt.Errorf("failed to publish port %d: %w", port.ContainerPort, err)
			}
			p.listeners = append(p.listeners, listener)
			network, target := p.network, p.address(port.ContainerPort)
			go serve(listener, "", func() (net.Conn, error) {
				return network.DialContext(context.Background(), "tcp", target)
			})
			addresses[strconv.Itoa(int(port.ContainerPort))] = listener.Addr().String()
		}
	}
	text, err := json.Marshal(addresses)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(p.dir, "ports.json"), append(text, '\n'), 0o600)
}

func (p *pod) address(port int32) string {
	return netip.AddrPortFrom(p.ip, uint16(port)).String()
}
