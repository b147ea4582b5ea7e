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

package node

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
)

// firstPodIP is the network address of the pods, each of which takes one further address.
var firstPodIP = netip.MustParseAddr("10.244.0.0")

// kubelet runs the pods that are bound to the node.
type kubelet struct {
	config
	client   kubernetes.Interface
	recorder record.EventRecorder

	mu     sync.Mutex
	pods   map[types.UID]*pod
	lastIP netip.Addr
}

func newKubelet(c config, client kubernetes.Interface) (*kubelet, error) {
	k := &kubelet{config: c, client: client, pods: map[types.UID]*pod{}, lastIP: firstPodIP}
	for _, dir := range []string{k.rootDir(), k.volumesDir()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("failed to make a directory: %w", err)
		}
	}
	events := record.NewBroadcaster()
	events.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events(metav1.NamespaceAll)})
	k.recorder = events.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "kubelet", Host: Name})
	return k, nil
}

// rootDir is the mount point of the containers' root directories, each in its own mount namespace.
func (k *kubelet) rootDir() string { return filepath.Join(k.dir, "run", "root") }

// volumesDir is in memory, and only this cluster sees it.
func (k *kubelet) volumesDir() string { return filepath.Join(k.dir, "run", "volumes") }

// watch follows the pods that the scheduler binds to this node.
func (k *kubelet) watch(ctx context.Context) error {
	factory := informers.NewSharedInformerFactoryWithOptions(k.client, 0,
		informers.WithTweakListOptions(func(o *metav1.ListOptions) {
			o.FieldSelector = fields.OneTermEqualSelector("spec.nodeName", Name).String()
		}))
	informer := factory.Core().V1().Pods().Informer()
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { k.sync(o.(*corev1.Pod)) },
		UpdateFunc: func(_, o any) { k.sync(o.(*corev1.Pod)) },
		DeleteFunc: func(o any) {
			if unknown, ok := o.(cache.DeletedFinalStateUnknown); ok {
				o = unknown.Obj
			}
			k.forget(o.(*corev1.Pod))
		},
	})
	if err != nil {
		return fmt.Errorf("failed to watch pods: %w", err)
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	return nil
}

// sync starts a pod that is new and tells a known one what changed.
func (k *kubelet) sync(object *corev1.Pod) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p, known := k.pods[object.UID]
	if !known {
		k.lastIP = k.lastIP.Next()
		p = newPod(k, object, k.lastIP)
		k.pods[object.UID] = p
		go p.run()
	}
	p.update(object)
}

// forget ends a pod whose object is gone, which is new to it only after a forced deletion.
func (k *kubelet) forget(object *corev1.Pod) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if p, known := k.pods[object.UID]; known {
		p.terminate(gracePeriod(object))
		delete(k.pods, object.UID)
	}
}

// find returns the newest pod of a name.
func (k *kubelet) find(namespace, name string) *pod {
	k.mu.Lock()
	defer k.mu.Unlock()
	var newest *pod
	for _, p := range k.pods {
		if p.namespace == namespace && p.name == name && (newest == nil || newest.ip.Less(p.ip)) {
			newest = p
		}
	}
	return newest
}
