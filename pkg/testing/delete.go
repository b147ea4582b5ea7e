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
	"fmt"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

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
	c.seen.After = nil
	pod, ok := old.obj.(*corev1.Pod)
	if !ok {
		a.remove(col, old)
		return deleted(col, old.obj), nil
	}
	e := old
	if ending := terminating(pod, options, a.stamp(0).Time); ending != pod {
		e = a.store(col, old, ending)
	}
	c.seen.After = e.obj
	if ptr.Deref(e.obj.GetDeletionGracePeriodSeconds(), 0) == 0 {
		e = a.remove(col, e)
		c.seen.After = nil
	}
	return answer{code: http.StatusOK, body: e.raw}, nil
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

// terminating returns a pod as a DELETE leaves it. One that is terminating already can only get less time: what it has
// had of the old grace period counts.
func terminating(pod *corev1.Pod, options *metav1.DeleteOptions, now time.Time) *corev1.Pod {
	begun, grace := now, gracePeriod(pod, options)
	if pod.DeletionTimestamp != nil {
		has := ptr.Deref(pod.DeletionGracePeriodSeconds, 0)
		grace = ptr.Deref(options.GracePeriodSeconds, has)
		if grace >= has {
			return pod
		}
		begun = pod.DeletionTimestamp.Add(-seconds(has))
	}
	end := begun.Add(seconds(grace))
	if end.Before(now) {
		end, grace = now, min(grace, 1)
	}
	changed := pod.DeepCopy()
	changed.DeletionTimestamp = ptr.To(metav1.NewTime(end).Rfc3339Copy())
	changed.DeletionGracePeriodSeconds = &grace
	if pod.DeletionTimestamp == nil {
		changed.Generation++
	}
	return changed
}

func seconds(n int64) time.Duration { return time.Duration(n) * time.Second }

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
