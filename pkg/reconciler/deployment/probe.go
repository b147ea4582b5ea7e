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
	"errors"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

const (
	// probes is how many reads are made before leases are taken: of those that are
	// to be moved, again if they are fewer. A server that fails every second call
	// passes one time in 32. It is half of what client-go lets pass at once by
	// default.
	probes = 5
	// probeTimeout is what an answer may take. A server that is well answers in
	// milliseconds; a handover makes some four calls one after the other, and
	// the electors theirs, in times without a leader.
	probeTimeout = time.Second
	// probeInterval is how often it is asked at the most, and, while it is in
	// trouble and something is to be moved, at the least. So the trouble is over
	// when six answers in a row are good.
	probeInterval = troubleWindow / 6
)

// probe keeps moves back unless the API answers well right now. Without it
// nothing would tell of trouble before the first leases are taken: as long as
// nothing is in flight there are no calls of ours.
func (r *Reconciler) probe(ctx context.Context, w *work, plan balance.Plan, now time.Time) balance.Plan {
	leases := toProbe(plan, w.trouble)
	if len(leases) == 0 || now.Sub(w.probed) < probeInterval {
		return plan
	}
	w.probed = now
	err := r.answers(ctx, leases)
	if err == nil {
		return plan
	}
	r.brake.trip(r.clock.Now(), err)
	w.sayTrouble(ctx, true)
	return plan.KeepBack(func(balance.Move) balance.Reason { return balance.APITrouble })
}

// toProbe are the leases to read: those that are to be moved, or one of those
// that trouble keeps from it.
func toProbe(plan balance.Plan, trouble bool) []string {
	if n := len(plan.Moves); n > 0 {
		leases := make([]string, probes)
		for i := range leases {
			leases[i] = plan.Moves[i%n].Lease
		}
		return leases
	}
	for _, s := range plan.Stays {
		if trouble && s.Reason == balance.APITrouble {
			return []string{s.Lease}
		}
	}
	return nil
}

// answers is nil if the API answers for each of the leases in time. That one is
// gone is an answer as well.
func (r *Reconciler) answers(ctx context.Context, leases []string) error {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	faults := make([]error, len(leases))
	var calls sync.WaitGroup
	for i, name := range leases {
		calls.Go(func() {
			if _, err := r.leases.Get(ctx, name, metav1.GetOptions{}); !apierrors.IsNotFound(err) {
				faults[i] = err
			}
		})
	}
	calls.Wait()
	return errors.Join(faults...)
}
