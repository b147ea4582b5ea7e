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

import "time"

const (
	firstBackOff   = 10 * time.Second
	longestBackOff = 5 * time.Minute
	backOffMemory  = 2 * longestBackOff // without a restart for so long, the next one counts as the first
)

// backOff decides how long to wait before a container is restarted, as a kubelet does: the first time not at all, then
// 10 s, and twice as long each time. How long the container ran makes no difference.
type backOff struct {
	delay time.Duration // of the next restart
	used  time.Time     // when the last restart was due
}

// next returns the time from the container's end until its restart.
func (b *backOff) next(now time.Time) time.Duration {
	if b.delay == 0 || now.Sub(b.used) > backOffMemory {
		b.delay, b.used = firstBackOff, now
		return 0
	}
	delay := b.delay
	b.delay = min(2*delay, longestBackOff)
	b.used = now.Add(delay)
	return delay
}
