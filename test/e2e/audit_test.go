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
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
)

// auditPath is where a cluster of test/cluster has its audit log: beside its
// kubeconfig.
func auditPath() string {
	return filepath.Join(filepath.Dir(os.Getenv("KUBECONFIG")), "log", "audit.log")
}

// audit is the API server's audit log from a moment on.
type audit struct{ from int64 }

// openAudit notes where the log ends now. Without one the test is skipped.
func openAudit(t *testing.T) audit {
	t.Helper()
	file, err := os.Stat(auditPath())
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("this test reads the API server's audit log, and only a cluster of test/cluster has one:", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return audit{from: file.Size()}
}

// request is what the log tells of one.
type request struct {
	Verb       string
	RequestURI string
	User       struct{ Username string }
	ObjectRef  *struct{ APIGroup, Resource, Subresource, Name string }

	ResponseStatus struct {
		Code    int
		Message string
	}
}

func (r request) String() string {
	return fmt.Sprintf("%s %s: %d %s", r.Verb, r.RequestURI, r.ResponseStatus.Code, r.ResponseStatus.Message)
}

// requests are those that a user has made since.
func (a audit) requests(t *testing.T, user string) (all []request) {
	t.Helper()
	file, err := os.Open(auditPath())
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Seek(a.from, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var r request
		if json.Unmarshal(line, &r) == nil && r.User.Username == user {
			all = append(all, r)
		}
	}
	if len(all) == 0 {
		t.Fatalf("the audit log has no request of %s: that shows nothing", user)
	}
	return all
}

// denied are those that were not allowed.
func denied(all []request) (them []string) {
	for _, r := range all {
		if r.ResponseStatus.Code == http.StatusForbidden || r.ResponseStatus.Code == http.StatusUnauthorized {
			them = append(them, r.String())
		}
	}
	return them
}

// right is one verb on one resource, for one name if there is one.
type right struct{ group, resource, verb, name string }

func (r right) String() string {
	return fmt.Sprintf("%s %s.%s %s", r.verb, r.resource, r.group, r.name)
}

// rights takes the rules apart.
func rights(rules []rbacv1.PolicyRule) (all []right) {
	for _, rule := range rules {
		names := rule.ResourceNames
		if len(names) == 0 {
			names = []string{""}
		}
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, verb := range rule.Verbs {
					for _, name := range names {
						all = append(all, right{group, resource, verb, name})
					}
				}
			}
		}
	}
	return all
}

// unused are the rights without which no request would have been denied.
func unused(granted []right, all []request) (them []string) {
	for _, g := range granted {
		if !slices.ContainsFunc(all, g.allows) {
			them = append(them, g.String())
		}
	}
	return them
}

// allows tells whether it is what the request needed.
func (r right) allows(q request) bool {
	ref := q.ObjectRef
	return ref != nil && ref.Subresource == "" && r.verb == q.Verb && r.group == ref.APIGroup && r.resource == ref.Resource &&
		(r.name == "" || r.name == ref.Name)
}

// none fails the test if there are any.
func none(t *testing.T, what string, them []string) {
	t.Helper()
	slices.Sort(them)
	for _, one := range slices.Compact(them) {
		t.Errorf("%s, want none: %s", what, one)
	}
}

func TestAudit(t *testing.T) {
	var all []request
	for _, line := range []string{
		`{"verb":"get","objectRef":{"resource":"leases","apiGroup":"coordination.k8s.io","name":"a"},"responseStatus":{"code":200}}`,
		`{"verb":"update","objectRef":{"resource":"configmaps","name":"status"},"responseStatus":{"code":409}}`,
		`{"verb":"get","requestURI":"/version","responseStatus":{"code":200}}`,
		`{"verb":"list","requestURI":"/api/v1/pods","objectRef":{"resource":"pods"},"responseStatus":{"code":403,"message":"no"}}`,
	} {
		var r request
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	granted := rights([]rbacv1.PolicyRule{
		{APIGroups: []string{"coordination.k8s.io"}, Resources: []string{"leases"}, Verbs: []string{"get", "list"}},
		{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"update"}, ResourceNames: []string{"status", "other"}},
	})
	if got, want := unused(granted, all), []string{"list leases.coordination.k8s.io ", "update configmaps. other"}; !slices.Equal(got, want) {
		t.Errorf("unused: %q, want %q", got, want)
	}
	if got, want := denied(all), []string{"list /api/v1/pods: 403 no"}; !slices.Equal(got, want) {
		t.Errorf("denied: %q, want %q", got, want)
	}
}
