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
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/tektoncd/leases-controller/pkg/status"
	"github.com/tektoncd/leases-controller/test/witness"
)

// strict makes a manifest as an administrator does, for the namespace, and reads
// its objects.
func (c *cluster) strict(what string, objects ...any) {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), "go", "run", "./hack/strict", "-n", c.namespace, what)
	cmd.Dir = filepath.Join("..", "..")
	text, err := cmd.Output()
	c.must(err)
	documents := bytes.Split(text, []byte("\n---\n"))
	if len(documents) != len(objects) {
		c.t.Fatalf("%s has %d objects, want %d", what, len(documents), len(objects))
	}
	for i, object := range objects {
		c.must(yaml.UnmarshalStrict(documents[i], object))
	}
}

// strictRole replaces the Role by the strict one.
func (c *cluster) strictRole() {
	c.t.Helper()
	var role rbacv1.Role
	c.strict("role", &role)
	_, err := c.client.RbacV1().Roles(c.namespace).Update(c.t.Context(), &role, metav1.UpdateOptions{})
	c.must(err)
}

// policy has the policy in force until the test ends.
func (c *cluster) policy() {
	c.t.Helper()
	var policy admissionv1.ValidatingAdmissionPolicy
	var binding admissionv1.ValidatingAdmissionPolicyBinding
	c.strict("policy", &policy, &binding)
	policies := c.client.AdmissionregistrationV1().ValidatingAdmissionPolicies()
	bindings := c.client.AdmissionregistrationV1().ValidatingAdmissionPolicyBindings()
	_, err := policies.Create(c.t.Context(), &policy, metav1.CreateOptions{})
	c.must(err)
	_, err = bindings.Create(c.t.Context(), &binding, metav1.CreateOptions{})
	c.must(err)
	c.t.Cleanup(func() {
		ctx := context.WithoutCancel(c.t.Context())
		c.must(bindings.Delete(ctx, binding.Name, metav1.DeleteOptions{}))
		c.must(policies.Delete(ctx, policy.Name, metav1.DeleteOptions{}))
	})
	c.wait(startUp, "the policy to be in force", func() bool {
		return c.as(c.namespace).create("any.00-of-01") != nil
	})
}

// pretender makes calls with the rights of our ServiceAccount that are not carried
// out.
type pretender struct {
	t         *testing.T
	client    kubernetes.Interface
	namespace string
}

func (c *cluster) as(namespace string) pretender {
	cfg := rest.CopyConfig(c.cfg)
	cfg.Impersonate = rest.ImpersonationConfig{
		UserName: "system:serviceaccount:" + c.namespace + ":" + witness.LeasesController,
		Groups:   []string{"system:serviceaccounts", "system:serviceaccounts:" + c.namespace, "system:authenticated"},
	}
	return pretender{c.t, kubernetes.NewForConfigOrDie(cfg), namespace}
}

var dryRun = []string{metav1.DryRunAll}

func (p pretender) create(lease string) error {
	_, err := p.client.CoordinationV1().Leases(p.namespace).
		Create(p.t.Context(), &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: lease}}, metav1.CreateOptions{DryRun: dryRun})
	return err
}

func (p pretender) update(lease string) error {
	leases := p.client.CoordinationV1().Leases(p.namespace)
	l, err := leases.Get(p.t.Context(), lease, metav1.GetOptions{})
	if err == nil {
		_, err = leases.Update(p.t.Context(), l, metav1.UpdateOptions{DryRun: dryRun})
	}
	return err
}

func (p pretender) remove(lease string) error {
	return p.client.CoordinationV1().Leases(p.namespace).Delete(p.t.Context(), lease, metav1.DeleteOptions{DryRun: dryRun})
}

func (p pretender) createConfigMap(name string) error {
	_, err := p.client.CoreV1().ConfigMaps(p.namespace).
		Create(p.t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{DryRun: dryRun})
	return err
}

// What refuses a write, in its own words.
const (
	byPolicy    = "may write only leases of the queues that it manages, and its own"
	byMapPolicy = "may write only the ConfigMap " + status.ConfigMapName
	byRBAC      = "cannot"
)

// refused fails the test if a call was not refused with these words.
func (c *cluster) refused(what string, err error, words string) {
	c.t.Helper()
	if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), words) {
		c.t.Errorf("%s: got %v, want that it is forbidden: %q", what, err, words)
	}
}

// foreignLease is one that our controller must not touch, in its own namespace.
func (c *cluster) foreignLease() string {
	c.t.Helper()
	lease, err := c.client.CoordinationV1().Leases(c.namespace).Create(c.t.Context(), &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: "tekton-pipelines-webhook.configmapwebhook.00-of-01"},
	}, metav1.CreateOptions{})
	c.must(err)
	return lease.Name
}

// onlyItsOwn has the policy beside the Role as it is shipped, then the strict Role
// as well: what is managed can be written, nothing else.
func (c *cluster) onlyItsOwn() {
	c.t.Helper()
	foreign, ours := c.foreignLease(), c.as(c.namespace)
	c.must(ours.update(foreign)) // which the Role cannot prevent
	c.must(ours.createConfigMap("any"))
	c.policy()
	c.refused("update of a foreign lease", ours.update(foreign), byPolicy)
	c.refused("deletion of a foreign lease", ours.remove(foreign), byPolicy)
	c.refused("creation of a foreign lease", ours.create("tekton-pipelines-webhook.other.00-of-01"), byPolicy)
	c.refused("creation of a lease with a longer name", ours.create(c.anyBucket()+"0"), byPolicy)
	c.refused("creation of a ConfigMap", ours.createConfigMap("any"), byMapPolicy)
	c.strictRole()
	c.wait(startUp, "the strict Role", func() bool { return strings.Contains(message(ours.update(foreign)), byRBAC) })
	c.refused("deletion of a foreign lease", ours.remove(foreign), byRBAC)
	c.refused("creation of a foreign lease", ours.create("tekton-pipelines-webhook.other.00-of-01"), byPolicy)
	c.refused("creation of another namespace's lease", c.as("kube-system").create(c.anyBucket()), byRBAC)
	for _, r := range c.granted(witness.LeasesController) {
		if r.resource == "leases" && r.verb == "update" {
			if err := ours.create(r.name); err != nil && !apierrors.IsAlreadyExists(err) {
				c.t.Errorf("creation of lease %s: %v", r.name, err)
			}
		}
	}
	for lease := range c.holders() {
		c.must(ours.update(lease))
		c.must(ours.remove(lease))
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// anyBucket is the name of a lease of Tekton's.
func (c *cluster) anyBucket() string {
	c.t.Helper()
	for lease := range c.holders() {
		return lease
	}
	c.t.Fatal("there is no lease")
	return ""
}
