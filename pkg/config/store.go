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
	"fmt"
	"reflect"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"knative.dev/pkg/leaderelection"
)

// Store keeps the last good configuration. It may be used by several goroutines.
type Store struct {
	onChange []func()

	mu      sync.RWMutex
	current *Config
	err     error
}

// NewStore returns a Store without a configuration. It calls onChange whenever
// an update changes the configuration or the error.
func NewStore(onChange ...func()) *Store {
	return &Store{
		onChange: onChange,
		err:      fmt.Errorf("ConfigMap %s has not been read yet", leaderelection.ConfigMapName()),
	}
}

// Load returns a copy of the last good configuration, or nil before there was
// one: then Err says why, and nothing may be moved.
func (s *Store) Load() *Config {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.current == nil {
		return nil
	}
	return s.current.DeepCopy()
}

// Err says what is wrong with the ConfigMap as it is now, or nil.
func (s *Store) Err() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.err
}

// Update takes over our ConfigMap as it is now, nil if there is none. An invalid
// one leaves the last good configuration in place.
func (s *Store) Update(cm *corev1.ConfigMap) {
	cfg, err := NewFromConfigMap(cm)
	if !s.swap(cfg, err) {
		return
	}
	for _, call := range s.onChange {
		call()
	}
}

// swap stores the result of reading the ConfigMap and reports whether it differs
// from the last one. An informer brings the same ConfigMap again and again.
func (s *Store) swap(cfg *Config, err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		cfg = s.current
	}
	changed := fmt.Sprint(err) != fmt.Sprint(s.err) || !reflect.DeepEqual(cfg, s.current)
	s.current, s.err = cfg, err
	return changed
}
