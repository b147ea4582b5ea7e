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

package status

import (
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/leadership"
	"github.com/tektoncd/leases-controller/pkg/observe"
)

// Foresee is the view as it will be as soon as all holders were seen renewing,
// and for how many leases that is not so yet. A plan on it is the one that will
// be made then, if no holder turns out to renew too late.
func Foresee(view observe.View) (foreseen observe.View, unseen int) {
	view.Groups = slices.Clone(view.Groups)
	for i := range view.Groups {
		g := &view.Groups[i]
		g.Leases = slices.Clone(g.Leases)
		for k := range g.Leases {
			if g.Leases[k].Pinned == balance.NotSeenRenewing {
				g.Leases[k].Pinned = ""
				unseen++
			}
		}
	}
	return view, unseen
}

// Of is the status of a Deployment as a view and a plan on it show it. blocked is
// why nothing of it may move at all.
func Of(name string, view observe.View, plan balance.Plan, blocked balance.Reason, now time.Time) Deployment {
	d := Deployment{Name: name, Blocked: blocked, Rolling: view.Rolling, Replicas: replicas(view, now), Queues: make([]Queue, 0, len(view.Groups))}
	targets, reasons := plan.Targets(), map[string]balance.Reason{}
	for _, s := range plan.Stays {
		targets[s.Lease], reasons[s.Lease] = s.To, s.Reason
	}
	names := shortNames(view.Groups)
	for i, g := range view.Groups {
		q := Queue{Name: names[i], Group: g.String(), Blocked: g.Blocked, Buckets: len(g.Leases), Held: held(g, view.Replicas)}
		for _, l := range g.Leases {
			q.Leases = append(q.Leases, lease(l, targets[l.Name], reasons[l.Name]))
		}
		q.Even = q.even(d.sharing())
		q.State = q.state(blocked)
		d.Queues = append(d.Queues, q)
	}
	d.Even = d.even()
	d.State = d.state()
	return d
}

func replicas(view observe.View, now time.Time) []Replica {
	all := make([]Replica, 0, len(view.Replicas))
	for _, r := range view.Replicas {
		one := Replica{Name: r.Pod.Name, Node: r.Pod.Spec.NodeName, Standing: r.Standing}
		if r.EligibleAt.After(now) {
			one.EligibleAt = &metav1.Time{Time: r.EligibleAt.Round(time.Second)}
		}
		if r.Process.Renewals >= observe.MinRenewals {
			one.Lateness = max(0, r.Process.Lateness).Round(100 * time.Millisecond).String()
		}
		for _, g := range view.Groups {
			one.Leases += g.Held(r.Pod.Name)
		}
		all = append(all, one)
	}
	return all
}

// held is what the replicas lead of a group.
func held(g observe.Group, replicas []observe.Replica) []Share {
	shares := make([]Share, 0, len(replicas))
	for _, r := range replicas {
		shares = append(shares, Share{Replica: r.Pod.Name, Leases: g.Held(r.Pod.Name)})
	}
	return shares
}

func lease(l observe.Lease, to string, reason balance.Reason) Lease {
	_, number := leadership.Queue(l.Name)
	bucket, _, _ := strings.Cut(number, "-of-")
	out := Lease{Name: l.Name, Bucket: bucket, Identity: l.Identity, Holder: l.Holder, To: to, Reason: reason, Place: Led}
	switch {
	case l.Transit != nil:
		out.Place, out.From = InHandover, l.Transit.From
	case l.Trouble == balance.HandoverInFlight:
		out.Place = InHandover
	case l.Trouble == balance.LeaseUnowned:
		out.Place = Unowned
	case l.Trouble == balance.LeasesMissing:
		out.Place = Missing
	case l.Trouble == balance.HolderUnknown:
		out.Place = Elsewhere
	}
	return out
}

// shortNames are the shortest names that tell the groups apart.
func shortNames(groups []observe.Group) []string {
	forms := []func(observe.Group) string{
		func(g observe.Group) string { return leadership.ShortQueue(g.Prefix) },
		func(g observe.Group) string {
			return fmt.Sprintf("%s-of-%02d", leadership.ShortQueue(g.Prefix), g.Buckets)
		},
	}
	names := make([]string, len(groups))
	for i, g := range groups {
		names[i] = g.String()
		for _, form := range forms {
			alike := 0
			for _, other := range groups {
				if form(other) == form(g) {
					alike++
				}
			}
			if alike == 1 {
				names[i] = form(g)
				break
			}
		}
	}
	return names
}

// Absent is the status of a Deployment that there is not. It is not even: nobody
// knows whether its name is a slip.
func Absent(name string) Deployment {
	return Deployment{Name: name, State: NotApplicable, Blocked: balance.NotFound, Replicas: []Replica{}, Queues: []Queue{}}
}

// Webhook is why a webhook has no leases to balance.
const Webhook = "it is a webhook, all of whose replicas serve"

// NotElecting is the sentence that says why a Deployment has no leases to balance.
func NotElecting(why string) string {
	return strings.ToUpper(why[:1]) + why[1:] + "."
}
