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
	"encoding/json"
	"reflect"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/utils/ptr"
	"knative.dev/pkg/leaderelection"
	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// readElection reads the configuration of a Deployment's electors, from the
// ConfigMap that its pods read. A ConfigMap that does not exist means knative's
// defaults; one that knative refuses leaves the last good one in force. It is
// true if there never was a good one.
func (r *Reconciler) readElection(ctx context.Context, w *work) (fault bool) {
	w.electionName, _ = config.ElectionConfigMapName(&w.deployment.Spec.Template)
	cm, err := r.configMaps.ConfigMaps(w.key.Namespace).Get(w.electionName)
	if apierrors.IsNotFound(err) {
		cm, err = nil, nil
	}
	if err == nil {
		election, parseErr := config.Election(cm)
		if err = parseErr; err == nil {
			w.edited(election, lastChange(cm))
			r.readSince(w, election)
			w.election, w.electionKnown, w.electionChanged = election, true, lastChange(cm)
		}
	}
	said := ""
	if err != nil {
		said = err.Error()
	}
	if said != w.electionFault && said != "" {
		logging.FromContext(ctx).Warnw("The electors' configuration is invalid, the last good one stays in force",
			"configMap", w.electionName, "reason", said)
		r.warn(ctx, w, reasonConfigInvalid, "ConfigMap %q is invalid, the last good one stays in force: %s", w.electionName, said)
	}
	w.electionFault = said
	return !w.electionKnown
}

// edited notes that the configuration is another one than before, unless it is
// what it was before that again.
func (w *work) edited(election *leaderelection.Config, changed time.Time) {
	switch {
	case !w.electionKnown || reflect.DeepEqual(election, w.election):
	case reflect.DeepEqual(election, w.electionWas):
		w.electionWas, w.electionEdited = nil, time.Time{}
	case w.electionWas == nil:
		w.electionWas, w.electionEdited = w.election, changed
	default:
		w.electionEdited = changed
	}
}

// readSince notes, when the configuration is seen to change, that only replicas
// younger than those of now will have read it. The stamps of the ConfigMap do not
// tell: the API server makes none for a key that is removed.
func (r *Reconciler) readSince(w *work, election *leaderelection.Config) {
	if !w.electionKnown || reflect.DeepEqual(election, w.election) {
		return
	}
	pods, err := r.pods.Pods(w.key.Namespace).List(labels.Everything())
	if err != nil {
		return // a lister of a cache: it never fails
	}
	for _, pod := range pods {
		if made := pod.CreationTimestamp.Add(time.Second); made.After(w.electionSince) { // it has whole seconds
			w.electionSince = made
		}
	}
}

// lastChange is when somebody wrote the timings of a ConfigMap last, by the clock
// of the API server, as far as its own bookkeeping tells: a label or another key
// changes nothing. It is zero if there is no ConfigMap: it may have existed.
func lastChange(cm *corev1.ConfigMap) time.Time {
	if cm == nil {
		return time.Time{}
	}
	last := cm.CreationTimestamp.Time
	for _, field := range cm.ManagedFields {
		if field.Time != nil && field.Time.After(last) && ownsTimings(field.FieldsV1) {
			last = field.Time.Time
		}
	}
	return last
}

// ownsTimings tells whether fields that somebody wrote include a timing. What
// cannot be read may.
func ownsTimings(fields *metav1.FieldsV1) bool {
	if fields == nil {
		return true
	}
	var wrote struct {
		Data map[string]json.RawMessage `json:"f:data"`
	}
	if err := json.Unmarshal(fields.Raw, &wrote); err != nil {
		return true
	}
	for key := range wrote.Data {
		if config.IsTiming(strings.TrimPrefix(key, "f:")) {
			return true
		}
	}
	return false
}

// timing is that of the Deployment's electors as their ConfigMap says, with the
// margin of ours.
func (w *work) timing() handover.Timing {
	t := handover.Timing{RetryPeriod: w.election.RetryPeriod, RenewDeadline: w.election.RenewDeadline}
	if w.settings != nil {
		t.LeastMargin = w.settings.Margin
	}
	return t
}

// timingOf is the timing of the process that wrote a record. It read its
// configuration once, at its start: if it may have read another one than is
// there now, what can be seen of it bounds it. client-go demands that the renew
// deadline is shorter than the lease duration, which is in the record, and no
// retry period is longer than the longest interval between two renewals.
// replica is nil if the process is unknown.
func (w *work) timingOf(record coordinationv1.LeaseSpec, replica *observe.Replica) handover.Timing {
	t := w.timing()
	if w.certain(record, replica) {
		return t
	}
	t.RenewDeadline = max(t.RenewDeadline, recordDuration(record)+time.Second)
	if replica != nil {
		t.RetryPeriod = max(t.RetryPeriod, replica.Process.Longest)
	}
	return t
}

// maxUncertain is how long a lease may last that is moved although the timings of
// its holder are only bounded by it: nobody leads for nearly as long.
const maxUncertain = 2 * time.Minute

// unbounded tells whether a move would leave a bucket without a leader for too
// long, because the timings of its holder are not known.
func (w *work) unbounded(record coordinationv1.LeaseSpec, replica *observe.Replica) bool {
	return !w.certain(record, replica) && recordDuration(record) > maxUncertain
}

// certain tells whether the process that wrote a record uses the timings of the
// ConfigMap as it is now.
func (w *work) certain(record coordinationv1.LeaseSpec, replica *observe.Replica) bool {
	return replica != nil && w.hasRead(replica.Pod) && recordDuration(record) == w.election.LeaseDuration.Truncate(time.Second)
}

func recordDuration(record coordinationv1.LeaseSpec) time.Duration {
	return time.Duration(ptr.Deref(record.LeaseDurationSeconds, 0)) * time.Second
}

// hasRead tells whether a pod has read the configuration as it is now: it names
// this ConfigMap itself, whatever the Deployment's template does by now, and is
// younger than the last change. All stamps are by the clock of the API server.
// One change cannot be told afterwards: of a key that was removed while no
// process of ours was there to see it.
func (w *work) hasRead(pod *corev1.Pod) bool {
	name, _ := config.ElectionConfigMapName(&corev1.PodTemplateSpec{Spec: pod.Spec})
	made := pod.CreationTimestamp.Time
	return name != "" && name == w.electionName &&
		!w.electionChanged.IsZero() && !w.electionChanged.After(made) && !w.electionSince.After(made)
}
