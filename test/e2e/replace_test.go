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
	"errors"
	"fmt"
	"math"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/test/install"
	"github.com/tektoncd/leases-controller/test/witness"
)

// newerManifest applies both controllers with another pod template, as kubectl
// apply does with a newer release.
func (c *cluster) newerManifest() {
	c.t.Helper()
	patch := fmt.Sprintf(`{"spec":{"template":{"metadata":{"labels":{"version":"v%d"}}}}}`, time.Now().Unix())
	for _, name := range []string{witness.TektonController, witness.LeasesController} {
		_, err := c.client.AppsV1().Deployments(c.namespace).
			Patch(c.t.Context(), name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
		c.must(err)
	}
	c.bothAvailable()
}

func (c *cluster) bothAvailable() {
	c.t.Helper()
	c.wait(startUp, "both controllers", func() bool { return c.rolledOut() && c.available(witness.LeasesController) })
}

// everythingAnew is what the Tekton Operator does: ConfigMaps, Roles and
// RoleBindings go first, so that nobody may write a lease; then the Deployments;
// then all is created anew, while the old pods still stop.
func (c *cluster) everythingAnew() {
	c.t.Helper()
	c.deleteAll()
	c.installTekton()
	c.installOurs(map[string]string{"stabilization-window": "0s"})
	c.bothAvailable()
}

// tektonAnew does so where there are none of us.
func (c *cluster) tektonAnew() {
	c.t.Helper()
	c.deleteAll()
	c.installTekton()
	c.wait(startUp, "Tekton", c.rolledOut)
}

func (c *cluster) deleteAll() {
	c.t.Helper()
	ctx, how, all := c.t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}
	c.must(errors.Join(
		c.client.CoreV1().ConfigMaps(c.namespace).DeleteCollection(ctx, how, all),
		c.client.RbacV1().Roles(c.namespace).DeleteCollection(ctx, how, all),
		c.client.RbacV1().RoleBindings(c.namespace).DeleteCollection(ctx, how, all),
		c.client.AppsV1().Deployments(c.namespace).DeleteCollection(ctx, how, all),
	))
}

func (c *cluster) installTekton() {
	c.t.Helper()
	c.setting.replicas = 2
	c.must(install.Tekton(c.t.Context(), c.cfg, c.config(c.t), c.tektonOptions()))
}

// becomeStatefulSet replaces Tekton's Deployment by a StatefulSet whose replicas
// elect.
func (c *cluster) becomeStatefulSet() {
	c.t.Helper()
	deployments := c.client.AppsV1().Deployments(c.namespace)
	d, err := deployments.Get(c.t.Context(), witness.TektonController, metav1.GetOptions{})
	c.must(err)
	c.must(deployments.Delete(c.t.Context(), d.Name, metav1.DeleteOptions{PropagationPolicy: ptr.To(metav1.DeletePropagationBackground)}))
	set, err := c.client.AppsV1().StatefulSets(c.namespace).Create(c.t.Context(), &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Name: d.Name},
		Spec: appsv1.StatefulSetSpec{
			Replicas: ptr.To[int32](2), Selector: d.Spec.Selector, ServiceName: d.Name, Template: d.Spec.Template,
		},
	}, metav1.CreateOptions{})
	c.must(err)
	c.wait(startUp, "the replicas of the StatefulSet", func() bool {
		set, err = c.client.AppsV1().StatefulSets(c.namespace).Get(c.t.Context(), d.Name, metav1.GetOptions{})
		return err == nil && set.Status.AvailableReplicas == 2 && len(c.replicas()) == 2
	})
}

// uninstall does what the README says: we go first, then what we need.
func (c *cluster) uninstall() {
	c.t.Helper()
	deployments := c.client.AppsV1().Deployments(c.namespace)
	how := metav1.DeleteOptions{PropagationPolicy: ptr.To(metav1.DeletePropagationForeground)}
	c.must(deployments.Delete(c.t.Context(), witness.LeasesController, how))
	c.wait(startUp, "our end", func() bool {
		list, err := deployments.List(c.t.Context(), metav1.ListOptions{FieldSelector: "metadata.name=" + witness.LeasesController})
		return err == nil && len(list.Items) == 0
	})
	if held := c.spread()[witness.LeasesController]; held > 0 {
		c.t.Errorf("%d leases are still held, want that all were given back", held)
	}
	c.uninstallAtOnce()
}

// uninstallAtOnce deletes all of it together.
func (c *cluster) uninstallAtOnce() {
	c.t.Helper()
	c.must(install.DeleteLeases(c.t.Context(), c.cfg, configDir, install.LeasesOptions{Namespace: c.namespace}))
}

// secondOfOurs runs another version of ours beside the one that runs, which knows
// nothing of it: it does not take part in its election.
func (c *cluster) secondOfOurs() {
	c.t.Helper()
	deployments := c.client.AppsV1().Deployments(c.namespace)
	d, err := deployments.Get(c.t.Context(), witness.LeasesController, metav1.GetOptions{})
	c.must(err)
	second := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: d.Name + "-next"}, Spec: d.Spec}
	labels := map[string]string{"app": second.Name}
	second.Spec.Selector, second.Spec.Template.Labels = metav1.SetAsLabelSelector(labels), labels
	container := &second.Spec.Template.Spec.Containers[0]
	container.Args = append(container.Args, "-disable-ha")
	_, err = deployments.Create(c.t.Context(), second, metav1.CreateOptions{})
	c.must(err)
	c.wait(startUp, "the second one", func() bool { return c.available(second.Name) })
}

// holdAsNewer holds some leases as a version of ours does whose annotation this one
// cannot read.
func (c *cluster) holdAsNewer(n int) {
	c.t.Helper()
	leases := c.client.CoordinationV1().Leases(c.namespace)
	list, err := leases.List(c.t.Context(), metav1.ListOptions{})
	c.must(err)
	for _, l := range list.Items {
		if n == 0 || !c.isBucket(l.Name) {
			continue
		}
		identity := witness.LeasesController + "_newer"
		wait := c.retryPeriod + c.renewDeadline + handover.Timing{}.Margin(0)
		l.Annotations = map[string]string{handover.Annotation: fmt.Sprintf(`{"version":2,"holder":%q,"step":"hold"}`, identity)}
		l.Spec.HolderIdentity, l.Spec.RenewTime = &identity, ptr.To(metav1.NowMicro())
		l.Spec.LeaseDurationSeconds = ptr.To(int32(math.Ceil(wait.Seconds())))
		_, err := leases.Update(c.t.Context(), &l, metav1.UpdateOptions{})
		c.must(err)
		n--
	}
}
