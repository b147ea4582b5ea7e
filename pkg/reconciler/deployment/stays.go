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
	"maps"
	"slices"
	"strings"

	"knative.dev/pkg/logging"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
	"github.com/tektoncd/leases-controller/pkg/status"
)

// sayStays logs each surplus lease that stays once, and again when its reason
// changes.
func (w *work) sayStays(ctx context.Context, plan balance.Plan) {
	said := make(map[string]balance.Reason, len(plan.Stays))
	for _, s := range plan.Stays {
		said[s.Lease] = s.Reason
		if w.said[s.Lease] != s.Reason {
			logging.FromContext(ctx).Infow("Surplus lease stays",
				"lease", s.Lease, "holder", s.Holder, "reason", string(s.Reason), "meaning", s.Reason.Sentence())
		}
	}
	w.said = said
}

// passing are the reasons that end by themselves in a moment.
var passing = []balance.Reason{
	balance.NotSeenRenewing, balance.HandoverInFlight, balance.InFlightLimit, balance.BackingOff,
}

// goesOn tells whether more leases of the queue will move without anything
// having to change.
func goesOn(group bucket.Group, plan balance.Plan) bool {
	return slices.ContainsFunc(plan.Moves, func(m balance.Move) bool { return m.Group == group.String() }) ||
		slices.ContainsFunc(plan.Stays, func(s balance.Stay) bool {
			return s.Group == group.String() && slices.Contains(passing, s.Reason)
		})
}

// deliberate are the reasons that somebody has chosen.
var deliberate = []balance.Reason{
	balance.Paused, balance.DryRun, balance.OptedOut, balance.NotManaged, balance.NotApplicable,
}

// asked tells whether somebody has chosen each of the reasons.
func asked(why map[balance.Reason]int) bool {
	for reason := range why {
		if !slices.Contains(deliberate, reason) {
			return false
		}
	}
	return true
}

// reasons counts why the surplus leases of a group stay.
func reasons(stays []balance.Stay, group string) map[balance.Reason]int {
	why := map[balance.Reason]int{}
	for _, s := range stays {
		if s.Group == group {
			why[s.Reason]++
		}
	}
	return why
}

// explain says each reason in its sentence, in order.
func explain(why map[balance.Reason]int) string {
	parts := make([]string, 0, len(why))
	for _, reason := range slices.Sorted(maps.Keys(why)) {
		parts = append(parts, status.Explain(reason, why[reason]))
	}
	return strings.Join(parts, " ")
}
