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
	"fmt"
	"math/rand/v2"
	"net"
)

// The ports of the control plane are below the range from which the kernel takes those of outgoing connections: one
// of these could otherwise take a port away before its component listens.
const firstPort, lastPort = 10000, 30000

// freePorts finds ports that nobody listens on.
func freePorts(ports ...*int) error {
	for _, port := range ports {
		listener, err := listenAnywhere()
		if err != nil {
			return fmt.Errorf("failed to find a free port: %w", err)
		}
		defer listener.Close() // only at the end, so that no port is found twice
		*port = listener.Addr().(*net.TCPAddr).Port
	}
	return nil
}

func listenAnywhere() (listener net.Listener, err error) {
	for range 100 {
		if listener, err = net.Listen("tcp", loopback(firstPort+rand.IntN(lastPort-firstPort))); err == nil {
			return listener, nil
		}
	}
	return nil, err
}
