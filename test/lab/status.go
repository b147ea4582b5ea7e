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

package lab

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/status"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// Status returns what our controller shows, empty as long as it shows nothing.
func (l *Lab) Status() status.Status {
	cm := l.statusMap()
	if cm == nil {
		return status.Status{}
	}
	s, err := status.FromConfigMap(cm)
	l.try(err)
	return s
}

// statusMap is the ConfigMap that it is in, nil for none.
func (l *Lab) statusMap() *corev1.ConfigMap {
	for _, cm := range leasestesting.Objects(l.API, &corev1.ConfigMap{}) {
		if cm.Name == status.ConfigMapName {
			return cm
		}
	}
	return nil
}

// Pause pauses our controller until then, and with "" has it go on.
func (l *Lab) Pause(until string) {
	l.T.Helper()
	l.tracef("paused until %q", until)
	cms := l.admin.CoreV1().ConfigMaps(leasestesting.Namespace)
	cm := l.statusMap()
	if cm == nil {
		_, err := cms.Create(l.ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
			Name: status.ConfigMapName, Annotations: map[string]string{status.PausedUntil: until},
		}}, metav1.CreateOptions{})
		l.try(err)
		return
	}
	cm = cm.DeepCopy()
	if until == "" {
		delete(cm.Annotations, status.PausedUntil)
	} else {
		metav1.SetMetaDataAnnotation(&cm.ObjectMeta, status.PausedUntil, until)
	}
	_, err := cms.Update(l.ctx, cm, metav1.UpdateOptions{})
	l.try(err)
}

// shows is called by the API for each call: what our controller shows has a reason for each surplus lease.
func (l *Lab) shows(o leasestesting.Observation) {
	if o.Resource != "configmaps" || o.Name != status.ConfigMapName || !isWrite(o.Verb) || o.Code >= 300 || !strings.HasPrefix(o.Client, controllerName) {
		return
	}
	cm, ok := o.After.(*corev1.ConfigMap)
	if !ok {
		return
	}
	s, err := status.FromConfigMap(cm)
	if err != nil {
		l.breaks(InTheDark, "%v", err)
		return
	}
	for _, d := range s.Deployments {
		if dark := d.Unexplained(); len(dark) > 0 {
			l.breaks(InTheDark, "no reason why surplus leases stay: %v", dark)
		}
	}
}
