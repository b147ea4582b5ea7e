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

package observe

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/tektoncd/leases-controller/pkg/balance"
)

const (
	// maxProbation is where the probation of a replica stops growing.
	maxProbation = 10 * time.Minute
	// memory is for how long it is remembered that a replica was not stable, or
	// that the members of a Deployment changed.
	memory = 30 * time.Minute
	// maxChanges is how many changes of the members are remembered: more make no
	// probation longer.
	maxChanges = 16
)

// presence is what was seen of a pod.
type presence struct {
	ready bool
	// since is when it became Ready, or was restarted while it was.
	since    time.Time
	restarts int32
	// faults are the restarts and the losses of readiness since it was stable.
	faults int
	// lost: it lost its readiness, and the restart that may be the reason was not
	// seen yet.
	lost bool
}

// saw notes the state of the pod at a time. A restart costs a pod its readiness
// too: that counts once, in whatever order the two are seen.
func (p *presence) saw(ready bool, restarts int32, now time.Time) {
	if p.ready && now.Sub(p.since) >= memory {
		p.faults = 0
	}
	more := max(0, int(restarts-p.restarts))
	p.restarts = restarts
	switch {
	case p.ready && !ready:
		p.faults += max(1, more)
		p.lost = more == 0
	case more > 0 && p.lost:
		p.faults += more - 1
		p.lost = false
	default:
		p.faults += more
	}
	if ready && (!p.ready || more > 0) {
		p.since, p.lost = now, false
	}
	p.ready = ready
}

func restarts(pod *corev1.Pod) int32 {
	var n int32
	for _, c := range pod.Status.ContainerStatuses {
		n += c.RestartCount
	}
	return n
}

// stand notes whether a replica counts, and if it does not until when, if that is
// known. A replica is on probation when it has become Ready: for the window, which
// doubles with each fault of its own and with each change of the members of its
// Deployment but the first.
func (t *Tracker) stand(r *Replica, window time.Duration, changes int, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.pods[r.Pod.UID]
	if p == nil || !p.ready || r.Pod.DeletionTimestamp != nil {
		r.Standing = balance.HolderNotReady
		return
	}
	faults := p.faults
	if now.Sub(p.since) >= memory {
		faults = 0
	}
	r.Faulty = faults > 0
	if at := p.since.Add(probation(window, faults+max(0, changes-1))); now.Before(at) {
		r.Standing, r.EligibleAt = balance.ReplicaOnProbation, at
	}
}

// probation is a window that was doubled so often, up to maxProbation.
func probation(window time.Duration, doublings int) time.Duration {
	longest := max(window, maxProbation)
	for ; doublings > 0 && window > 0 && window < longest; doublings-- {
		window *= 2
	}
	return min(window, longest)
}

// membership is what was seen of the members of a Deployment.
type membership struct {
	uids sets.Set[types.UID]
	// changing since then, zero if it is not.
	since time.Time
	// counted: the change that goes on is among the changes.
	counted bool
	// changes are the last ones, each with its beginning: a rollout is one.
	changes []time.Time
}

// member notes the members of a Deployment, and whether they are changing. It
// returns since when they are, and how many changes began of late.
func (t *Tracker) member(uid types.UID, uids sets.Set[types.UID], changing bool, now time.Time) (since time.Time, changes int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.deployments[uid]
	if m == nil {
		m = &membership{uids: uids}
		t.deployments[uid] = m
	}
	changed := !m.uids.Equal(uids)
	if changed && !m.counted {
		m.changes = append(m.changes, now)
	}
	m.uids = uids
	m.counted = changing && (m.counted || changed)
	switch {
	case !changing:
		m.since = time.Time{}
	case m.since.IsZero():
		m.since = now
	}
	m.changes = m.changes[max(0, len(m.changes)-maxChanges):]
	for len(m.changes) > 0 && now.Sub(m.changes[0]) >= memory {
		m.changes = m.changes[1:]
	}
	return m.since, len(m.changes)
}
