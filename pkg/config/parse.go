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

package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"
	"knative.dev/pkg/configmap"
)

const (
	// maxWindow is where the window of a replica that restarts over and over
	// stops growing, so that a longer one could not be meant.
	maxWindow = 10 * time.Minute
	// maxInFlight is more leases than one Deployment has: a larger number is a
	// slip.
	maxInFlight = 1000
	// minRollout is what a sound rollout takes, maxRollout what nobody waits for.
	minRollout, maxRollout = time.Minute, 24 * time.Hour
	// minLeastMargin is less than which nobody need set, since 2 s are added in any
	// case; with more than maxLeastMargin nobody leads for twice as long.
	minLeastMargin, maxLeastMargin = 5 * time.Second, time.Minute
	// ownDeployment is our own Deployment, whose lease we never touch.
	ownDeployment = "tekton-leases-controller"
)

// parser reads the data of our ConfigMap and collects what is wrong with it.
type parser struct {
	configMap string
	faults    []error
}

// parse reads all keys of our ConfigMap, with every fault in the error.
func parse(configMap string, data map[string]string) (*Config, error) {
	p := &parser{configMap: configMap}
	cfg := Default()
	for _, key := range slices.Sorted(maps.Keys(data)) {
		p.read(cfg, key, data[key])
	}
	_, faults := ownElection(configMap, data)
	if err := errors.Join(append(p.faults, faults...)...); err != nil {
		return nil, err
	}
	return cfg, nil
}

// read puts one of our own keys into the configuration.
func (p *parser) read(cfg *Config, key, value string) {
	switch key {
	case configmap.ExampleKey:
	case deploymentsKey:
		cfg.Deployments = p.deployments(value)
	case strategyKey:
		cfg.Strategy = p.strategy(value)
	case windowKey:
		cfg.StabilizationWindow = p.duration(windowKey, value, 0, maxWindow)
	case inFlightKey:
		cfg.MaxHandoversInFlight = p.inFlight(value)
	case failoverKey:
		cfg.FastFailover = p.boolean(failoverKey, value)
	case rolloutKey:
		cfg.MaxRolloutWait = p.duration(rolloutKey, value, minRollout, maxRollout)
	case leftoversKey:
		cfg.CleanUpLeftovers = p.boolean(leftoversKey, value)
	case marginKey:
		cfg.Margin = p.margin(value)
	case dryRunKey:
		cfg.DryRun = p.boolean(dryRunKey, value)
	default:
		if _, election := find(electionKeys(), key); !election {
			p.faults = append(p.faults, keyError{p.configMap, key, "not known", "one of " + names(Keys())})
		}
	}
}

func (p *parser) deployments(value string) []string {
	list := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) })
	if len(list) == 0 {
		p.refuse(deploymentsKey, notLegal(value))
	}
	seen := map[string]bool{}
	for _, name := range list {
		switch {
		case name != all && len(validation.IsDNS1123Subdomain(name)) > 0:
			p.refuse(deploymentsKey, notLegal(name))
		case name == ownDeployment:
			p.refuse(deploymentsKey, fmt.Sprintf("%q is this controller itself", name))
		case seen[name]:
			p.refuse(deploymentsKey, fmt.Sprintf("%q is there more than once", name))
		}
		seen[name] = true
	}
	return list
}

func (p *parser) strategy(value string) Strategy {
	strategy := Strategy(strings.TrimSpace(value))
	if strategy != Handover && strategy != Delete {
		p.refuse(strategyKey, notLegal(value))
	}
	return strategy
}

// duration reads a duration within bounds.
func (p *parser) duration(key, value string, least, most time.Duration) time.Duration {
	d, err := time.ParseDuration(strings.TrimSpace(value))
	if err != nil || d < least || d > most {
		p.refuse(key, notLegal(value))
	}
	return d
}

// margin reads a duration that must not be in between.
func (p *parser) margin(value string) time.Duration {
	if d, err := time.ParseDuration(strings.TrimSpace(value)); err == nil && d == 0 {
		return 0
	}
	return p.duration(marginKey, value, minLeastMargin, maxLeastMargin)
}

// boolean reads true or false, and nothing else that might mean one of them.
func (p *parser) boolean(key, value string) bool {
	value = strings.TrimSpace(value)
	if value != "true" && value != "false" {
		p.refuse(key, notLegal(value))
	}
	return value == "true"
}

func (p *parser) inFlight(value string) int {
	n, err := strconv.Atoi(strings.TrimSpace(value))
	if err != nil || n < 0 || n > maxInFlight {
		p.refuse(inFlightKey, notLegal(value))
	}
	return n
}

// refuse notes a fault of one of our own keys.
func (p *parser) refuse(key, problem string) {
	doc, _ := find(ownKeys(), key)
	p.faults = append(p.faults, keyError{p.configMap, key, problem, doc.Legal})
}
