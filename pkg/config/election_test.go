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

package config_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	clientelection "k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"knative.dev/pkg/leaderelection"

	"github.com/tektoncd/leases-controller/pkg/config"
)

// tektons is the ConfigMap that the Pipelines controller reads.
const tektons = "config-leader-election-controller"

// timings returns an election as knative's defaults would have it.
func timings(buckets uint32, lease, renew, retry time.Duration) *leaderelection.Config {
	return &leaderelection.Config{
		Buckets:       buckets,
		LeaseDuration: lease,
		RenewDeadline: renew,
		RetryPeriod:   retry,
	}
}

var defaultElection = timings(1, time.Minute, 40*time.Second, 10*time.Second)

func TestCase13MissingElectionConfigMap(t *testing.T) {
	for name, tc := range map[string]*corev1.ConfigMap{
		"missing":          nil,
		"without data":     named(tektons, nil),
		"an example alone": named(tektons, map[string]string{"_example": "buckets: 10"}),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := config.Election(tc)
			if err != nil {
				t.Fatal("Election() =", err)
			}
			if diff := cmp.Diff(defaultElection, got); diff != "" {
				t.Error("Election() (-want, +got):", diff)
			}
		})
	}
}

func TestCase14LegacyKeys(t *testing.T) {
	for name, tc := range map[string]struct {
		data map[string]string
		want *leaderelection.Config
	}{
		"all": {
			data: map[string]string{"leaseDuration": "30s", "renewDeadline": "20s", "retryPeriod": "5s", "buckets": "8"},
			want: timings(8, 30*time.Second, 20*time.Second, 5*time.Second),
		},
		"the newer spelling wins": {
			data: map[string]string{"leaseDuration": "50s", "lease-duration": "45s"},
			want: timings(1, 45*time.Second, 40*time.Second, 10*time.Second),
		},
		"unknown keys mean nothing to Tekton": {
			data: map[string]string{"resourceLock": "leases", "enabledComponents": "controller", "buckets": "10"},
			want: timings(10, time.Minute, 40*time.Second, 10*time.Second),
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := config.Election(named(tektons, tc.data))
			if err != nil {
				t.Fatal("Election() =", err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error("Election() (-want, +got):", diff)
			}
		})
	}
}

func TestCase15ElectionWithMapping(t *testing.T) {
	got, err := config.Election(named(tektons, map[string]string{"map-lease-prefix.controller.some.Reconciler": "short"}))
	if err != nil {
		t.Fatal("Election() =", err)
	}
	want := map[string]string{"controller.some.Reconciler": "short"}
	if diff := cmp.Diff(want, got.LeaseNamesPrefixMapping); diff != "" {
		t.Error("mapping (-want, +got):", diff)
	}
}

func TestCase16RefusedElection(t *testing.T) {
	const number = "a number from 1 to 10"
	for name, tc := range map[string]faultCase{
		"no buckets":       {data: map[string]string{"buckets": "0"}, want: []string{`key buckets: "0" is not legal, want ` + number}},
		"too many buckets": {data: map[string]string{"buckets": "11"}, want: []string{`key buckets: "11" is not legal, want ` + number}},
		"no number": {
			data: map[string]string{"buckets": "ten", "lease-duration": "60"},
			want: []string{
				`key buckets: "ten" is not legal, want ` + number,
				`key lease-duration: "60" is not legal, want ` + leaseLegal,
			},
		},
		"refused by client-go": {
			data: map[string]string{"renew-deadline": "60s", "retryPeriod": "55s"},
			want: []string{
				`key lease-duration: 1m0s is not longer than renew-deadline, which is 1m0s, want ` + leaseLegal,
				`key renew-deadline: 1m0s is not longer than 1.2 times retry-period, which is 55s, want ` + renewLegal,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tc.require(t, tektons, func(cm *corev1.ConfigMap) error {
				cfg, err := config.Election(cm)
				if cfg != nil {
					t.Error("there is a configuration beside the error:", cfg)
				}
				return err
			})
		})
	}
}

