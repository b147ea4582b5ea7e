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
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	appsv1listers "k8s.io/client-go/listers/apps/v1"
	corev1listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// Observer joins what the informers show with what was seen over time.
type Observer struct {
	Tracker     *Tracker
	Pods        corev1listers.PodLister
	ReplicaSets appsv1listers.ReplicaSetLister
}

// uids are the members that are there to stay.
func (m members) uids() sets.Set[types.UID] {
	uids := sets.New[types.UID]()
	for _, pod := range m.pods {
		if pod.DeletionTimestamp == nil && !over(pod) {
			uids.Insert(pod.UID)
		}
	}
	return uids
}

// Policy is what the view of a Deployment depends on besides the cluster.
type Policy struct {
	// Window is how long a replica must be Ready before it counts, if nothing
	// ever happened to it.
	Window time.Duration
	// MaxRolloutWait is how long a rollout may keep the replicas that are
	// Ready from being balanced.
	MaxRolloutWait time.Duration
	// RetryPeriod is the pause between two renewals of the holders.
	RetryPeriod time.Duration
	// GiveUp is how long after its last renewal a holder leads on at the most.
	GiveUp time.Duration
	// LateLimit is the lateness from which on a holder is not moved.
	LateLimit time.Duration
	// Blocked, if set, is why nothing may move at all.
	Blocked balance.Reason
}

// View is the picture of a Deployment now. transit are our handovers of its
// leases, by lease. Errors are those of the listers.
func (o *Observer) View(d *appsv1.Deployment, p Policy, transit map[string]Transit, now time.Time) (View, error) {
	m, err := o.members(d)
	if err != nil {
		return View{}, err
	}
	changing := changing(d, m.pods)
	since, changes := o.Tracker.member(d.UID, m.uids(), changing, now)
	v := View{Replicas: o.replicas(m, p, changes, now)}
	v.Groups, v.Webhook = o.Tracker.groups(v.Replicas, m.former, transit, p, now)
	// A replica that cannot become Ready must not keep the others from being
	// balanced for ever.
	v.Rolling = changing && now.Sub(since) < p.MaxRolloutWait
	if p.Blocked == "" && v.Rolling {
		p.Blocked = balance.RolloutInProgress
	}
	unsettled := v.Unsettled()
	counts := map[string]int{}
	for _, g := range v.Groups {
		counts[g.Prefix]++
	}
	for i := range v.Groups {
		g := &v.Groups[i]
		g.optOut()
		g.Blocked = p.Blocked
		if g.Blocked == "" && counts[g.Prefix] > 1 {
			g.Blocked = balance.TwoBucketCounts
		}
		g.judge(v, p)
		if g.Blocked == "" {
			g.Blocked = unsettled
		}
	}
	return v, nil
}

// judge finds what stands in the way of moving a group's leases.
func (g *Group) judge(v View, p Policy) {
	for i := range g.Leases {
		l := &g.Leases[i]
		if g.Blocked == "" {
			g.Blocked = l.Trouble
		}
		r := v.Replica(l.Holder)
		switch {
		case r == nil:
		case l.OptedOut:
			l.Pinned = balance.OptedOut
		case l.Pinned != "":
		case r.Process.Renewals < MinRenewals:
			l.Pinned = balance.NotSeenRenewing
		case r.Process.Lateness > p.LateLimit:
			l.Pinned = balance.HolderLate
		}
	}
}

// revision is what a Deployment has in common with the ReplicaSet of its present
// template.
const revision = "deployment.kubernetes.io/revision"

// members are the pods of a Deployment: those whose ReplicaSet it controls.
type members struct {
	// pods are those that there are, by name.
	pods []*corev1.Pod
	// former are those that have no process any more, by hostname.
	former map[string]*corev1.Pod
	// hostnames counts those of all pods in the namespace.
	hostnames map[string]int
	// newest is the ReplicaSet of the present template, "" if that is not known.
	newest types.UID
}

func (o *Observer) members(d *appsv1.Deployment) (members, error) {
	replicaSets, err := o.ReplicaSets.ReplicaSets(d.Namespace).List(labels.Everything())
	if err != nil {
		return members{}, fmt.Errorf("failed to list the ReplicaSets of Deployment %q: %w", d.Name, err)
	}
	owners, newest := sets.New[types.UID](), types.UID("")
	for _, rs := range replicaSets {
		if metav1.IsControlledBy(rs, d) {
			owners.Insert(rs.UID)
			if of := rs.Annotations[revision]; of != "" && of == d.Annotations[revision] {
				newest = rs.UID
			}
		}
	}
	all, err := o.Pods.Pods(d.Namespace).List(labels.Everything())
	if err != nil {
		return members{}, fmt.Errorf("failed to list the pods of Deployment %q: %w", d.Name, err)
	}
	mine := func(pod *corev1.Pod) bool {
		c := metav1.GetControllerOf(pod)
		return c != nil && owners.Has(c.UID)
	}
	m := members{hostnames: map[string]int{}, newest: newest}
	for _, pod := range all {
		if hostname, ok := bucket.Hostname(pod); ok && !exited(pod) {
			m.hostnames[hostname]++
		}
		if mine(pod) {
			m.pods = append(m.pods, pod)
		}
	}
	slices.SortFunc(m.pods, func(a, b *corev1.Pod) int { return strings.Compare(a.Name, b.Name) })
	m.former = o.Tracker.former(m.pods, mine)
	return m, nil
}

// over tells whether a pod is no replica any more. The control plane says so too
// of a pod whose node it lost, and whose processes may run on: see [exited].
func over(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// replicas judges the pods one by one. changes is how often the members of the
// Deployment changed of late.
func (o *Observer) replicas(m members, p Policy, changes int, now time.Time) []Replica {
	var replicas []Replica
	for _, pod := range m.pods {
		if over(pod) {
			continue
		}
		r := Replica{Pod: pod}
		if c := metav1.GetControllerOf(pod); c != nil {
			r.Outdated = m.newest != "" && c.UID != m.newest
		}
		o.Tracker.stand(&r, p.Window, changes, now)
		if hostname, ok := bucket.Hostname(pod); ok && m.hostnames[hostname] == 1 {
			r.Hostname = hostname
			r.Process = o.Tracker.Process(hostname, p.RetryPeriod, now)
		} else if r.Standing == "" {
			r.Standing = balance.HolderUnknown
		}
		replicas = append(replicas, r)
	}
	return replicas
}

// changing tells whether the members of the Deployment are changing.
func changing(d *appsv1.Deployment, pods []*corev1.Pod) bool {
	want, s := ptr.Deref(d.Spec.Replicas, 1), d.Status
	if s.ObservedGeneration < d.Generation || s.Replicas != want || s.UpdatedReplicas != want || s.ReadyReplicas != want {
		return true
	}
	return slices.ContainsFunc(pods, func(pod *corev1.Pod) bool { return pod.DeletionTimestamp != nil })
}
