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
	"context"
	"fmt"
	"slices"
	"time"

	apierrs "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// fieldManager owns the fields that we apply. It is not kubectl's, so that
// somebody who tries something by hand in the same cluster sees who set what.
const fieldManager = "leases-controller-tests"

const (
	establishTimeout  = 30 * time.Second
	establishInterval = 200 * time.Millisecond
)

// cluster is where objects go.
type cluster struct {
	client dynamic.Interface
	mapper meta.RESTMapper
}

func newCluster(cfg *rest.Config) (*cluster, error) {
	// Client-side throttling would make the installation take 20 s.
	cfg = rest.CopyConfig(cfg)
	cfg.QPS = -1
	client, err := dynamic.NewForConfig(cfg)
	if err != nil {
		return nil, fmt.Errorf("failed to make a client: %w", err)
	}
	found, err := discovery.NewDiscoveryClientForConfig(cfg)
	if err != nil {
		return nil, fmt.Errorf("failed to make a discovery client: %w", err)
	}
	return &cluster{client: client, mapper: restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(found))}, nil
}

// install changes and applies all objects, one after the other.
func (c *cluster) install(ctx context.Context, dir string, files []string, change func(*unstructured.Unstructured) error) error {
	objects, err := read(dir, files)
	if err != nil {
		return err
	}
	for _, object := range objects {
		if err := change(object); err != nil {
			return fmt.Errorf("failed to change %s: %w", describe(object), err)
		}
		if err := c.apply(ctx, object); err != nil {
			return fmt.Errorf("failed to apply %s: %w", describe(object), err)
		}
	}
	return nil
}

// apply writes one object. A CRD is waited for, because a controller that
// finds its resource missing exits.
func (c *cluster) apply(ctx context.Context, object *unstructured.Unstructured) error {
	resource, err := c.resource(object)
	if err != nil {
		return err
	}
	options := metav1.ApplyOptions{FieldManager: fieldManager, Force: true}
	if _, err := resource.Apply(ctx, object.GetName(), object, options); err != nil {
		return err
	}
	if object.GetKind() != "CustomResourceDefinition" {
		return nil
	}
	return wait.PollUntilContextTimeout(ctx, establishInterval, establishTimeout, true, func(ctx context.Context) (bool, error) {
		crd, err := resource.Get(ctx, object.GetName(), metav1.GetOptions{})
		return err == nil && established(crd), err
	})
}

// remove deletes the objects that install applied, the last one first.
func (c *cluster) remove(ctx context.Context, dir string, files []string, change func(*unstructured.Unstructured) error) error {
	objects, err := read(dir, files)
	if err != nil {
		return err
	}
	for _, object := range slices.Backward(objects) {
		if err := change(object); err != nil {
			return fmt.Errorf("failed to change %s: %w", describe(object), err)
		}
		resource, err := c.resource(object)
		if err != nil {
			return err
		}
		err = resource.Delete(ctx, object.GetName(), metav1.DeleteOptions{})
		if err != nil && !apierrs.IsNotFound(err) {
			return fmt.Errorf("failed to delete %s: %w", describe(object), err)
		}
	}
	return nil
}

func (c *cluster) resource(object *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	kind := object.GroupVersionKind()
	mapping, err := c.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return nil, fmt.Errorf("failed to find the resource of %s: %w", describe(object), err)
	}
	resource := c.client.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameRoot {
		return resource, nil
	}
	return resource.Namespace(object.GetNamespace()), nil
}

func established(crd *unstructured.Unstructured) bool {
	conditions, _, _ := unstructured.NestedSlice(crd.Object, "status", "conditions")
	return slices.ContainsFunc(conditions, func(condition any) bool {
		fields, ok := condition.(map[string]any)
		return ok && fields["type"] == "Established" && fields["status"] == "True"
	})
}

func describe(object *unstructured.Unstructured) string {
	return fmt.Sprintf("%s %s", object.GetKind(), object.GetName())
}
