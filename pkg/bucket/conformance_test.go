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
	"os"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
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
			for _, queue := range queues {
				t.Run(fmt.Sprintf("%s, %d buckets, mapped=%t", queue, buckets, mapped), func(t *testing.T) {
					data := map[string]string{"buckets": strconv.Itoa(buckets)}
					if mapped {
						data["map-lease-prefix.Controller."+queue] = "Mapped.To"
					}
					requireNames(t, "Controller", queue, election(t, data))
				})
			}
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
		t.Run(queue, func(t *testing.T) {
			if got := bucket.NewGroup(component, queue, cfg).Names()[0]; got != wantFirst {
				t.Errorf("first lease is %q, want %q", got, wantFirst)
			}
			requireNames(t, component, queue, cfg)
		})
	}
}

// requireNames compares what electors of one queue create with what we expect.
func requireNames(t *testing.T, component, queue string, cfg *leaderelection.Config) {
	t.Helper()
	group := bucket.NewGroup(component, queue, cfg)
	hostname, err := os.Hostname()
	if err != nil {
		t.Fatal("Hostname() =", err)
	}
	holders := elect(t, queue, cfg.GetComponentConfig(component))
	var names []string
	for name, holder := range holders {
		names = append(names, name)
		if identity, err := bucket.ParseIdentity(holder); err != nil || identity.Hostname != hostname || identity.UID == "" {
			t.Errorf("ParseIdentity(%q) = %#v, %v, want hostname %q", holder, identity, err, hostname)
		}
		if parsed, _, err := bucket.Parse(name); err != nil || parsed != group {
			t.Errorf("Parse(%q) = %v, %v, want %v", name, parsed, err, group)
		}
	}
	slices.Sort(names)
	if diff := cmp.Diff(group.Names(), names); diff != "" {
		t.Error("names of the leases (-want, +got):", diff)
	}
}

// elect runs all electors of a queue until each leads, and returns the holder
// of every lease that they have created.
func elect(t *testing.T, queue string, component leaderelection.ComponentConfig) map[string]string {
	t.Helper()
	t.Setenv(system.NamespaceEnvKey, "tekton-pipelines")
	holders := map[string]string{}
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewClientset()
		ctx, cancel := context.WithCancel(logging.WithLogger(t.Context(), zap.NewNop().Sugar()))
		ctx = leaderelection.WithStandardLeaderElectorBuilder(ctx, client, component)
		elector, err := leaderelection.BuildElector(ctx, &reconciler.LeaderAwareFuncs{}, queue, func(reconciler.Bucket, types.NamespacedName) {})
		if err != nil {
			t.Fatal("BuildElector() =", err)
		}
		go elector.Run(ctx)
		synctest.Wait()
		leases, err := client.CoordinationV1().Leases(corev1.NamespaceAll).List(ctx, metav1.ListOptions{})
		if err != nil {
			t.Fatal("List() =", err)
		}
		for _, lease := range leases.Items {
			holders[lease.Name] = *lease.Spec.HolderIdentity
		}
		cancel()
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
