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

package lab

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"time"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// dice draws numbers that depend on the seed and on what they are for, but not on the order of the draws, so that a
// run can be repeated although its goroutines take turns differently.
type dice struct{ seed int64 }

// roll returns a number in [0, n).
func (d dice) roll(n int64, about ...any) int64 {
	h := fnv.New64a()
	_ = binary.Write(h, binary.LittleEndian, d.seed)
	_, _ = fmt.Fprint(h, about...)
	// The low bits of FNV are the good ones only after one more mix.
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return int64(x % uint64(n))
}

// between returns a time in [low, high), to the nanosecond: no two events fall on the same instant.
func (d dice) between(low, high time.Duration, about ...any) time.Duration {
	if high <= low {
		return low
	}
	return low + time.Duration(d.roll(int64(high-low), about...))
}

// uuid returns the text form of a random UUID.
func (d dice) uuid(about ...any) string {
	a, b := d.roll(1<<62, append(about, "a")...), d.roll(1<<62, append(about, "b")...)
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", a>>30, a&0xffff, a>>16&0xfff, b&0xfff, b>>14)
}

// network returns what the network does to a client's calls and events. Where nothing disturbs it, each takes its own
// short time. A call's depends on when it is made and not on how many there were before: client-go may or may not make
// one more just when its deadline passes.
func (l *Lab) network(client string) leasestesting.ClientOptions {
	return leasestesting.ClientOptions{
		Fault: func(r leasestesting.Request) leasestesting.Fault {
			about := []any{client, r.Verb, r.Resource, r.Name, time.Now().UnixNano()}
			half := l.opts.Latency.half()
			fault := leasestesting.Fault{
				Before: l.dice.between(half.Low, half.High, append(about, "before")...),
				After:  l.dice.between(half.Low, half.High, append(about, "after")...),
			}
			on, left := l.disturbed(client)
			for i, d := range on {
				if d.call != nil && fault.Err == nil {
					fault = d.call(odds{l.dice, about, left[i]}, r, fault)
				}
			}
			return fault
		},
		Late: func(r leasestesting.Request) bool {
			return l.dice.roll(2, client, r.Verb, r.Resource, r.Name, time.Now().UnixNano(), "late") == 0
		},
		Lag: func(resource string, version int64) time.Duration {
			about := []any{client, resource, version}
			lag := l.dice.between(l.opts.Latency.Low, l.opts.Latency.High, about...)
			on, left := l.disturbed(client)
			for i, d := range on {
				if d.lag != nil {
					lag += d.lag(odds{l.dice, about, left[i]})
				}
			}
			return lag
		},
	}
}

// Range is a range of durations, High not included.
type Range struct{ Low, High time.Duration }

// half is the range of each of two halves.
func (r Range) half() Range { return Range{r.Low / 2, r.High / 2} }
