//go:build e2e

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

package e2e

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/tektoncd/leases-controller/pkg/status"
	"github.com/tektoncd/leases-controller/test/witness"
)

// audited is the namespace in which the audit log of a cluster of test/cluster
// has each request of a ServiceAccount.
const audited = "audited"

// withoutWatchList lets client-go list before it watches, as it does by itself
// with API servers that cannot send the list as a watch.
const withoutWatchList = `{"spec":{"template":{"spec":{"containers":[{"name":"` + witness.LeasesController +
	`","env":[{"name":"KUBE_FEATURE_WatchListClient","value":"false"}]}]}}}}`

// TestRole: in an ordinary life of our controller, by the API server's audit log,
// no request is denied, and each verb of the Role is used: without one of them
// some request would be denied. Then the same with the strict manifests, which let
// it write nothing else.
func TestRole(t *testing.T) {
	t.Parallel()
	audit := openAudit(t)
	c := connectToSome(t, audited, 1)
	c.scale(2)
	c.installOurs(map[string]string{"stabilization-window": "0s"})
	c.must(c.patchOurs(withoutWatchList))
	c.even()
	c.pauseAndResume()
	c.pauseAndResume() // the Event of the first time is counted up
	c.stopOurs()       // which ends the watches: only then they are in the log
	user := fmt.Sprintf("system:serviceaccount:%s:%s", audited, witness.LeasesController)
	all := audit.requests(t, user)
	none(t, "denied requests", denied(all))
	none(t, "rights that nothing needed", unused(c.granted(witness.LeasesController), all))

	c.onlyItsOwn()
	audit = openAudit(t)
	c.must(c.patchOurs(`{"spec":{"replicas":1}}`))
	c.replace()
	c.even()
	c.stopOurs()
	none(t, "requests denied by the strict Role or the policy", denied(audit.requests(t, user)))
}

// granted are the rights of a Role.
func (c *cluster) granted(role string) []right {
	c.t.Helper()
	r, err := c.client.RbacV1().Roles(c.namespace).Get(c.t.Context(), role, metav1.GetOptions{})
	c.must(err)
	return rights(r.Rules)
}

// patchOurs changes our own Deployment.
func (c *cluster) patchOurs(patch string) error {
	_, err := c.client.AppsV1().Deployments(c.namespace).
		Patch(c.t.Context(), witness.LeasesController, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
	return err
}

// stopOurs waits for the end of all of our pods.
func (c *cluster) stopOurs() {
	c.t.Helper()
	c.must(c.patchOurs(`{"spec":{"replicas":0}}`))
	c.wait(startUp, "the end of our controller", func() bool {
		for _, pod := range c.pods(c.t.Context()) {
			if witness.Container(&pod) == witness.LeasesController {
				return false
			}
		}
		return true
	})
}

// pauseAndResume does both as an administrator does, and waits until our
// controller has told so.
func (c *cluster) pauseAndResume() {
	c.t.Helper()
	for _, step := range []struct{ value, reason string }{{`"forever"`, "RebalancePaused"}, {"null", "RebalanceResumed"}} {
		told := c.told(step.reason)
		patch := fmt.Sprintf(`{"metadata":{"annotations":{%q:%s}}}`, status.PausedUntil, step.value)
		_, err := c.client.CoreV1().ConfigMaps(c.namespace).
			Patch(c.t.Context(), status.ConfigMapName, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
		c.must(err)
		c.wait(startUp, "an Event "+step.reason, func() bool { return c.told(step.reason) > told })
	}
}

// told is how often an Event was told, those counted that repeat themselves.
func (c *cluster) told(reason string) (times int32) {
	list, err := c.client.CoreV1().Events(c.namespace).List(c.t.Context(), metav1.ListOptions{FieldSelector: "reason=" + reason})
	if err != nil {
		return 0
	}
	for _, e := range list.Items {
		times += e.Count
	}
	return times
}
