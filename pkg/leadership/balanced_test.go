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

package leadership

import "testing"

func TestBalancedSince(t *testing.T) {
	ab := []string{"a", "b"}
	for name, tc := range map[string]struct {
		changes  []Change
		replicas []string
		leases   []string
		want     int // milliseconds; 0 is never
	}{
		"even from the last start on": {
			changes: []Change{starts(10, "a_1", "q.0"), starts(20, "b_1", "q.1")},
			want:    20,
		},
		"differs by one": {
			changes: []Change{starts(10, "a_1", "q.0"), starts(20, "b_1", "q.1"), starts(30, "a_1", "q.2")},
			want:    30,
		},
		"an expected bucket has no leader yet": {
			changes: []Change{starts(10, "a_1", "q.0"), starts(20, "b_1", "q.1")},
			leases:  []string{"q.2"},
		},
		"differs by two": {
			changes: []Change{starts(10, "a_1", "q.0"), starts(20, "a_1", "q.1")},
		},
		"even in total but not in a queue": {
			changes: []Change{starts(10, "a_1", "q.0"), starts(10, "a_1", "q.1"), starts(10, "b_1", "r.0"), starts(10, "b_1", "r.1")},
		},
		"two leaders until the old one stops": {
			changes: []Change{starts(10, "a_1", "q.0"), starts(20, "a_1", "q.1"), starts(30, "b_1", "q.1"), stops(90, "a_1", "q.1")},
			want:    90,
		},
		"a break counts from its end": {
			changes: []Change{starts(10, "a_1", "q.0"), starts(20, "b_1", "q.1"), stops(50, "b_1", "q.1"), starts(70, "b_1", "q.1")},
			want:    70,
		},
		"not any more": {
			changes: []Change{starts(10, "a_1", "q.0"), starts(20, "b_1", "q.1"), stops(50, "b_1", "q.1")},
		},
		"led by one that is not there": {
			changes: []Change{starts(10, "a_1", "q.0"), starts(20, "c_1", "q.1")},
		},
		"more replicas than buckets": {
			changes:  []Change{starts(10, "a_1", "q.0"), starts(20, "c_1", "q.1")},
			replicas: []string{"a", "b", "c"},
			want:     20,
		},
		"nothing": {},
	} {
		t.Run(name, func(t *testing.T) {
			replicas := tc.replicas
			if replicas == nil {
				replicas = ab
			}
			timeline := Build(ms(1000), []Process{{Changes: tc.changes}}, tc.leases...)
			got, ok := timeline.BalancedSince(replicas)
			if ok != (tc.want != 0) || (ok && !got.Equal(ms(tc.want))) {
				t.Errorf("BalancedSince() = %s, %t, want %d ms", got.Sub(epoch), ok, tc.want)
			}
		})
	}
}

func TestFault(t *testing.T) {
	for name, tc := range map[string]struct {
		changes []Change
		want    string
	}{
		"none":                 {changes: []Change{starts(10, "a_1", "q.0"), starts(10, "b_1", "q.1")}},
		"no leader":            {changes: []Change{starts(10, "a_1", "q.0"), stops(20, "a_1", "q.0")}, want: "q.0 has 0 leaders"},
		"two leaders":          {changes: []Change{starts(10, "a_1", "q.0"), starts(20, "b_1", "q.0")}, want: "q.0 has 2 leaders"},
		"led by somebody else": {changes: []Change{starts(10, "c_1", "q.0")}, want: "q.0 is led by c, which is none of a, b"},
		"uneven":               {changes: []Change{starts(10, "a_1", "q.0"), starts(10, "a_1", "q.1")}, want: "q is uneven"},
	} {
		t.Run(name, func(t *testing.T) {
			timeline := Build(ms(1000), []Process{{Changes: tc.changes}})
			if got := timeline.Fault(ms(500), []string{"a", "b"}); got != tc.want {
				t.Errorf("Fault() = %q, want %q", got, tc.want)
			}
		})
	}
}

func TestQueue(t *testing.T) {
	for lease, want := range map[string][2]string{
		taskrun + ".03-of-10": {taskrun, "03-of-10"},
		"lock":                {"", "lock"},
		"":                    {"", ""},
	} {
		if queue, bucket := Queue(lease); queue != want[0] || bucket != want[1] {
			t.Errorf("Queue(%q) = %q, %q, want %q", lease, queue, bucket, want)
		}
	}
}

func TestShortQueue(t *testing.T) {
	for queue, want := range map[string]string{
		taskrun:                    "taskrun",
		"tekton-pipelines-webhook": "tekton-pipelines-webhook",
		"a.webhookcertificates":    "webhookcertificates",
		"":                         "",
	} {
		if got := ShortQueue(queue); got != want {
			t.Errorf("ShortQueue(%q) = %q, want %q", queue, got, want)
		}
	}
}
