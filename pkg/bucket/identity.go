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

package bucket

import (
	"fmt"
	"strings"
)

// Identity is what an elector is called in the leases that it holds.
type Identity struct {
	// Hostname is what the elector's process sees as its hostname.
	Hostname string
	// UID tells the queues and processes of one host apart.
	UID string
}

// ParseIdentity reads the holder identity of a lease.
func ParseIdentity(identity string) (Identity, error) {
	hostname, uid, found := strings.Cut(identity, separator)
	if !found || hostname == "" {
		return Identity{}, fmt.Errorf("%q is no identity of an elector: want <hostname>_<uid>", identity)
	}
	return Identity{Hostname: hostname, UID: uid}, nil
}

// String returns the identity as it stands in a lease.
func (i Identity) String() string {
	return i.Hostname + separator + i.UID
}

const (
	// separator stands between hostname and uid. No hostname can hold it.
	separator = "_"
	// ownHostname is in the place of the hostname in the identities of our
	// holds. Our pods have longer names, so that our own election never looks
	// like a hold.
	ownHostname = "tekton-leases-controller"
)

// NewOwnIdentity returns the identity that a process of ours holds leases with.
func NewOwnIdentity(uid string) string {
	return Identity{Hostname: ownHostname, UID: uid}.String()
}

// IsOwn reports whether the identity is that of a hold of ours, of this
// process or of any other.
func IsOwn(identity string) bool {
	return strings.HasPrefix(identity, ownHostname+separator)
}

// HostnameOf returns the hostname in an identity, "" if the text is none.
func HostnameOf(identity string) string {
	id, err := ParseIdentity(identity)
	if err != nil {
		return ""
	}
	return id.Hostname
}
