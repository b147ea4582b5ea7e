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
	"knative.dev/pkg/controller"
)

// The reasons of our Events on a Deployment. There are at most three per queue
// and round, and they name no lease: client-go drops Events past 25 per object.
const (
	reasonBegun         = "RebalanceBegun"
	reasonDone          = "RebalanceDone"
	reasonFailed        = "RebalanceFailed"
	reasonStopped       = "RebalanceStopped"
	reasonMuted         = "RebalanceMuted"
	reasonUnlucky       = "RebalanceUnlucky"
	reasonPingPong      = "RebalancePingPong"
	reasonAdvice        = "LeaderElectionAdvice"
	reasonConfigInvalid = "LeaderElectionConfigInvalid"
	reasonCleanedUp     = "LeftoverLeasesDeleted"
	reasonFailover      = "LeaderElectionFailover"
	reasonPaused        = "RebalancePaused"
	reasonResumed       = "RebalanceResumed"
	reasonDryRun        = "RebalanceDryRun"
	reasonConfigChanged = "RebalanceConfigChanged"
)

// event records what happened as a Normal Event on the Deployment.
func (r *Reconciler) event(ctx context.Context, w *work, reason, format string, args ...any) {
	record(ctx, w, corev1.EventTypeNormal, reason, fmt.Sprintf(format, args...))
}

// warn records a Warning Event on the Deployment.
func (r *Reconciler) warn(ctx context.Context, w *work, reason, format string, args ...any) {
	record(ctx, w, corev1.EventTypeWarning, reason, fmt.Sprintf(format, args...))
}

func record(ctx context.Context, w *work, eventType, reason, message string) {
	if recorder := controller.GetEventRecorder(ctx); recorder != nil {
		recorder.Event(w.deployment, eventType, reason, message)
	}
}
