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
	"reflect"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
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

// lastChange is when a ConfigMap was written last, by the clock of the API
// server. It is zero if there is none: it may have existed.
func lastChange(cm *corev1.ConfigMap) time.Time {
	if cm == nil {
		return time.Time{}
	}
	last := cm.CreationTimestamp.Time
	for _, field := range cm.ManagedFields {
		if field.Time != nil && field.Time.After(last) {
			last = field.Time.Time
		}
	}
	return last
}

// timing is that of the Deployment's electors as their ConfigMap says.
func (w *work) timing() handover.Timing {
	return handover.Timing{RetryPeriod: w.election.RetryPeriod, RenewDeadline: w.election.RenewDeadline}
}

// timingOf is the timing of the process that wrote a record. It read its
// configuration once, at its start: if it may have read another one than is
// there now, what can be seen of it bounds it. client-go demands that the renew
// deadline is shorter than the lease duration, which is in the record, and no
// retry period is longer than the longest interval between two renewals.
// replica is nil if the process is unknown.
func (w *work) timingOf(record coordinationv1.LeaseSpec, replica *observe.Replica) handover.Timing {
	t := w.timing()
	duration := time.Duration(ptr.Deref(record.LeaseDurationSeconds, 0)) * time.Second
	if replica != nil && w.hasRead(replica) && duration == w.election.LeaseDuration.Truncate(time.Second) {
		return t
	}
	t.RenewDeadline = max(t.RenewDeadline, duration+time.Second)
	if replica != nil {
		t.RetryPeriod = max(t.RetryPeriod, replica.Process.Longest)
	}
	return t
}

// hasRead tells whether a replica has surely read the configuration as it is
// now: its pod is younger. Both stamps are by the clock of the API server.
func (w *work) hasRead(replica *observe.Replica) bool {
	return !w.electionChanged.IsZero() && !w.electionChanged.After(replica.Pod.CreationTimestamp.Time)
}
