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
	"io"
	"net"
	"os"
	"time"
)

// partitionPoll is how often a cut connection looks whether it is whole again.
const partitionPoll = 20 * time.Millisecond

// serve connects each client of the listener with a new connection that dial makes. While a file partition exists,
// nothing passes, in neither direction; nothing is lost, as on a network that is cut and mended.
func serve(listener net.Listener, partition string, dial func() (net.Conn, error)) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return // closed with its pod
		}
		go func() {
			defer client.Close()
			server, err := dial()
			if err != nil {
				return
			}
			defer server.Close()
			join(client, server, partition)
		}()
	}
}

// join passes data both ways until one side has no more and the other has heard of it, or fails.
func join(client, server net.Conn, partition string) {
	done := make(chan struct{}, 2)
	pass := func(to, from net.Conn) {
		_, _ = io.Copy(gate{to, partition}, from)
		_ = to.(*net.TCPConn).CloseWrite()
		done <- struct{}{}
	}
	go pass(server, client)
	go pass(client, server)
	<-done
	<-done
}

// gate is a writer that waits while a file exists.
type gate struct {
	io.Writer
	file string
}

// Write implements io.Writer.
func (g gate) Write(data []byte) (int, error) {
	g.await()
	return g.Writer.Write(data)
}

func (g gate) await() {
	for g.closed() {
		time.Sleep(partitionPoll)
	}
}

func (g gate) closed() bool {
	if g.file == "" {
		return false
	}
	_, err := os.Stat(g.file)
	return err == nil
}
