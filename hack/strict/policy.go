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
	"fmt"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/status"
)

// policyName is that of the policy and its binding, which belong to the whole
// cluster: there is one for each namespace that has a leases controller.
func policyName(namespace string) string { return name + "." + namespace }

var labels = map[string]string{
	"app.kubernetes.io/name":      "leases-controller",
	"app.kubernetes.io/component": "leases-controller",
	"app.kubernetes.io/instance":  "default",
	"app.kubernetes.io/part-of":   "tekton-pipelines",
}

// policy lets the leases controller write only the leases of the queues, and that
// of its own election; and, which RBAC cannot say of what is created, only the
// ConfigMap of its status.
func policy(namespace string, prefixes []string) *admissionv1.ValidatingAdmissionPolicy {
	all := []admissionv1.OperationType{admissionv1.Create, admissionv1.Update, admissionv1.Delete}
	return &admissionv1.ValidatingAdmissionPolicy{
		TypeMeta:   metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "ValidatingAdmissionPolicy"},
		ObjectMeta: metav1.ObjectMeta{Name: policyName(namespace), Labels: labels},
		Spec: admissionv1.ValidatingAdmissionPolicySpec{
			FailurePolicy: ptr.To(admissionv1.Fail),
			MatchConstraints: &admissionv1.MatchResources{ResourceRules: []admissionv1.NamedRuleWithOperations{
				rule("coordination.k8s.io", "leases", all), rule("", "configmaps", all),
			}},
			MatchConditions: []admissionv1.MatchCondition{{
				Name:       "is-the-leases-controller",
				Expression: fmt.Sprintf("request.userInfo.username == 'system:serviceaccount:%s:%s'", namespace, name),
			}},
			Variables: []admissionv1.Variable{
				{Name: "name", Expression: "request.operation == 'DELETE' ? oldObject.metadata.name : object.metadata.name"},
				{Name: "queues", Expression: "['" + strings.Join(prefixes, "',\n '") + "']"},
				{Name: "managed", Expression: fmt.Sprintf("variables.name == '%s' ||\n"+
					"variables.queues.exists(q, variables.name.startsWith(q) &&\n"+
					`  variables.name.substring(size(q)).matches('^[.]0[0-9]-of-(0[1-9]|10)$'))`, own())},
			},
			Validations: []admissionv1.Validation{
				refuse(fmt.Sprintf("request.namespace == '%s'", namespace),
					fmt.Sprintf("'%s may write nothing outside of its namespace, %s'", name, namespace)),
				refuse("request.resource.resource != 'leases' || variables.managed",
					fmt.Sprintf("'%s may write only leases of the queues that it manages, and its own: ' + variables.name + ' is none of them'", name)),
				refuse(fmt.Sprintf("request.resource.resource != 'configmaps' || variables.name == '%s'", status.ConfigMapName),
					fmt.Sprintf("'%s may write only the ConfigMap %s: not ' + variables.name", name, status.ConfigMapName)),
			},
		},
	}
}

func rule(group, resource string, operations []admissionv1.OperationType) admissionv1.NamedRuleWithOperations {
	r := admissionv1.NamedRuleWithOperations{}
	r.APIGroups, r.APIVersions, r.Resources, r.Operations = []string{group}, []string{"*"}, []string{resource}, operations
	return r
}

// refuse is answered as RBAC answers, with a message of its own.
func refuse(unless, message string) admissionv1.Validation {
	return admissionv1.Validation{Expression: unless, MessageExpression: message, Reason: ptr.To(metav1.StatusReasonForbidden)}
}

func binding(namespace string) *admissionv1.ValidatingAdmissionPolicyBinding {
	return &admissionv1.ValidatingAdmissionPolicyBinding{
		TypeMeta:   metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "ValidatingAdmissionPolicyBinding"},
		ObjectMeta: metav1.ObjectMeta{Name: policyName(namespace), Labels: labels},
		Spec: admissionv1.ValidatingAdmissionPolicyBindingSpec{
			PolicyName:        policyName(namespace),
			ValidationActions: []admissionv1.ValidationAction{admissionv1.Deny},
		},
	}
}
