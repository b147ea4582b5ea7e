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
	"reflect"
	"sync"
	"time"
	"unsafe"

	"k8s.io/client-go/tools/leaderelection"
	knativeelection "knative.dev/pkg/leaderelection"
)

// sleepUntil has the holders among an elector's buckets that sleep between two renewals now, and would wake up while
// their process is frozen, behave as if they woke up when it thaws: each starts a whole renew deadline there. A timer of
// a bubble cannot be stopped, and the deadline begins before the elector makes any call, so it is made longer by what is
// left of the freeze. restore ends that. A process that holds nothing has no deadline.
func sleepUntil(elector knativeelection.Elector, thaw time.Time) (restore func()) {
	var ends []func()
	for _, e := range buckets(elector) {
		wakes := e.renewed().Add(e.config.RetryPeriod)
		if e.IsLeader() && wakes.After(time.Now()) && wakes.Before(thaw) {
			deadline := e.config.RenewDeadline
			setDeadline(e.config, deadline+thaw.Sub(wakes))
			ends = append(ends, func() { setDeadline(e.config, deadline) })
		}
	}
	return func() {
		for _, end := range ends {
			end()
		}
	}
}

// setDeadline changes the renew deadline of an elector that sleeps. It reads it when it wakes up, and a bubble's clock
// orders that after this; the race detector does not know.
//
//go:norace
func setDeadline(config *leaderelection.LeaderElectionConfig, deadline time.Duration) {
	config.RenewDeadline = deadline
}

// bucketElector is client-go's elector of one bucket, and what it keeps to itself.
type bucketElector struct {
	*leaderelection.LeaderElector
	config   *leaderelection.LeaderElectionConfig
	observed *time.Time
	mu       *sync.Mutex
}

// renewed is when a holder's last renewal was answered, and it went to sleep.
func (e bucketElector) renewed() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	return *e.observed
}

// buckets returns client-go's electors, which knative's elector wraps.
func buckets(elector knativeelection.Elector) []bucketElector {
	if elector == nil {
		return nil
	}
	all := field[[]knativeelection.Elector](elector, "les")
	electors := make([]bucketElector, 0, len(*all))
	for _, one := range *all {
		le := (*field[knativeelection.Elector](one, "Elector")).(*leaderelection.LeaderElector)
		electors = append(electors, bucketElector{
			LeaderElector: le,
			config:        field[leaderelection.LeaderElectionConfig](le, "config"),
			observed:      field[time.Time](le, "observedTime"),
			mu:            field[sync.Mutex](le, "observedRecordLock"),
		})
	}
	return electors
}

// field returns a private field of what of points to. It panics if there is none of this type.
func field[T any](of any, name string) *T {
	v := reflect.ValueOf(of).Elem().FieldByName(name)
	if v.Type() != reflect.TypeFor[T]() {
		panic("field " + name + " is a " + v.Type().String())
	}
	return (*T)(unsafe.Pointer(v.UnsafeAddr())) //nolint:gosec // there is no other way to reach an elector's sleep
}
