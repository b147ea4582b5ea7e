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

// Package leadership tells who led which bucket, and when, from the lines that
// knative.dev/pkg's electors log. It is evidence that does not rest on the
// Leases, nor on what the leases controller believes: only the electors know
// when they really started and stopped.
//
// ParseLine reads one line, Build makes a Timeline from the lines of several
// processes, the Timeline's methods answer questions about it, and WriteSVG
// draws it. Nothing here reads a clock or takes a client.
//
// Rules that are easy to miss:
//
//   - An elector also logs "has stopped leading" when it gives up without ever
//     having led. Such a line changes nothing.
//   - A process that ends without saying that it stopped has stopped leading
//     when it ended.
//   - One pod has one identity per queue, and new ones after each container
//     restart. Two identities that lead one bucket at a time are two leaders,
//     even if they are of one pod; counts are per replica, which is the part
//     of an identity before the first "_".
//   - Stamps have milliseconds and come from the clock of the process that
//     wrote the line. An overlap of 1 ms is found, and a shorter one may be
//     missed. Where clocks differ, so do the stamps.
package leadership
