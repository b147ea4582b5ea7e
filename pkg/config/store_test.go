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
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tektoncd/leases-controller/pkg/config"
)

func TestStore(t *testing.T) {
	t.Setenv("CONFIG_LEADERELECTION_NAME", config.ConfigMapName)
	const (
		unread = "ConfigMap config-leader-election-leases has not been read yet"
		bad    = `ConfigMap config-leader-election-leases, key strategy: "fast" is not legal, want handover or delete`
		worse  = `ConfigMap config-leader-election-leases, key strategy: "faster" is not legal, want handover or delete`
	)
	changes := 0
	store := config.NewStore(func() { changes++ })
	requireStore(t, "new", store, nil, unread)

	deletes := with(func(c *config.Config) { c.Strategy = config.Delete })
	for _, step := range []struct {
		name        string
		data        map[string]string
		want        *config.Config
		wantErr     string
		wantChanges int
	}{
		{name: "invalid at start", data: map[string]string{"strategy": "fast"}, wantErr: bad, wantChanges: 1},
		{name: "the same again", data: map[string]string{"strategy": "fast"}, wantErr: bad, wantChanges: 1},
		{name: "valid", data: map[string]string{"strategy": "delete"}, want: deletes, wantChanges: 2},
		{name: "the same by another text", data: map[string]string{"strategy": "delete\n"}, want: deletes, wantChanges: 2},
		{name: "invalid later", data: map[string]string{"strategy": "fast"}, want: deletes, wantErr: bad, wantChanges: 3},
		{name: "invalid otherwise", data: map[string]string{"strategy": "faster"}, want: deletes, wantErr: worse, wantChanges: 4},
		{name: "valid again", data: map[string]string{"strategy": "delete"}, want: deletes, wantChanges: 5},
	} {
		store.Update(ours(step.data))
		requireStore(t, step.name, store, step.want, step.wantErr)
		if changes != step.wantChanges {
			t.Errorf("%s: %d changes were told, want %d", step.name, changes, step.wantChanges)
		}
	}
	store.Update(nil)
	requireStore(t, "removed", store, config.Default(), "")
}

func requireStore(t *testing.T, step string, store *config.Store, want *config.Config, wantErr string) {
	t.Helper()
	if diff := cmp.Diff(want, store.Load()); diff != "" {
		t.Errorf("%s: Load() (-want, +got): %s", step, diff)
	}
	got := ""
	if err := store.Err(); err != nil {
		got = err.Error()
	}
	if diff := cmp.Diff(wantErr, got); diff != "" {
		t.Errorf("%s: Err() (-want, +got): %s", step, diff)
	}
}

func TestStoreLoadsCopies(t *testing.T) {
	store := config.NewStore()
	store.Update(nil)
	store.Load().Deployments[0] = "changed"
	requireStore(t, "after a change of a copy", store, config.Default(), "")
}

// TestStoreConcurrently is for the race detector. A reader never sees a mixture.
func TestStoreConcurrently(t *testing.T) {
	store := config.NewStore(func() {})
	store.Update(nil)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 100 {
				store.Update(ours(map[string]string{"strategy": "delete", "deployments": "b"}))
				store.Update(ours(map[string]string{"strategy": "fast"}))
				store.Update(nil)
			}
		})
		group.Go(func() {
			for range 100 {
				cfg := store.Load()
				if (cfg.Strategy == config.Delete) != (cfg.Deployments[0] == "b") {
					t.Error("mixture of two configurations:", cfg)
				}
				_ = store.Err()
			}
		})
	}
	group.Wait()
}
