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
	"encoding/json"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

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
		return answer{}, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	}
	c.seen.Sent = obj.DeepCopyObject()
	if uid := obj.GetUID(); uid != old.obj.GetUID() {
		return answer{}, apierrors.NewInvalid(col.GroupVersionKind.GroupKind(), c.Name, field.ErrorList{
			field.Invalid(field.NewPath("metadata", "uid"), uid, "field is immutable"),
		})
	}
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
