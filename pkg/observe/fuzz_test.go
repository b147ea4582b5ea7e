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

package observe

import (
	"math"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// FuzzLease: whatever somebody writes into a lease, the others are seen as ever,
// no group is seen twice, and a plan moves only what a replica is known to lead.
func FuzzLease(f *testing.F) {
	name := taskrun.Name(3)
	f.Add(name, "pod-a_aaaa", int32(60), int64(30), uint8(3), BalanceAnnotation, "false")
	f.Add(name, "", int32(1), int64(0), uint8(1), "", "")
	f.Add(name, ours, int32(23), int64(-1), uint8(7), "leases.tekton.dev/handover", "{}")
	f.Add(name, strings.Repeat("x", 1024)+"_", int32(math.MaxInt32), int64(math.MaxInt64), uint8(2), BalanceAnnotation, strings.Repeat("y", 1<<12))
	f.Add(name, "_", int32(-1), int64(math.MinInt64), uint8(0), BalanceAnnotation, "\u202e\x00\ufffd")
	f.Add("a.00-of-999", "pod-a_", int32(0), int64(1), uint8(255), "\u00e9", "TRUE")
	f.Add("tekton-pipelines-controller.taskrun.00-of-10", "pod-b_pod-a", int32(60), int64(5), uint8(9), BalanceAnnotation, "")
	f.Fuzz(func(t *testing.T, name, holder string, duration int32, stamp int64, writes uint8, key, value string) {
		w := newWorld(t, 2)
		w.ready("pod-a", "pod-b")
		w.renews(60, "pod-a_aaaa", taskrun.Names()...)
		hostile := record(name, holder, 0)
		hostile.Spec.LeaseDurationSeconds = &duration
		hostile.Annotations = map[string]string{key: value}
		for i := range writes % 8 {
			hostile = hostile.DeepCopy()
			written := metav1.NewMicroTime(stampAt(0).Add(time.Duration(stamp) * time.Duration(i)))
			hostile.Spec.RenewTime = &written
			if i%3 == 2 {
				hostile.Spec.AcquireTime = &written
			}
			w.SawLease(hostile, at(60+float64(i)))
		}
		v := w.view(70, nil)
		leads := map[string]string{}
		for _, g := range v.Groups {
			for _, l := range g.Leases {
				if _, twice := leads[l.Name]; twice {
					t.Errorf("lease %q is seen twice", l.Name)
				}
				leads[l.Name] = l.Holder
			}
		}
		for _, other := range taskrun.Names() {
			if other != name && leads[other] != "pod-a" {
				t.Errorf("lease %q is led by %q, want pod-a, whose it is", other, leads[other])
			}
		}
		for _, m := range v.Plan().Moves {
			if leads[m.Lease] == "" || leads[m.Lease] != m.From || v.Replica(m.To) == nil {
				t.Errorf("move %+v of a lease that %q leads", m, leads[m.Lease])
			}
		}
	})
}
