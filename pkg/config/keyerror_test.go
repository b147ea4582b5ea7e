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
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/tektoncd/leases-controller/pkg/config"
)

const (
	deploymentsLegal = "the names of other Deployments in this namespace, each once, with commas or spaces between them; " +
		"* among them stands for all that are found to share their work by such leases"
	windowLegal   = "a duration from 0s to 10m"
	inFlightLegal = "a whole number from 0 to 1000, 0 for no limit"
	leaseLegal    = "a duration of 1s or more that is longer than renew-deadline"
	renewLegal    = "a duration longer than 1.2 times retry-period"
	retryLegal    = "a duration longer than 0s"
	bucketsLegal  = "1, for this controller's own election; Tekton's bucket count is set in the ConfigMap of Tekton's own controller, " +
		"which is config-leader-election-controller for tekton-pipelines-controller"
	mappingLegal = "a name of lower-case letters, digits, - and ., which is no prefix of anybody else's leases"
	allKeys      = "deployments, strategy, stabilization-window, max-handovers-in-flight, fast-failover, max-rollout-wait, clean-up-leftovers, " +
		"margin, dry-run, lease-duration, renew-deadline, retry-period, buckets, " +
		"map-lease-prefix.<component>.<queue>"
)

// ownKeysFaults are the faults that are none of our election's.
var ownKeysFaults = map[string]faultCase{
	"no Deployment": {
		data: map[string]string{"deployments": " , "},
		want: []string{`key deployments: " , " is not legal, want ` + deploymentsLegal},
	},
	"bad names of Deployments": {
		data: map[string]string{"deployments": "Controller, ok, -, a/b"},
		want: []string{
			`key deployments: "Controller" is not legal, want ` + deploymentsLegal,
			`key deployments: "-" is not legal, want ` + deploymentsLegal,
			`key deployments: "a/b" is not legal, want ` + deploymentsLegal,
		},
	},
	"a Deployment twice": {
		data: map[string]string{"deployments": "a b a"},
		want: []string{`key deployments: "a" is there more than once, want ` + deploymentsLegal},
	},
	"ourselves": {
		data: map[string]string{"deployments": "tekton-leases-controller"},
		want: []string{`key deployments: "tekton-leases-controller" is this controller itself, want ` + deploymentsLegal},
	},
	"margin that is too short": {
		data: map[string]string{"margin": "4s"},
		want: []string{`key margin: "4s" is not legal, want a duration from 5s to 60s, or 0s`},
	},
	"margin that is too long": {
		data: map[string]string{"margin": "61s"},
		want: []string{`key margin: "61s" is not legal, want a duration from 5s to 60s, or 0s`},
	},
	"margin that lowers it": {
		data: map[string]string{"margin": "-1s"},
		want: []string{`key margin: "-1s" is not legal, want a duration from 5s to 60s, or 0s`},
	},
	"dry run that may be one": {
		data: map[string]string{"dry-run": "yes"},
		want: []string{`key dry-run: "yes" is not legal, want true or false`},
	},
	"strategy": {
		data: map[string]string{"strategy": "Delete"},
		want: []string{`key strategy: "Delete" is not legal, want handover or delete`},
	},
	"no strategy": {
		data: map[string]string{"strategy": ""},
		want: []string{`key strategy: "" is not legal, want handover or delete`},
	},
	"window without a unit": {
		data: map[string]string{"stabilization-window": "30"},
		want: []string{`key stabilization-window: "30" is not legal, want ` + windowLegal},
	},
	"window too short": {
		data: map[string]string{"stabilization-window": "-1s"},
		want: []string{`key stabilization-window: "-1s" is not legal, want ` + windowLegal},
	},
	"window too long": {
		data: map[string]string{"stabilization-window": "10m1s"},
		want: []string{`key stabilization-window: "10m1s" is not legal, want ` + windowLegal},
	},
	"no number of handovers": {
		data: map[string]string{"max-handovers-in-flight": "all"},
		want: []string{`key max-handovers-in-flight: "all" is not legal, want ` + inFlightLegal},
	},
	"fewer than no handovers": {
		data: map[string]string{"max-handovers-in-flight": "-1"},
		want: []string{`key max-handovers-in-flight: "-1" is not legal, want ` + inFlightLegal},
	},
	"too many handovers": {
		data: map[string]string{"max-handovers-in-flight": "1001"},
		want: []string{`key max-handovers-in-flight: "1001" is not legal, want ` + inFlightLegal},
	},
	"failover": {
		data: map[string]string{"fast-failover": "yes"},
		want: []string{`key fast-failover: "yes" is not legal, want true or false`},
	},
	"leftovers": {
		data: map[string]string{"clean-up-leftovers": "True"},
		want: []string{`key clean-up-leftovers: "True" is not legal, want true or false`},
	},
	"rollout wait too short": {
		data: map[string]string{"max-rollout-wait": "59s"},
		want: []string{`key max-rollout-wait: "59s" is not legal, want a duration from 1m to 24h`},
	},
	"rollout wait too long": {
		data: map[string]string{"max-rollout-wait": "24h1s"},
		want: []string{`key max-rollout-wait: "24h1s" is not legal, want a duration from 1m to 24h`},
	},
	"all and a bad name": {
		data: map[string]string{"deployments": "* a*"},
		want: []string{`key deployments: "a*" is not legal, want ` + deploymentsLegal},
	},
	"all twice": {
		data: map[string]string{"deployments": "*,*"},
		want: []string{`key deployments: "*" is there more than once, want ` + deploymentsLegal},
	},
	"unknown key": {
		data: map[string]string{"deployment": "a"},
		want: []string{`key deployment: not known, want one of ` + allKeys},
	},
	"a mapping of nothing": {
		data: map[string]string{"map-lease-prefix.": ""},
		want: []string{`key map-lease-prefix.: not known, want one of ` + allKeys},
	},
	"a key that only knative takes for a mapping": {
		data: map[string]string{"map-lease-prefixes": "a"},
		want: []string{`key map-lease-prefixes: not known, want one of ` + allKeys},
	},
}

