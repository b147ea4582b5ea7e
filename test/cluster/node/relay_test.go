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
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// relay returns both ends of a connection that goes through serve.
func relay(t *testing.T, partition string) (client, server net.Conn) {
	t.Helper()
	listen := func() net.Listener {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		return l
	}
	front, back := listen(), listen()
	go serve(front, partition, func() (net.Conn, error) { return net.Dial("tcp", back.Addr().String()) })
	client, err := net.Dial("tcp", front.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if server, err = back.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = client.Close(), server.Close() })
	return client, server
}

func mustWrite(t *testing.T, to io.Writer, text string) {
	t.Helper()
	if _, err := io.WriteString(to, text); err != nil {
		t.Fatal(err)
	}
}

func mustRead(t *testing.T, from io.Reader, want string) {
	t.Helper()
	got := make([]byte, len(want))
	if _, err := io.ReadFull(from, got); err != nil || string(got) != want {
		t.Fatalf("read %q and error %v, want %q", got, err, want)
	}
}

func TestRelay(t *testing.T) {
	client, server := relay(t, "")
	mustWrite(t, client, "question")
	mustRead(t, server, "question")
	if err := client.(*net.TCPConn).CloseWrite(); err != nil { // it has no more to say, but listens
		t.Fatal(err)
	}
	if _, err := server.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the server got error %v, want the end", err)
	}
	mustWrite(t, server, "answer")
	_ = server.Close()
	mustRead(t, client, "answer")
	if _, err := client.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the client got error %v, want the end", err)
	}
}

func TestRelayWithoutServer(t *testing.T) {
	front, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer front.Close()
	go serve(front, "", func() (net.Conn, error) { return nil, errors.New("refused") })
	client, err := net.Dial("tcp", front.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, err := client.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the client got error %v, want the end", err)
	}
}

func TestPartitionDelaysBothWaysAndLosesNothing(t *testing.T) {
	partition := filepath.Join(t.TempDir(), "partition")
	client, server := relay(t, partition)
	mustWrite(t, client, "before")
	mustRead(t, server, "before")

	if err := os.WriteFile(partition, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, client, "question")
	mustWrite(t, server, "answer")
	for name, end := range map[string]net.Conn{"client": client, "server": server} {
		_ = end.SetReadDeadline(time.Now().Add(5 * partitionPoll))
		if n, err := end.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the %s got %d bytes and error %v over a cut connection", name, n, err)
		}
		_ = end.SetReadDeadline(time.Time{})
	}
	if err := os.Remove(partition); err != nil {
		t.Fatal(err)
	}
	mustRead(t, server, "question")
	mustRead(t, client, "answer")
}
