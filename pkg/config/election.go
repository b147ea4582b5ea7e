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
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"knative.dev/pkg/leaderelection"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// jitterFactor is client-go's constant of that name, stated again since this
// package imports no client. A renew deadline must be longer than as many retry
// periods.
const jitterFactor = 1.2

// Election returns the election of a managed controller as its processes read
// it from their ConfigMap. None at all means knative's defaults.
func Election(cm *corev1.ConfigMap) (*leaderelection.Config, error) {
	if cm == nil {
		return leaderelection.NewConfigFromConfigMap(nil)
	}
	keys := electionKeys()
	for i := range keys {
		if keys[i].Name == bucketsKey {
			keys[i].Legal = fmt.Sprintf("a number from 1 to %d", leaderelection.MaxBuckets)
		}
	}
	cfg, faults := election(cm.Name, cm.Data, keys)
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return cfg, nil
}

// OwnElection returns the election of this controller, from our ConfigMap. On
// an error it is knative's default, so that the process can run and report it.
func OwnElection(cm *corev1.ConfigMap) (*leaderelection.Config, error) {
	if cm == nil {
		return leaderelection.NewConfigFromConfigMap(nil)
	}
	cfg, faults := ownElection(cm.Name, cm.Data)
	if err := errors.Join(faults...); err != nil {
		defaults, _ := leaderelection.NewConfigFromConfigMap(nil)
		return defaults, err
	}
	return cfg, nil
}

// ownElection reads the election keys of our ConfigMap, by stricter rules than
// those of the managed controllers.
func ownElection(configMap string, data map[string]string) (*leaderelection.Config, []error) {
	keys := electionKeys()
	var faults []error
	refuse := func(name, problem string) {
		doc, _ := find(keys, name)
		faults = append(faults, keyError{configMap, name, problem, doc.Legal})
	}
	for _, name := range slices.Sorted(maps.Keys(data)) {
		if _, known := find(keys, name); !known || !strings.HasPrefix(name, mappingKey) {
			continue
		}
		// A name that the API server refuses would keep us from ever leading.
		lease := bucket.Group{Prefix: data[name], Buckets: 1}.Name(0)
		if _, _, err := bucket.Parse(lease); err != nil {
			refuse(name, notLegal(data[name]))
		}
	}
	cfg, more := election(configMap, data, keys)
	if cfg != nil && cfg.Buckets != 1 {
		refuse(bucketsKey, notLegal(data[bucketsKey]))
	}
	return cfg, append(faults, more...)
}

// election has knative parse the data, one key at a time so that no fault hides
// another. There is no Config unless each key alone is legal.
func election(configMap string, data map[string]string, keys []Key) (*leaderelection.Config, []error) {
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(data)) {
		if _, err := leaderelection.NewConfigFromMap(map[string]string{name: data[name]}); err != nil {
			doc, _ := find(keys, name)
			faults = append(faults, keyError{configMap, name, notLegal(data[name]), doc.Legal})
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	cfg, err := leaderelection.NewConfigFromMap(data)
	if err != nil {
		return nil, []error{fmt.Errorf("failed to parse ConfigMap %s: %w", configMap, err)}
	}
	return cfg, checkTimings(configMap, cfg)
}

// checkTimings states what client-go requires of the timings of an election,
// and the API server of the duration of a lease: whole seconds, at least one.
func checkTimings(configMap string, cfg *leaderelection.Config) []error {
	var faults []error
	refuse := func(name, format string, args ...any) {
		doc, _ := find(electionKeys(), name)
		faults = append(faults, keyError{configMap, name, fmt.Sprintf(format, args...), doc.Legal})
	}
	if cfg.LeaseDuration < time.Second {
		refuse(leaseKey, "%s is too short", cfg.LeaseDuration)
	}
	if cfg.LeaseDuration <= cfg.RenewDeadline {
		refuse(leaseKey, "%s is not longer than renew-deadline, which is %s", cfg.LeaseDuration, cfg.RenewDeadline)
	}
	if cfg.RenewDeadline <= time.Duration(jitterFactor*float64(cfg.RetryPeriod)) {
		refuse(renewKey, "%s is not longer than 1.2 times retry-period, which is %s", cfg.RenewDeadline, cfg.RetryPeriod)
	}
	if cfg.RetryPeriod <= 0 {
		refuse(retryKey, "%s is too short", cfg.RetryPeriod)
	}
	return faults
}