// electionFaults are the faults of our election.
var electionFaults = map[string]faultCase{
	"durations": {
		data: map[string]string{"lease-duration": "60", "renewDeadline": "", "retry-period": "soon"},
		want: []string{
			`key lease-duration: "60" is not legal, want ` + leaseLegal,
			`key renewDeadline: "" is not legal, want ` + renewLegal,
			`key retry-period: "soon" is not legal, want ` + retryLegal,
		},
	},
	"Tekton's bucket count": {
		data: map[string]string{"buckets": "10"},
		want: []string{`key buckets: "10" is not legal, want ` + bucketsLegal},
	},
	"no number of buckets": {
		data: map[string]string{"buckets": "ten"},
		want: []string{`key buckets: "ten" is not legal, want ` + bucketsLegal},
	},
	"lease shorter than the default of the renew deadline": {
		data: map[string]string{"lease-duration": "30s"},
		want: []string{`key lease-duration: 30s is not longer than renew-deadline, which is 40s, want ` + leaseLegal},
	},
	"renew deadline too short": {
		data: map[string]string{"renewDeadline": "12s"},
		want: []string{`key renew-deadline: 12s is not longer than 1.2 times retry-period, which is 10s, want ` + renewLegal},
	},
	"lease shorter than a second": {
		data: map[string]string{"lease-duration": "900ms", "renew-deadline": "500ms", "retry-period": "100ms"},
		want: []string{`key lease-duration: 900ms is too short, want ` + leaseLegal},
	},
	"no retry period": {
		data: map[string]string{"retry-period": "0s"},
		want: []string{`key retry-period: 0s is too short, want ` + retryLegal},
	},
	"mapped to no name of a lease": {
		data: map[string]string{"map-lease-prefix.a.b": "A_", "map-lease-prefix.c.d": ""},
		want: []string{
			`key map-lease-prefix.a.b: "A_" is not legal, want ` + mappingLegal,
			`key map-lease-prefix.c.d: "" is not legal, want ` + mappingLegal,
		},
	},
}

type faultCase struct {
	data map[string]string
	// want has the lines of the error, without the name of the ConfigMap.
	want []string
}

// require runs the case and compares every line of the error.
func (tc faultCase) require(t *testing.T, configMap string, read func(*corev1.ConfigMap) error) {
	t.Helper()
	want := make([]string, 0, len(tc.want))
	for _, line := range tc.want {
		want = append(want, "ConfigMap "+configMap+", "+line)
	}
	err := read(named(configMap, tc.data))
	if err == nil {
		t.Fatal("no error, want", want)
	}
	if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
		t.Error("error (-want, +got):", diff)
	}
}

func newFromConfigMap(cm *corev1.ConfigMap) error {
	_, err := config.NewFromConfigMap(cm)
	return err
}

func TestFaults(t *testing.T) {
	for _, cases := range []map[string]faultCase{ownKeysFaults, electionFaults} {
		for name, tc := range cases {
			t.Run(name, func(t *testing.T) {
				tc.require(t, config.ConfigMapName, newFromConfigMap)
			})
		}
	}
}

// TestAllFaultsAtOnce: who mends one fault must not meet the next one only then.
func TestAllFaultsAtOnce(t *testing.T) {
	faultCase{
		data: map[string]string{
			"_example": "", "buckets": "0", "deployments": "a,a", "leaseDuration": "x", "strategy": "", "window": "1s",
		},
		want: []string{
			`key deployments: "a" is there more than once, want ` + deploymentsLegal,
			`key strategy: "" is not legal, want handover or delete`,
			`key window: not known, want one of ` + allKeys,
			`key buckets: "0" is not legal, want ` + bucketsLegal,
			`key leaseDuration: "x" is not legal, want ` + leaseLegal,
		},
	}.require(t, config.ConfigMapName, newFromConfigMap)
}
