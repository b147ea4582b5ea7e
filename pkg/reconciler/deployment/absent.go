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

package deployment

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"knative.dev/pkg/controller"
	"knative.dev/pkg/leaderelection"
	"knative.dev/pkg/logging"
	"knative.dev/pkg/system"

	"github.com/tektoncd/leases-controller/pkg/status"
)

// eachAbsent calls f for the Deployments that we are told to manage by name and
// that there are not.
func (r *Reconciler) eachAbsent(f func(types.NamespacedName)) {
	for _, name := range r.settings().Named() {
		if key := (types.NamespacedName{Namespace: system.Namespace(), Name: name}); r.isAbsent(key) {
			f(key)
		}
	}
}

func (r *Reconciler) isAbsent(key types.NamespacedName) bool {
	_, err := r.deployments.Deployments(key.Namespace).Get(key.Name)
	return apierrors.IsNotFound(err)
}

// lookAbsent says of a Deployment that we are told to manage by name that there is
// none: its name may be a slip.
func (r *Reconciler) lookAbsent(ctx context.Context, key types.NamespacedName) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.retired {
		return
	}
	now := r.clock.Now()
	absent := map[string]bool{}
	r.eachAbsent(func(k types.NamespacedName) { absent[k.Name] = true })
	if absent[key.Name] {
		r.status.load(r.settings().Manages)
		r.status.show(status.Absent(key.Name), now)
	}
	if absent[key.Name] && !r.absent[key.Name] {
		text := fmt.Sprintf("key deployments names %s, but there is no Deployment of that name in namespace %s", key.Name, key.Namespace)
		logging.FromContext(ctx).Warnw("Deployment is not there", "configMap", leaderelection.ConfigMapName(), "reason", text)
		if recorder := controller.GetEventRecorder(ctx); recorder != nil {
			recorder.Event(r.ownConfigMap(key.Namespace), corev1.EventTypeWarning, reasonConfigInvalid, text)
		}
	}
	r.absent = absent
	r.reflush(ctx, key, now)
}

// ownConfigMap is the one that we are configured by, which may not exist.
func (r *Reconciler) ownConfigMap(namespace string) *corev1.ConfigMap {
	if cm, err := r.configMaps.ConfigMaps(namespace).Get(leaderelection.ConfigMapName()); err == nil {
		return cm
	}
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: leaderelection.ConfigMapName()}}
}