func TestOwnElection(t *testing.T) {
	mapped := timings(1, 15*time.Second, 10*time.Second, 2*time.Second)
	mapped.LeaseNamesPrefixMapping = map[string]string{"a.B": "leases"}
	for name, tc := range map[string]struct {
		cm   *corev1.ConfigMap
		want *leaderelection.Config
	}{
		"missing": {want: defaultElection},
		"set": {
			cm: ours(map[string]string{
				"lease-duration": "15s", "renewDeadline": "10s", "retry-period": "2s", "buckets": "1", "map-lease-prefix.a.B": "leases",
			}),
			want: mapped,
		},
		"faults of other keys do not matter": {
			cm:   ours(map[string]string{"strategy": "fast", "unknown": "x"}),
			want: defaultElection,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := config.OwnElection(tc.cm)
			if err != nil {
				t.Fatal("OwnElection() =", err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error("OwnElection() (-want, +got):", diff)
			}
		})
	}
}

// TestOwnElectionRunsWithFaults: a fault must not end the process, so there is
// an election that works in any case.
func TestOwnElectionRunsWithFaults(t *testing.T) {
	for name, tc := range electionFaults {
		t.Run(name, func(t *testing.T) {
			tc.require(t, config.ConfigMapName, func(cm *corev1.ConfigMap) error {
				got, err := config.OwnElection(cm)
				if diff := cmp.Diff(defaultElection, got); diff != "" {
					t.Error("OwnElection() (-want, +got):", diff)
				}
				return err
			})
		})
	}
}

// TestTimingsAsClientGo holds our check of the timings to that of client-go.
func TestTimingsAsClientGo(t *testing.T) {
	durations := []string{"-1s", "0s", "1s", "1.2s", "1.3s", "10s", "12s", "13s", "40s", "60s"}
	for _, lease := range durations {
		for _, renew := range durations {
			for _, retry := range durations {
				data := map[string]string{"lease-duration": lease, "renew-deadline": renew, "retry-period": retry}
				t.Run(fmt.Sprint(data), func(t *testing.T) {
					_, got := config.Election(named(tektons, data))
					if want := newElector(t, data); (got == nil) != (want == nil) {
						t.Errorf("Election() = %v, but client-go says %v", got, want)
					}
				})
			}
		}
	}
}

// newElector returns what client-go says to the timings.
func newElector(t *testing.T, data map[string]string) error {
	t.Helper()
	cfg, err := leaderelection.NewConfigFromMap(data)
	if err != nil {
		t.Fatal("NewConfigFromMap() =", err)
	}
	_, err = clientelection.NewLeaderElector(clientelection.LeaderElectionConfig{
		Lock:          &resourcelock.LeaseLock{LockConfig: resourcelock.ResourceLockConfig{Identity: "any"}},
		LeaseDuration: cfg.LeaseDuration,
		RenewDeadline: cfg.RenewDeadline,
		RetryPeriod:   cfg.RetryPeriod,
		Callbacks: clientelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) {},
			OnStoppedLeading: func() {},
		},
	})
	return err
}

// FuzzElection: whatever somebody writes into the ConfigMap of a controller whose
// leases are managed, nothing panics, and what is accepted can be elected with.
func FuzzElection(f *testing.F) {
	f.Add("lease-duration", "60s", "renew-deadline", "40s", "retry-period", "10s")
	f.Add("lease-duration", "2562047h", "renew-deadline", "2562046h", "retry-period", "2562047h47m16.854775807s")
	f.Add("buckets", "4294967297", "retry-period", "-1ns", "resourceLock", "")
	f.Add("map-lease-prefix.a.b", "\u202e/..", "map-lease-prefix.", strings.Repeat("x", 1024), "_example", "\x00")
	f.Add("buckets", "0x0a", "buckets", "+1", "renewDeadline", "1e3s")
	f.Fuzz(func(t *testing.T, key1, value1, key2, value2, key3, value3 string) {
		data := map[string]string{key1: value1, key2: value2, key3: value3}
		if cfg, err := config.OwnElection(named(config.ConfigMapName, data)); cfg == nil || (err == nil && cfg.Buckets != 1) {
			t.Errorf("OwnElection(%q) = %v, %v, want 1 bucket, and the defaults with an error", data, cfg, err)
		}
		cfg, err := config.Election(named(tektons, data))
		if (cfg == nil) != (err != nil) {
			t.Fatalf("Election(%q) = %v, %v", data, cfg, err)
		}
		if err != nil {
			return
		}
		if cfg.Buckets < 1 || cfg.Buckets > leaderelection.MaxBuckets || cfg.LeaseDuration < time.Second {
			t.Errorf("Election(%q) = %+v", data, cfg)
		}
		if err := newElector(t, data); err != nil {
			t.Errorf("client-go refuses %q: %v", data, err)
		}
	})
}
