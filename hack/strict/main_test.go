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

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

const root = "../.."

func shippedRole(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, roleFile))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func generated(t *testing.T, what, namespace string, prefixes ...string) []byte {
	t.Helper()
	text, err := generate(shippedRole(t), what, namespace, prefixes)
	if err != nil {
		t.Fatalf("failed to generate %s: %v", what, err)
	}
	return text
}

// TestCommitted: the manifests that are committed are what is generated now.
func TestCommitted(t *testing.T) {
	for _, what := range []string{"role", "policy"} {
		file := filepath.Join("config", "strict", what+".yaml")
		got, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(generated(t, what, "tekton-pipelines")) {
			t.Errorf("%s is out of date: go run ./hack/strict %s > %[1]s", file, what)
		}
	}
}

// TestRole: together the rules grant what the shipped Role does, but no change of
// a lease without its name.
func TestRole(t *testing.T) {
	const prefix = "component.queue"
	var shipped, strict rbacv1.Role
	if err := yaml.UnmarshalStrict(shippedRole(t), &shipped); err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(generated(t, "role", "elsewhere", prefix), &strict); err != nil {
		t.Fatal(err)
	}
	if strict.Namespace != "elsewhere" || strict.Name != shipped.Name || len(strict.Rules) != len(shipped.Rules)+1 {
		t.Fatalf("got Role %s in %s with %d rules", strict.Name, strict.Namespace, len(strict.Rules))
	}
	free, named := strict.Rules[0], strict.Rules[1]
	if got, want := strings.Join(free.Verbs, " "), "get list watch create"; got != want || len(free.ResourceNames) > 0 {
		t.Errorf("verbs for all leases: %s of %v, want %s", got, free.ResourceNames, want)
	}
	if got, want := strings.Join(named.Verbs, " "), "update delete"; got != want {
		t.Errorf("verbs by name: %s, want %s", got, want)
	}
	const names = 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 1
	for _, want := range []string{prefix + ".00-of-01", prefix + ".09-of-10", own()} {
		if len(named.ResourceNames) != names || !slices.Contains(named.ResourceNames, want) {
			t.Errorf("%d names, want %d with %s", len(named.ResourceNames), names, want)
		}
	}
	for _, lease := range named.ResourceNames {
		if _, _, err := bucket.Parse(lease); err != nil {
			t.Error(err)
		}
	}
}

func TestPolicy(t *testing.T) {
	policyText, bindingText, two := strings.Cut(string(generated(t, "policy", "elsewhere", "a.b", "c")), "\n---\n")
	var policy admissionv1.ValidatingAdmissionPolicy
	var binding admissionv1.ValidatingAdmissionPolicyBinding
	if err := yaml.UnmarshalStrict([]byte(policyText), &policy); err != nil || !two {
		t.Fatal(err, two)
	}
	if err := yaml.UnmarshalStrict([]byte(bindingText), &binding); err != nil {
		t.Fatal(err)
	}
	if policy.Name != "tekton-leases-controller.elsewhere" || binding.Spec.PolicyName != policy.Name {
		t.Errorf("binding of policy %q, want %q, one for each namespace", binding.Spec.PolicyName, policy.Name)
	}
	if got, want := policy.Spec.MatchConditions[0].Expression, "request.userInfo.username == 'system:serviceaccount:elsewhere:"+name+"'"; got != want {
		t.Errorf("it is for %s, want %s", got, want)
	}
	if got, want := policy.Spec.Variables[1].Expression, "['a.b',\n 'c']"; got != want {
		t.Errorf("queues %s, want %s", got, want)
	}
}

func TestRefused(t *testing.T) {
	for what, tc := range map[string]struct {
		manifest, prefix, want string
	}{
		"a webhook":         {"role", "tekton-pipelines-webhook.x", "webhook"},
		"no prefix":         {"policy", "A_b", "no prefix"},
		"an end of a quote": {"policy", "a' || true || '", "no prefix"},
		"another manifest":  {"roles", "a.b", "neither role nor policy"},
	} {
		t.Run(what, func(t *testing.T) {
			if text, err := generate(shippedRole(t), tc.manifest, "elsewhere", []string{tc.prefix}); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %d bytes, %v, want an error with %q", len(text), err, tc.want)
			}
		})
	}
}
