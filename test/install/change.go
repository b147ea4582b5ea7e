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

package install

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const (
	tektonElection    = "config-leader-election-controller"
	eventsElection    = "config-leader-election-events"
	resolversElection = "config-leader-election-resolvers"
	chainsElection    = "tekton-chains-config-leader-election"
	ownElection       = "config-leader-election-leases"
)

// files are those that are applied.
func (o TektonOptions) files() []string {
	files := tektonFiles
	if o.Events {
		files = slices.Concat(files, eventsFiles)
	}
	if o.Resolvers {
		files = slices.Concat(files, resolversFiles)
	}
	return files
}

// elections are the ConfigMaps that the installed controllers read their election from.
func (o TektonOptions) elections() []string {
	elections := []string{tektonElection, chainsElection}
	if o.Events {
		elections = append(elections, eventsElection)
	}
	if o.Resolvers {
		elections = append(elections, resolversElection)
	}
	return elections
}

// change makes Tekton's object what the options ask for.
func (o TektonOptions) change(object *unstructured.Unstructured) error {
	if err := moveTo(object, o.Namespace); err != nil {
		return err
	}
	switch {
	case object.GetKind() == "CustomResourceDefinition":
		unstructured.RemoveNestedField(object.Object, "spec", "conversion")
		return nil
	case object.GetKind() == "Deployment":
		return errors.Join(setReplicas(object, o.Replicas), o.setContainers(object))
	case object.GetKind() == "ConfigMap" && slices.Contains(o.elections(), object.GetName()):
		return setData(object, o.Election())
	}
	return nil
}

// Election returns the keys as knative.dev/pkg's leader election reads them.
func (o TektonOptions) Election() map[string]string {
	data := map[string]string{}
	if o.Buckets != 0 {
		data["buckets"] = strconv.Itoa(o.Buckets)
	}
	for key, value := range map[string]time.Duration{
		"lease-duration": o.LeaseDuration, "renew-deadline": o.RenewDeadline, "retry-period": o.RetryPeriod,
	} {
		if value != 0 {
			data[key] = value.String()
		}
	}
	return data
}

// change makes our object what the options ask for.
func (o LeasesOptions) change(object *unstructured.Unstructured) error {
	if err := moveTo(object, o.Namespace); err != nil {
		return err
	}
	switch {
	case object.GetKind() == "Deployment":
		return setReplicas(object, o.Replicas)
	case object.GetKind() == "ConfigMap" && object.GetName() == ownElection:
		return setData(object, o.Data)
	}
	return nil
}

// moveTo puts the object into another namespace, and lets bindings be about the
// ServiceAccounts that are there. What has no namespace is shared, apart from the
// bindings, which get a name of their own.
func moveTo(object *unstructured.Unstructured, namespace string) error {
	switch {
	case namespace == "" || namespace == Namespace:
		return nil
	case object.GetKind() == "Namespace":
		object.SetName(namespace)
	case object.GetKind() == "ClusterRoleBinding":
		object.SetName(object.GetName() + "-" + namespace)
	case object.GetNamespace() != "":
		object.SetNamespace(namespace)
	}
	subjects, found, err := unstructured.NestedSlice(object.Object, "subjects")
	if err != nil || !found {
		return err
	}
	for _, s := range subjects {
		if subject, ok := s.(map[string]any); ok && subject["kind"] == "ServiceAccount" {
			subject["namespace"] = namespace
		}
	}
	return unstructured.SetNestedSlice(object.Object, subjects, "subjects")
}

func setReplicas(object *unstructured.Unstructured, replicas int) error {
	if replicas == 0 {
		return nil
	}
	return unstructured.SetNestedField(object.Object, int64(replicas), "spec", "replicas")
}

// setContainers lets each container run the program of its image, without
// another one around it, in the version and with the further arguments asked for.
func (o TektonOptions) setContainers(object *unstructured.Unstructured) error {
	containers, found, err := unstructured.NestedSlice(object.Object, "spec", "template", "spec", "containers")
	if err != nil || !found {
		return err
	}
	for _, c := range containers {
		container, ok := c.(map[string]any)
		if !ok {
			continue
		}
		delete(container, "command")
		if image, ok := container["image"].(string); ok && o.Version != "" {
			container["image"] = image + "@" + o.Version
		}
		args, _ := container["args"].([]any)
		for _, arg := range o.Args {
			args = append(args, arg)
		}
		if len(args) > 0 {
			container["args"] = args
		}
	}
	return unstructured.SetNestedSlice(object.Object, containers, "spec", "template", "spec", "containers")
}

func setData(object *unstructured.Unstructured, keys map[string]string) error {
	data, _, err := unstructured.NestedStringMap(object.Object, "data")
	if err != nil {
		return fmt.Errorf("failed to read the data of ConfigMap %s: %w", object.GetName(), err)
	}
	if data == nil {
		data = map[string]string{}
	}
	maps.Copy(data, keys)
	return unstructured.SetNestedStringMap(object.Object, data, "data")
}
