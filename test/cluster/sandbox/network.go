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

package sandbox

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// Network is the network namespace of a pod. It has a loopback device only.
type Network struct {
	ns *os.File
}

// NewNetwork makes a network namespace that has the given addresses.
func NewNetwork(addrs ...netip.Addr) (*Network, error) {
	n := &Network{}
	err := onOwnThread(func() error {
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("failed to make a network namespace: %w", err)
		}
		var err error
		if n.ns, err = os.Open("/proc/thread-self/ns/net"); err != nil {
			return fmt.Errorf("failed to open the network namespace: %w", err)
		}
		return configureLoopback(addrs)
	})
	if err != nil {
		return nil, err
	}
	return n, nil
}

// Close gives the namespace up; it ends with its last process and socket.
func (n *Network) Close() error {
	return n.ns.Close()
}

// Do calls f on a thread that is inside the namespace. Sockets and processes that f makes stay in it.
func (n *Network) Do(f func() error) error {
	return onOwnThread(func() error {
		if err := unix.Setns(int(n.ns.Fd()), unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("failed to enter the network namespace: %w", err)
		}
		return f()
	})
}

// Listen listens inside the namespace.
func (n *Network) Listen(address string) (net.Listener, error) {
	var l net.Listener
	err := n.Do(func() (err error) {
		l, err = net.Listen("tcp", address)
		return err
	})
	return l, err
}

// DialContext connects to an address inside the namespace. The host must be an IP address, since a look-up would
// run on another thread.
func (n *Network) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	var conn net.Conn
	err := n.Do(func() (err error) {
		conn, err = new(net.Dialer).DialContext(ctx, network, address)
		return err
	})
	return conn, err
}

// onOwnThread runs f on a thread that ends with it, so that what f does to the thread's namespaces harms nobody.
func onOwnThread(f func() error) error {
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // never unlocked: the runtime ends the thread with the goroutine
		done <- f()
	}()
	return <-done
}

// configureLoopback brings the loopback device up and gives it further addresses, each under an alias of its own.
func configureLoopback(addrs []netip.Addr) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("failed to open a socket: %w", err)
	}
	defer func() { _ = unix.Close(fd) }()

	up, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	up.SetUint16(unix.IFF_UP)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, up); err != nil {
		return fmt.Errorf("failed to bring the loopback device up: %w", err)
	}
	for i, addr := range addrs {
		name := "lo:" + strconv.Itoa(i+1)
		if err := setAddress(fd, unix.SIOCSIFADDR, name, addr.AsSlice()); err != nil {
			return fmt.Errorf("failed to add address %s: %w", addr, err)
		}
		// Without it the whole network of the address's class would be local.
		if err := setAddress(fd, unix.SIOCSIFNETMASK, name, net.CIDRMask(32, 32)); err != nil {
			return fmt.Errorf("failed to narrow the network of address %s: %w", addr, err)
		}
	}
	return nil
}

func setAddress(fd int, request uint, name string, value []byte) error {
	ifreq, err := unix.NewIfreq(name)
	if err != nil {
		return err
	}
	if err := ifreq.SetInet4Addr(value); err != nil {
		return err
	}
	return unix.IoctlIfreq(fd, request, ifreq)
}
