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
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"knative.dev/pkg/leaderelection"

	"github.com/tektoncd/leases-controller/pkg/config"
)

// ours returns our ConfigMap with the given data.
func ours(data map[string]string) *corev1.ConfigMap {
	return named(config.ConfigMapName, data)
}

func named(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: data}
}

// with returns the default configuration with one change.
func with(change func(*config.Config)) *config.Config {
	cfg := config.Default()
	change(cfg)
	return cfg
}

func TestNewFromConfigMap(t *testing.T) {
	for name, tc := range map[string]struct {
		cm   *corev1.ConfigMap
		want *config.Config
	}{
		"missing":      {want: config.Default()},
		"without data": {cm: ours(nil), want: config.Default()},
		"the example means nothing": {
			cm:   ours(map[string]string{"_example": "strategy: sideways"}),
			want: config.Default(),
		},
		"all keys": {
			cm: ours(map[string]string{
				"deployments":             "tekton-events-controller",
				"strategy":                "delete",
				"stabilization-window":    "1m30s",
				"fast-failover":           "false",
				"max-rollout-wait":        "1h",
				"clean-up-leftovers":      "false",
				"max-handovers-in-flight": "5",
				"margin":                  "7s",
				"dry-run":                 "true",
				"lease-duration":          "15s",
				"renew-deadline":          "10s",
				"retry-period":            "2s",
				"buckets":                 "1",
				"map-lease-prefix.tekton-leases-controller.some.Reconciler": "leases.example.com",
			}),
			want: &config.Config{
				Deployments:          []string{"tekton-events-controller"},
				Strategy:             config.Delete,
				StabilizationWindow:  90 * time.Second,
				MaxRolloutWait:       time.Hour,
				MaxHandoversInFlight: 5,
				Margin:               7 * time.Second,
				DryRun:               true,
			},
		},
		"legacy election keys": {
			cm:   ours(map[string]string{"leaseDuration": "15s", "renewDeadline": "10s", "retryPeriod": "2s"}),
			want: config.Default(),
		},
		"several Deployments, in the given order": {
			cm: ours(map[string]string{"deployments": "\n b,a.v1 ,c\td,\n"}),
			want: with(func(c *config.Config) {
				c.Deployments = []string{"b", "a.v1", "c", "d"}
			}),
		},
		"line ends": {
			cm: ours(map[string]string{"strategy": "delete\n", "stabilization-window": "5s\n"}),
			want: with(func(c *config.Config) {
				c.Strategy, c.StabilizationWindow = config.Delete, 5*time.Second
			}),
		},
		"no limit": {
			cm:   ours(map[string]string{"max-handovers-in-flight": " 0\n"}),
			want: config.Default(),
		},
		"largest limit": {
			cm:   ours(map[string]string{"max-handovers-in-flight": "1000"}),
			want: with(func(c *config.Config) { c.MaxHandoversInFlight = 1000 }),
		},
		"said once more": {
			cm:   ours(map[string]string{"fast-failover": "true\n", "clean-up-leftovers": " true", "max-rollout-wait": "10m"}),
			want: config.Default(),
		},
		"shortest window": {
			cm:   ours(map[string]string{"stabilization-window": "0s"}),
			want: with(func(c *config.Config) { c.StabilizationWindow = 0 }),
		},
		"longest window": {
			cm:   ours(map[string]string{"stabilization-window": "10m"}),
			want: with(func(c *config.Config) { c.StabilizationWindow = 10 * time.Minute }),
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := config.NewFromConfigMap(tc.cm)
			if err != nil {
				t.Fatal("NewFromConfigMap() =", err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error("NewFromConfigMap() (-want, +got):", diff)
			}
		})
	}
}

func TestManages(t *testing.T) {
	for name, tc := range map[string]struct {
		deployments      string
		managed, ignored []string
	}{
		"by name": {
			"a, b", []string{"a", "b"}, []string{"c", "*", ""},
		},
		"all": {
			"*",
			[]string{"a", "tekton-pipelines-controller"},
			[]string{"tekton-leases-controller", "tekton-events-controller", "pipelines-as-code-watcher"},
		},
		"all, and one that keeps state in memory": {
			"* tekton-events-controller",
			[]string{"a", "tekton-events-controller"},
			[]string{"tekton-leases-controller", "pipelines-as-code-watcher"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg, err := config.NewFromMap(map[string]string{"deployments": tc.deployments})
			if err != nil {
				t.Fatal("NewFromMap() =", err)
			}
			for _, d := range tc.managed {
				if !cfg.Manages(d) {
					t.Errorf("%q is not managed", d)
				}
			}
			for _, d := range tc.ignored {
				if cfg.Manages(d) {
					t.Errorf("%q is managed", d)
				}
			}
		})
	}
}

func TestNewFromMapNamesTheConfigMap(t *testing.T) {
	t.Setenv("CONFIG_LEADERELECTION_NAME", "another-name")
	_, err := config.NewFromMap(map[string]string{"strategy": "fast"})
	want := `ConfigMap another-name, key strategy: "fast" is not legal, want handover or delete`
	if err == nil || err.Error() != want {
		t.Errorf("NewFromMap() = %v, want %s", err, want)
	}
}

func TestDeepCopy(t *testing.T) {
	original := config.Default()
	clone := original.DeepCopy()
	if diff := cmp.Diff(original, clone); diff != "" {
		t.Error("DeepCopy() (-want, +got):", diff)
	}
	clone.Deployments[0] = "changed"
	if diff := cmp.Diff(config.Default(), original); diff != "" {
		t.Error("original after a change of the copy (-want, +got):", diff)
	}
}

// FuzzNewFromMap holds that nothing panics, and that knative accepts what we do.
func FuzzNewFromMap(f *testing.F) {
	f.Add("deployments", "a, b", "strategy", "delete")
	f.Add("lease-duration", "60", "buckets", "10")
	f.Add("map-lease-prefix.", "", "map-lease-prefix.a.b", "A_")
	f.Add("", "", "leaseDuration", "-1h")
	f.Fuzz(func(t *testing.T, key1, value1, key2, value2 string) {
		data := map[string]string{key1: value1, key2: value2}
		cfg, err := config.NewFromMap(data)
		if (cfg == nil) != (err != nil) {
			t.Fatalf("NewFromMap(%q) = %v, %v", data, cfg, err)
		}
		if err != nil {
			return
		}
		if _, err := leaderelection.NewConfigFromMap(data); err != nil {
			t.Errorf("knative refuses %q: %v", data, err)
		}
	})
}
