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
	"k8s.io/apimachinery/pkg/runtime/schema"
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
		return answer{}, unsupported(c.content)
	}
	if err != nil {
		return answer{}, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	}
	obj := col.empty()
	if err = json.Unmarshal(patched, obj); err == nil {
		err = checkKind(col, obj)
	}
	if err != nil {
		return answer{}, apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
			field.Invalid(field.NewPath("patch"), string(c.body), err.Error()),
		})
	}
	c.seen.Sent = obj.DeepCopyObject()
	if err := c.checkName(obj); err != nil {
		return answer{}, err
	}
	return a.overwrite(col, c, old, obj)
}

func mergePatch(original, patch []byte) ([]byte, error) {
	var into, from map[string]any
	if err := errors.Join(json.Unmarshal(original, &into), json.Unmarshal(patch, &from)); err != nil {
		return nil, err
	}
	if from == nil {
		return nil, errors.New("a patch is an object")
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
