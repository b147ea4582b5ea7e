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
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"
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
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the namespace of the object (%s) does not match the namespace on the request (%s)",
			obj.GetNamespace(), c.Namespace))
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
		return answer{}, apierrors.NewConflict(col.resource(), c.Name,
			fmt.Errorf("Precondition failed: UID in precondition: %v, UID in object meta: %v", uid, current)) //nolint:staticcheck // the server's words
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
	if col.validate == nil {
		return nil
	}
	if errs := col.validate(obj); len(errs) > 0 {
		return apierrors.NewInvalid(col.GroupVersionKind.GroupKind(), obj.GetName(), errs)
	}
	return nil
}

// patch knows the two kinds of patch that clients of this project send: merge, and strategic merge for Events.
func (a *API) patch(col *collection, c *call) (answer, error) {
	old := col.items[types.NamespacedName{Namespace: c.Namespace, Name: c.Name}]
	if old == nil {
		return answer{}, apierrors.NewNotFound(col.resource(), c.Name)
	}
	var patched []byte
	var err error
	switch types.PatchType(c.content) {
	case types.StrategicMergePatchType:
		patched, err = strategicpatch.StrategicMergePatch(old.raw, c.body, col.empty())
	case types.MergePatchType:
		patched, err = mergePatch(old.raw, c.body)
	default:
		err = fmt.Errorf("patches of type %q are not supported", c.content)
	}
	obj := col.empty()
	if err == nil {
		err = json.Unmarshal(patched, obj)
	}
	if err != nil {
		return answer{}, apierrors.NewBadRequest(err.Error())
	}
	c.seen.Sent = obj.DeepCopyObject()
	return a.write(col, c, obj)
}

func mergePatch(original, patch []byte) ([]byte, error) {
	var into, from any
	if err := errors.Join(json.Unmarshal(original, &into), json.Unmarshal(patch, &from)); err != nil {
		return nil, err
	}
	return json.Marshal(merge(into, from))
}

// merge is RFC 7386.
func merge(into, from any) any {
	patch, ok := from.(map[string]any)
	if !ok {
		return from
	}
	merged, ok := into.(map[string]any)
	if !ok {
		merged = map[string]any{}
	}
	for key, value := range patch {
		if value == nil {
			delete(merged, key)
		} else {
			merged[key] = merge(merged[key], value)
		}
	}
	return merged
}

func (a *API) delete(col *collection, c *call) (answer, error) {
	options := &metav1.DeleteOptions{}
	if len(c.body) > 0 {
		if err := json.Unmarshal(c.body, options); err != nil {
			return answer{}, apierrors.NewBadRequest(err.Error())
		}
	}
	c.seen.Sent = options
	old := col.items[types.NamespacedName{Namespace: c.Namespace, Name: c.Name}]
	if old == nil {
		return answer{}, apierrors.NewNotFound(col.resource(), c.Name)
	}
	if err := checkPreconditions(col, old.obj, options.Preconditions); err != nil {
		return answer{}, err
	}
	if pod, ok := old.obj.(*corev1.Pod); ok && gracePeriod(pod, options) > 0 {
		e := old
		if pod.DeletionTimestamp == nil {
			e = a.store(col, old, terminating(pod, gracePeriod(pod, options)))
		}
		c.seen.After = e.obj
		return answer{code: http.StatusOK, body: e.raw}, nil
	}
	a.remove(col, old)
	c.seen.After = nil
	if col.graceful {
		return answer{code: http.StatusOK, body: old.raw}, nil
	}
	return deleted(col, old.obj), nil
}

func checkPreconditions(col *collection, obj Object, want *metav1.Preconditions) error {
	if want == nil {
		return nil
	}
	var mismatch error
	if want.UID != nil && *want.UID != obj.GetUID() {
		mismatch = fmt.Errorf("the UID in the precondition (%s) does not match the UID in record (%s). "+
			"The object might have been deleted and then recreated", *want.UID, obj.GetUID())
	} else if want.ResourceVersion != nil && *want.ResourceVersion != obj.GetResourceVersion() {
		mismatch = fmt.Errorf("the ResourceVersion in the precondition (%s) does not match the ResourceVersion in record (%s). "+
			"The object might have been modified", *want.ResourceVersion, obj.GetResourceVersion())
	}
	if mismatch == nil {
		return nil
	}
	return apierrors.NewConflict(schema.GroupResource{Group: col.Group, Resource: col.Kind}, obj.GetName(), mismatch)
}

// gracePeriod returns for how long, in seconds, a deleted pod stays: until its node has stopped it, if it has one.
func gracePeriod(pod *corev1.Pod, options *metav1.DeleteOptions) int64 {
	if pod.Spec.NodeName == "" || pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded {
		return 0
	}
	if options.GracePeriodSeconds != nil {
		return *options.GracePeriodSeconds
	}
	return ptr.Deref(pod.Spec.TerminationGracePeriodSeconds, 0)
}

func terminating(pod *corev1.Pod, grace int64) *corev1.Pod {
	pod = pod.DeepCopy()
	end := metav1.NewTime(time.Now().Add(time.Duration(grace) * time.Second))
	pod.DeletionTimestamp = ptr.To(end.Rfc3339Copy())
	pod.DeletionGracePeriodSeconds = &grace
	pod.Generation++
	return pod
}

// deleted is the Status that the server answers with; its details name the resource in the field for the kind.
func deleted(col *collection, obj Object) answer {
	body, err := json.Marshal(metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusSuccess,
		Details:  &metav1.StatusDetails{Name: obj.GetName(), Group: col.Group, Kind: col.plural, UID: obj.GetUID()},
	})
	if err != nil {
		panic(fmt.Sprintf("failed to encode a status: %v", err))
	}
	return answer{code: http.StatusOK, body: body}
}
