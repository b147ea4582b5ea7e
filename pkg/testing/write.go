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
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// read decodes the object that a call carries and makes its name and namespace those of the URL.
func (c *call) read(col *collection) (Object, error) {
	obj := col.empty()
	if c.content != runtime.ContentTypeJSON {
		return nil, apierrors.NewGenericServerResponse(http.StatusUnsupportedMediaType, c.Verb, col.resource(), c.Name,
			fmt.Sprintf("%q: this API speaks JSON only", c.content), 0, true)
	}
	if err := json.Unmarshal(c.body, obj); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	c.seen.Sent = obj.DeepCopyObject()
	if obj.GetNamespace() == "" {
		obj.SetNamespace(c.Namespace)
	}
	if obj.GetNamespace() != c.Namespace {
		return nil, apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	if c.Name != "" && obj.GetName() != c.Name {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)",
			obj.GetName(), c.Name))
	}
	return obj, nil
}

func (a *API) create(col *collection, c *call) (answer, error) {
	obj, err := c.read(col)
	if err != nil {
		return answer{}, err
	}
	c.Name, c.seen.Name = obj.GetName(), obj.GetName()
	if obj.GetResourceVersion() != "" {
		return answer{}, errors.New("resourceVersion should not be set on objects to be created")
	}
	if e := col.items[keyOf(obj)]; e != nil {
		c.seen.Before, c.seen.After = e.obj, e.obj
		return answer{}, apierrors.NewAlreadyExists(col.resource(), obj.GetName())
	}
	return a.insert(col, c, obj)
}

func (a *API) insert(col *collection, c *call, obj Object) (answer, error) {
	obj.SetUID("")
	obj.SetCreationTimestamp(metav1.Time{})
	col.prepareCreate(obj)
	if err := invalid(col, obj); err != nil {
		return answer{}, err
	}
	a.fillSystemFields(obj)
	e := a.store(col, nil, obj)
	c.seen.After = e.obj
	return answer{code: http.StatusCreated, body: e.raw}, nil
}

func (a *API) update(col *collection, c *call) (answer, error) {
	obj, err := c.read(col)
	if err != nil {
		return answer{}, err
	}
	return a.write(col, c, obj)
}

// write stores obj over what is there, if the versions in it allow that.
func (a *API) write(col *collection, c *call, obj Object) (answer, error) {
	old := col.items[keyOf(obj)]
	if old == nil && !col.createOnUpdate {
		return answer{}, apierrors.NewNotFound(col.resource(), c.Name)
	}
	var current types.UID
	if old != nil {
		current = old.obj.GetUID()
	}
	if uid := obj.GetUID(); uid != "" && uid != current {
		return answer{}, apierrors.NewConflict(col.resource(), c.Name, fmt.Errorf(
			"StorageError: invalid object, Code: 4, Key: /registry/%s/%s, ResourceVersion: 0, AdditionalErrorMsg: "+
				"Precondition failed: UID in precondition: %v, UID in object meta: %v", col.plural, keyOf(obj), uid, current))
	}
	if old == nil {
		return a.insert(col, c, obj)
	}
	if err := checkVersion(col, old.obj, obj); err != nil {
		return answer{}, err
	}
	obj = col.prepareUpdate(old.obj, obj, c.Subresource)
	if err := invalid(col, obj); err != nil {
		return answer{}, err
	}
	obj.SetResourceVersion(old.obj.GetResourceVersion())
	if bytes.Equal(encode(col.kind, obj), old.raw) {
		return answer{code: http.StatusOK, body: old.raw}, nil
	}
	e := a.store(col, old, obj)
	c.seen.After = e.obj
	return answer{code: http.StatusOK, body: e.raw}, nil
}

func checkVersion(col *collection, old, obj Object) error {
	version := obj.GetResourceVersion()
	if _, err := strconv.ParseUint(version, 10, 64); version != "" && err != nil {
		return err
	}
	if version == "" && !col.unconditional {
		return apierrors.NewInvalid(schema.GroupKind{Group: col.Group, Kind: col.plural}, obj.GetName(), field.ErrorList{
			field.Invalid(field.NewPath("metadata", "resourceVersion"), 0, "must be specified for an update"),
		})
	}
	if version != "" && version != old.GetResourceVersion() {
		return apierrors.NewConflict(col.resource(), obj.GetName(),
			errors.New("the object has been modified; please apply your changes to the latest version and try again"))
	}
	return nil
}

func invalid(col *collection, obj Object) error {
	var errs field.ErrorList
	name := field.NewPath("metadata", "name")
	if obj.GetName() == "" {
		errs = append(errs, field.Required(name, "name or generateName is required"))
	} else {
		for _, text := range validation.NameIsDNSSubdomain(obj.GetName(), false) {
			errs = append(errs, field.Invalid(name, obj.GetName(), text))
		}
	}
	if col.validate != nil {
		errs = append(errs, col.validate(obj)...)
	}
	if len(errs) > 0 {
		return apierrors.NewInvalid(col.GroupVersionKind.GroupKind(), obj.GetName(), errs)
	}
	return nil
}
