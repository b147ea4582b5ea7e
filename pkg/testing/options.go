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

package testing

import (
	"fmt"
	"net/url"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// selector is which objects of a collection a list or watch wants.
type selector struct {
	namespace string
	labels    labels.Selector
	fields    fields.Selector
}

func (c *call) selector() (selector, error) {
	s := selector{namespace: c.Namespace}
	var err error
	if s.labels, err = labels.Parse(c.query.Get("labelSelector")); err != nil {
		return s, apierrors.NewBadRequest(err.Error())
	}
	s.fields, err = fields.ParseAndTransformSelector(c.query.Get("fieldSelector"), func(name, value string) (string, string, error) {
		if name != "metadata.name" && name != "metadata.namespace" {
			return "", "", fmt.Errorf("field label not supported: %s", name)
		}
		return name, value, nil
	})
	if err != nil {
		return s, apierrors.NewBadRequest(err.Error())
	}
	return s, nil
}

func (s selector) matches(e *entry) bool {
	return e != nil &&
		(s.namespace == "" || s.namespace == e.obj.GetNamespace()) &&
		s.labels.Matches(labels.Set(e.obj.GetLabels())) &&
		s.fields.Matches(fields.Set{"metadata.name": e.obj.GetName(), "metadata.namespace": e.obj.GetNamespace()})
}

// checkOptions tells whether the options of a list or watch go together, by the rules of the real server.
func checkOptions(query url.Values, watch bool) error {
	const unset = ""
	path := field.NewPath("resourceVersionMatch")
	match, initial := metav1.ResourceVersionMatch(query.Get("resourceVersionMatch")), query.Get("sendInitialEvents")
	var errs field.ErrorList
	if initial != unset && !watch {
		errs = append(errs, field.Forbidden(field.NewPath("sendInitialEvents"), "sendInitialEvents is forbidden for list"))
	}
	if initial != unset && watch && match != metav1.ResourceVersionMatchNotOlderThan {
		errs = append(errs, field.Forbidden(path, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"))
	}
	if match != unset {
		if watch && initial == unset {
			errs = append(errs, field.Forbidden(path, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"))
		}
		if !watch && query.Get("resourceVersion") == unset {
			errs = append(errs, field.Forbidden(path, "resourceVersionMatch is forbidden unless resourceVersion is provided"))
		}
		if match != metav1.ResourceVersionMatchNotOlderThan && (watch || match != metav1.ResourceVersionMatchExact) {
			errs = append(errs, field.NotSupported(path, match, []metav1.ResourceVersionMatch{metav1.ResourceVersionMatchNotOlderThan}))
		}
	}
	if len(errs) > 0 {
		return apierrors.NewInvalid(schema.GroupKind{Group: metav1.GroupName, Kind: "ListOptions"}, "", errs)
	}
	return nil
}

// parseVersion reads a resourceVersion; none is 0, which no object has.
func parseVersion(version string) (int64, error) {
	if version == "" {
		return 0, nil
	}
	parsed, err := strconv.ParseUint(version, 10, 63)
	if err != nil {
		return 0, field.Invalid(field.NewPath("resourceVersion"), version, err.Error())
	}
	return int64(parsed), nil
}
