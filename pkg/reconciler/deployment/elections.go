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
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/ptr"
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
	cm, err := r.configMaps.ConfigMaps(w.deployment.Namespace).Get(w.electionName)
	if apierrors.IsNotFound(err) {
		cm, err = nil, nil
	}
	if err == nil {
		election, parseErr := config.Election(cm)
		if err = parseErr; err == nil {
			w.election, w.electionKnown = election, true
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

// timing is that of the Deployment's electors as their ConfigMap says.
func (w *work) timing() handover.Timing {
	return handover.Timing{RetryPeriod: w.election.RetryPeriod, RenewDeadline: w.election.RenewDeadline}
}

// timingOf is the timing of the process that holds a lease. When the lease
// shows that the process read another configuration than the one that is there
// now, what can be seen bounds it: client-go demands that the renew deadline is
// shorter than the lease duration, which is in the lease, and no retry period
// is longer than the longest interval between two renewals.
func (w *work) timingOf(l observe.Lease, p observe.Process) handover.Timing {
	t := w.timing()
	seconds := time.Duration(ptr.Deref(l.Object.Spec.LeaseDurationSeconds, 0)) * time.Second
	if seconds == w.election.LeaseDuration.Truncate(time.Second) {
		return t
	}
	return handover.Timing{
		RetryPeriod:   max(t.RetryPeriod, p.Longest),
		RenewDeadline: max(t.RenewDeadline, seconds+time.Second),
	}
}
