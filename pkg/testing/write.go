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
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// read decodes the object that a call carries and makes its name and namespace those of the URL.
func (c *call) read(col *collection) (Object, error) {
	obj := col.empty()
	if c.content != runtime.ContentTypeJSON {
		return nil, unsupported(c.content)
	}
	if err := json.Unmarshal(c.body, obj); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if err := checkKind(col, obj); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	c.seen.Sent = obj.DeepCopyObject()
	return obj, c.checkName(obj)
}

// checkKind tells whether an object is what it says, if it says what it is.
func checkKind(col *collection, obj Object) error {
	says := obj.GetObjectKind().GroupVersionKind()
	if !says.Empty() && says != col.GroupVersionKind {
		return fmt.Errorf("%s was sent where %s is expected", says, col.GroupVersionKind)
	}
	return nil
}

// checkName tells whether an object is the one that the URL names, and fills in the namespace.
func (c *call) checkName(obj Object) error {
	if obj.GetNamespace() == "" {
		obj.SetNamespace(c.Namespace)
	}
	if obj.GetNamespace() != c.Namespace {
		return apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	if c.Name != "" && obj.GetName() != c.Name {
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)",
			obj.GetName(), c.Name))
	}
	return nil
}

func (a *API) create(col *collection, c *call) (answer, error) {
	obj, err := c.read(col)
	if err != nil {
		return answer{}, err
	}
	c.Name, c.seen.Name = obj.GetName(), obj.GetName()
	old := col.items[keyOf(obj)]
	if old != nil {
		c.seen.Before, c.seen.After = old.obj, old.obj
	}
	version := obj.GetResourceVersion()
	if err := col.prepareCreate(obj); err != nil {
		return answer{}, err
	}
	// One that is no number counts as none.
	if number, err := parseVersion(version); err == nil && number != 0 {
		return answer{}, errors.New("resourceVersion should not be set on objects to be created")
	}
	if old != nil {
		return answer{}, apierrors.NewAlreadyExists(col.resource(), obj.GetName())
	}
	return a.insert(col, c, obj), nil
}

func (a *API) insert(col *collection, c *call, obj Object) answer {
	a.fillSystemFields(obj)
	e := a.store(col, nil, obj)
	c.seen.After = e.obj
	return answer{code: http.StatusCreated, body: e.raw}
}

// update stores what was sent over what is there, if the UID in it allows that.
func (a *API) update(col *collection, c *call) (answer, error) {
	obj, err := c.read(col)
	if err != nil {
		return answer{}, err
	}
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
	if old != nil {
		return a.overwrite(col, c, old, obj)
	}
	if _, err := parseVersion(obj.GetResourceVersion()); err != nil {
		return answer{}, err
	}
	if err := col.prepareCreate(obj); err != nil {
		return answer{}, err
	}
	return a.insert(col, c, obj), nil
}

// overwrite makes obj the next state of old, if the version in it allows that.
func (a *API) overwrite(col *collection, c *call, old *entry, obj Object) (answer, error) {
	if err := checkVersion(col, old.obj, obj); err != nil {
		return answer{}, err
	}
	if err := col.prepareUpdate(old.obj, obj, c.Subresource); err != nil {
		return answer{}, err
	}
	if bytes.Equal(encode(col.kind, obj), old.raw) {
		return answer{code: http.StatusOK, body: old.raw}, nil
	}
	e := a.store(col, old, obj)
	c.seen.After = e.obj
	return answer{code: http.StatusOK, body: e.raw}, nil
}

// checkVersion tells whether obj was made from old. Where it does not say from which version, it was if its kind may be
// overwritten so.
func checkVersion(col *collection, old, obj Object) error {
	version, err := parseVersion(obj.GetResourceVersion())
	if err != nil {
		return err
	}
	if version == 0 && !col.unconditional {
		return apierrors.NewInvalid(schema.GroupKind{Group: col.Group, Kind: col.plural}, obj.GetName(), field.ErrorList{
			field.Invalid(field.NewPath("metadata", "resourceVersion"), 0, "must be specified for an update"),
		})
	}
	if version != 0 && strconv.FormatInt(version, 10) != old.GetResourceVersion() {
		return apierrors.NewConflict(col.resource(), obj.GetName(),
			errors.New("the object has been modified; please apply your changes to the latest version and try again"))
	}
	return nil
}
