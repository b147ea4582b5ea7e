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

package bucket_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"

	"go.uber.org/zap"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/utils/ptr"
	"knative.dev/pkg/leaderelection"
	"knative.dev/pkg/logging"
	"knative.dev/pkg/reconciler"
	"knative.dev/pkg/system"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// queues are names as knative derives them from Go types, in their own case.
var queues = []string{
	"github.com.tektoncd.pipeline.pkg.reconciler.taskrun.Reconciler",
	"github.com.tektoncd.pipeline.pkg.reconciler.notifications.customrun.Reconciler",
	"tektonresolverframework.git",
	"ConversionWebhook",
}

// TestConformance requires that the names and identities which running electors
// of knative write are the ones we expect.
func TestConformance(t *testing.T) {
	for _, mapped := range []bool{false, true} {
		for buckets := 1; buckets <= 10; buckets++ {
			t.Run(fmt.Sprintf("%d buckets, mapped=%t", buckets, mapped), func(t *testing.T) {
				data := map[string]string{"buckets": strconv.Itoa(buckets)}
				for i, queue := range queues {
					if mapped {
						data["map-lease-prefix.Controller."+queue] = fmt.Sprintf("Mapped.To.%d", i)
					}
				}
				requireNames(t, "Controller", election(t, data))
			})
		}
	}
}

func TestCase15PrefixMapping(t *testing.T) {
	const component = "tekton-pipelines-controller"
	cfg := election(t, map[string]string{
		"buckets": "4",
		"map-lease-prefix." + component + "." + queues[0]: "taskruns.Example.com",
		"map-lease-prefix.controller." + queues[1]:        "of-another-component",
	})
	for queue, wantFirst := range map[string]string{
		queues[0]: "taskruns.example.com.00-of-04",
		queues[1]: "tekton-pipelines-controller.github.com.tektoncd.pipeline.pkg.reconciler.notifications.customrun.reconciler.00-of-04",
	} {
		if got := bucket.NewGroup(component, queue, cfg).Names()[0]; got != wantFirst {
			t.Errorf("first lease of %s is %q, want %q", queue, got, wantFirst)
		}
	}
	requireNames(t, component, cfg)
}

// requireNames compares what the electors of all queues write with what we
// expect.
func requireNames(t *testing.T, component string, cfg *leaderelection.Config) {
	t.Helper()
	hostname, err := os.Hostname()
	if err != nil {
		t.Fatal("Hostname() =", err)
	}
	holders := elect(t, cfg.GetComponentConfig(component))
	uids := map[bucket.Group]string{}
	for _, queue := range queues {
		group := bucket.NewGroup(component, queue, cfg)
		for ordinal, name := range group.Names() {
			identity, err := bucket.ParseIdentity(holders[name])
			if err != nil || identity.Hostname != hostname || identity.UID == "" {
				t.Errorf("holder of %s is %#v, %v, want hostname %q", name, identity, err, hostname)
			}
			uids[group] = identity.UID
			parsed, gotOrdinal, err := bucket.Parse(name)
			if err != nil || parsed != group || int(gotOrdinal) != ordinal {
				t.Errorf("Parse(%q) = %v, %d, %v, want %v, %d", name, parsed, gotOrdinal, err, group, ordinal)
			}
			delete(holders, name)
		}
	}
	if len(holders) > 0 {
		t.Errorf("electors have leases that we do not expect: %v", holders)
	}
	if distinct := sets.New(slices.Collect(maps.Values(uids))...); distinct.Len() != len(queues) {
		t.Errorf("got uids %v, want one for each queue", uids)
	}
}

// elect runs the electors of all queues until each leads, and returns the holder
// of every lease that they have created.
func elect(t *testing.T, component leaderelection.ComponentConfig) map[string]string {
	t.Helper()
	t.Setenv(system.NamespaceEnvKey, "tekton-pipelines")
	holders := map[string]string{}
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewClientset()
		ctx, cancel := context.WithCancel(logging.WithLogger(t.Context(), zap.NewNop().Sugar()))
		defer cancel()
		ctx = leaderelection.WithStandardLeaderElectorBuilder(ctx, client, component)
		for _, queue := range queues {
			elector, err := leaderelection.BuildElector(ctx, &reconciler.LeaderAwareFuncs{}, queue, func(reconciler.Bucket, types.NamespacedName) {})
			if err != nil {
				t.Fatal("BuildElector() =", err)
			}
			go elector.Run(ctx)
		}
		synctest.Wait()
		leases, err := client.CoordinationV1().Leases(corev1.NamespaceAll).List(ctx, metav1.ListOptions{})
		if err != nil {
			t.Fatal("List() =", err)
		}
		for _, lease := range leases.Items {
			holders[lease.Name] = ptr.Deref(lease.Spec.HolderIdentity, "")
		}
	})
	return holders
}

// election parses the configuration as Tekton's controllers do.
func election(t *testing.T, data map[string]string) *leaderelection.Config {
	t.Helper()
	cfg, err := leaderelection.NewConfigFromConfigMap(&corev1.ConfigMap{Data: data})
	if err != nil {
		t.Fatal("NewConfigFromConfigMap() =", err)
	}
	return cfg
}
