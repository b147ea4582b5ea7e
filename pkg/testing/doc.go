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

// Package testing has what the tests of several packages share: builders for test objects and a Kubernetes API in
// memory. Import it as leasestesting.
//
// The API is a server behind an http.RoundTripper, so that everything on the client's side is production code: the
// clientset, REST errors, retries, rate limits, informers, electors. On the server's side it keeps the rules that
// decide who wins when several write one object, as the real API server does:
//
//   - each write gives the object a new, globally increasing resourceVersion; one that changes nothing does not;
//   - a PUT with another resourceVersion or UID than the stored one is a conflict (409), and so is a PUT with a UID to
//     a name that does not exist. Without a UID such a PUT creates a Lease or an Event, and is 404 for other kinds. A
//     PUT without resourceVersion is invalid (422) for a Lease and overwrites other kinds;
//   - a POST with a resourceVersion is an internal error (500), one to an existing name 409 AlreadyExists; what is
//     invalid is refused (422) before either;
//   - a DELETE whose preconditions do not hold is a conflict, one of a missing name 404. A pod that runs on a node is
//     only marked, until it is deleted with a grace period of 0, and is marked before it goes in any case;
//   - spec and status of pods and workloads are written apart, and generation counts changes of the spec;
//   - a watch delivers every change since its version, in order, or all present objects first; one from a compacted
//     version gets an event of type ERROR with status 410.
//
// TestAnswers of test/e2e holds the server to that, call by call, beside a real API server: status code, reason, the fields
// that are at fault, the object and its metadata, and the events of watches. Messages are not compared.
//
// A Client is one process's connection. It plays the network's faults (Fault), and also those of the process behind it:
// Freeze stops it where it meets the world, as SIGSTOP does, and ClientOptions.Clock sets its wall clock apart, which
// shows in the stamps of the leases that it writes. SetClock does the same for the server.
//
// What it leaves out, because nothing here depends on it: authentication, admission (a namespace need not exist),
// defaulting, validation other than that of metadata and Leases, generated names, dry runs, managed fields,
// finalizers and what hangs on them (deleting in the foreground), deleting collections, paging and old versions (a list
// is always whole and current), field selectors other than metadata.name and metadata.namespace, JSON patches and
// server-side apply, subresources other than status, and the expiry of Events. It speaks JSON only. A bookmark comes
// after each minute without a change, and not also shortly before a watch times out.
//
// It holds channels and timers, so inside a testing/synctest bubble it must also be made there. It has no goroutines
// of its own: a bubble ends as soon as its clients have.
package testing
