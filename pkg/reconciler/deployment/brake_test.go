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

package deployment

import (
	"errors"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

var (
	leasesResource = schema.GroupResource{Group: "coordination.k8s.io", Resource: "leases"}
	errBroken      = errors.New("connection refused")
)

// TestBrakeOnCalls: at 10 s, after calls that ended a second apart.
func TestBrakeOnCalls(t *testing.T) {
	conflict := fmt.Errorf("failed to hold: %w", apierrors.NewConflict(leasesResource, "a", errBroken))
	gone := fmt.Errorf("failed to read: %w", apierrors.NewNotFound(leasesResource, "a"))
	there := fmt.Errorf("failed to create: %w", apierrors.NewAlreadyExists(leasesResource, "a"))
	slow := apierrors.NewTooManyRequests("later", 1)
	cases := map[string]struct {
		calls []error
		want  bool
	}{
		"none":                    {},
		"all went well":           {calls: []error{nil, nil, nil, nil}},
		"two failed":              {calls: []error{errBroken, errBroken}},
		"three failed":            {calls: []error{errBroken, slow, errBroken}, want: true},
		"three, half of them":     {calls: []error{errBroken, nil, errBroken, nil, errBroken, nil}, want: true},
		"three, less than half":   {calls: []error{errBroken, nil, errBroken, nil, errBroken, nil, nil}},
		"refused: it has changed": {calls: []error{conflict, conflict, conflict}},
		"refused: it is gone":     {calls: []error{gone, gone, gone}},
		"refused: it is there":    {calls: []error{there, there, there}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var b brake
			for i, err := range tc.calls {
				b.note(at(float64(i)), err)
			}
			if got := b.on(at(10)); got != tc.want {
				t.Errorf("on = %v, want %v", got, tc.want)
			}
			if b.on(at(10).Add(troubleWindow)) {
				t.Error("it does not reset itself")
			}
		})
	}
}

func TestBrakeRemembersLittle(t *testing.T) {
	var b brake
	for range 10 * keptCalls {
		b.note(start, errBroken)
	}
	if len(b.calls) != keptCalls {
		t.Errorf("remembers %d calls, want %d", len(b.calls), keptCalls)
	}
}

// TestBrakeOnSilence: several processes that renew nothing are in trouble with
// the API, one is in trouble itself.
func TestBrakeOnSilence(t *testing.T) {
	const quiet, loud = 16 * time.Second, 15 * time.Second
	leads := func(silence time.Duration) observe.Replica {
		return observe.Replica{
			Pod:     &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "pod"}},
			Process: observe.Process{Leases: 5, Silence: silence},
		}
	}
	idle, starting := leads(quiet), leads(quiet)
	idle.Process.Leases, starting.Standing = 0, balance.HolderNotReady
	cases := map[string]struct {
		replicas []observe.Replica
		want     bool
	}{
		"none":                   {},
		"all renew":              {replicas: []observe.Replica{leads(loud), leads(loud)}},
		"one of two":             {replicas: []observe.Replica{leads(quiet), leads(loud)}},
		"the only one":           {replicas: []observe.Replica{leads(quiet)}},
		"two of two":             {replicas: []observe.Replica{leads(quiet), leads(quiet)}, want: true},
		"two of four":            {replicas: []observe.Replica{leads(quiet), leads(quiet), leads(loud), leads(loud)}, want: true},
		"two of five":            {replicas: []observe.Replica{leads(quiet), leads(quiet), leads(loud), leads(loud), leads(loud)}},
		"one that leads nothing": {replicas: []observe.Replica{leads(quiet), idle}},
		"one that is not Ready":  {replicas: []observe.Replica{leads(quiet), starting}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var b brake
			b.look(at(0), observe.View{Replicas: tc.replicas}, 10*time.Second)
			if got := b.on(at(0)); got != tc.want {
				t.Errorf("on = %v, want %v", got, tc.want)
			}
			b.look(at(10), observe.View{}, 10*time.Second)
			if got := b.on(at(29.999)); got != tc.want {
				t.Errorf("half a minute later: on = %v, want %v", got, tc.want)
			}
			if b.on(at(30)) {
				t.Error("it does not reset itself")
			}
		})
	}
}
