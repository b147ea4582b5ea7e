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

package cli

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/observe"
	"github.com/tektoncd/leases-controller/pkg/status"
)

// memory is what the leases controller shows of what it alone knows, of one
// Deployment. Its times are by our clock.
type memory struct {
	status.Deployment
}

// recall reads the status of the leases controller; false if there is none that
// can be read, or no process that keeps it up to date.
func (c *cluster) recall() (status.Status, bool) {
	cm, err := c.configMap(status.ConfigMapName)
	if cm == nil || err != nil {
		return status.Status{}, false
	}
	s, err := status.FromConfigMap(cm)
	return s, err == nil
}

// memory is that of a Deployment, nothing if there is none.
func (c *cluster) memory(name string) memory {
	s, ok := c.recall()
	k := slices.IndexFunc(s.Deployments, func(d status.Deployment) bool { return d.Name == name })
	if !ok || k < 0 || !c.ready() {
		return memory{}
	}
	return memory{s.Deployments[k]}
}

// standings takes over what is remembered of replicas: a probation that has
// grown.
func (m memory) standings(view observe.View, ages ages, now time.Time) {
	for _, r := range m.Replicas {
		if r.EligibleAt == nil || r.Standing != balance.ReplicaOnProbation {
			continue
		}
		there := view.Replica(r.Name)
		if at := ages.local(r.EligibleAt.Time); there != nil && now.Before(at) && (there.Standing == "" || there.Standing == balance.ReplicaOnProbation) {
			there.Standing, there.EligibleAt = balance.ReplicaOnProbation, at
		}
	}
}

// pins takes over which leases are left alone.
func (m memory) pins(view observe.View, ages ages, now time.Time) {
	for _, muted := range m.Muted {
		if muted.Lease == "" || !now.Before(ages.local(muted.Until.Time)) {
			continue
		}
		for _, g := range view.Groups {
			for i := range g.Leases {
				l := &g.Leases[i]
				if l.Name == muted.Lease && l.Transit == nil && l.Pinned == "" && (muted.Identity == "" || muted.Identity == l.Identity) {
					l.Pinned = muted.Reason
				}
			}
		}
	}
}

// waits is why a move has to wait by what is remembered of its queue or of all.
func (m memory) waits(group string, ages ages, now time.Time) balance.Reason {
	for _, muted := range m.Muted {
		if muted.Lease == "" && (muted.Group == "" || muted.Group == group) && now.Before(ages.local(muted.Until.Time)) {
			return muted.Reason
		}
	}
	return ""
}

// tell adds what only the controller knows.
func (m memory) tell(d *status.Deployment) {
	if m.Name == "" {
		return
	}
	d.Handovers, d.Recent, d.Muted, d.Advice = m.Handovers, m.Recent, m.Muted, m.Advice
	d.Since = since(d.State, m.State, m.Since)
	for i := range d.Queues {
		q := &d.Queues[i]
		for _, there := range m.Queues {
			if there.Group == q.Group {
				q.Since = since(q.State, there.State, there.Since)
			}
		}
	}
}

// since is from when on a state lasts, if the controller has the same.
func since(state, there status.State, at *metav1.Time) *metav1.Time {
	if state != there {
		return nil
	}
	return at
}
