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

package lab

import (
	"strings"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// controllerName is our controller's component: it begins the names of its clients and of its own leases.
const controllerName = "tekton-leases-controller"

// Write is one of our controller's writes to a lease.
type Write struct {
	At          time.Duration
	Client      string
	Verb, Lease string
	Code        int
	// From and To are the holders before and after; "" for none.
	From, To string
	// Led: somebody led the bucket when the write was carried out.
	Led bool
}

// Writes records what our controller wrote to leases, and checks each write while the server carries it out.
type Writes struct {
	lab *Lab

	mu sync.Mutex
	// managed are the leases that managed processes contend for.
	managed map[string]*sole
	writes  []Write
	// hands are, for each lease, when its last writer became us or somebody else.
	hands map[string][]hand
}

// hand is from when on the last write to a lease was ours, or not.
type hand struct {
	at   time.Time
	ours bool
}

// sole is what is known of a managed lease.
type sole struct {
	// pod is the replica that was last written into it: it leads, or did, or will.
	pod string
	// ours: our controller wrote it since.
	ours bool
	// taken is when our controller took it from a replica.
	taken time.Duration
}

// All returns the writes so far.
func (w *Writes) All() []Write {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]Write(nil), w.writes...)
}

// Taken returns those that took a lease from a replica, which is how each handover begins.
func (w *Writes) Taken() []Write {
	var taken []Write
	for _, write := range w.All() {
		if write.taken() {
			taken = append(taken, write)
		}
	}
	return taken
}

// taken: it succeeded, and the lease of a replica is not that replica's any more.
func (w Write) taken() bool {
	return w.Code < 300 && strings.HasPrefix(w.From, Deployment+"-") && w.From != w.To
}

// held: it succeeded, and our controller holds the lease of a replica.
func (w Write) held() bool { return w.taken() && strings.HasPrefix(w.To, controllerName+"_") }

// released: it succeeded, and our controller does not hold the lease any more.
func (w Write) released() bool {
	return w.Code < 300 && strings.HasPrefix(w.From, controllerName+"_") && !strings.HasPrefix(w.To, controllerName+"_")
}

// observe is called by the API for each call.
func (w *Writes) observe(o leasestesting.Observation) {
	if o.Resource != "leases" || !isWrite(o.Verb) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if o.Code < 300 {
		w.passed(o.Name, hand{o.Time, strings.HasPrefix(o.Client, controllerName)})
	}
	if Electors(o.Client) {
		w.led(o)
		return
	}
	if !strings.HasPrefix(o.Client, controllerName) || strings.HasPrefix(o.Name, controllerName+".") {
		return
	}
	write := Write{
		At: w.lab.Now(), Client: o.Client, Verb: o.Verb, Lease: o.Name, Code: o.Code,
		From: holderOf(o.Before), To: holderOf(o.After), Led: len(w.lab.Ledger.Leaders(o.Name)) > 0,
	}
	w.writes = append(w.writes, write)
	w.lab.tracef("%s: %s %s: %d, %q -> %q", o.Client, o.Verb, o.Name, o.Code, write.From, write.To)
	w.check(o, write)
}

func (w *Writes) passed(lease string, to hand) {
	hands := w.hands[lease]
	if len(hands) > 0 && hands[len(hands)-1].ours == to.ours {
		return
	}
	if w.hands == nil {
		w.hands = map[string][]hand{}
	}
	w.hands[lease] = append(hands, to)
}

// lastOurs tells whether the last write to a lease, at the time given, was ours.
func (w *Writes) lastOurs(lease string, at time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	ours := false
	for _, h := range w.hands[lease] {
		if h.at.After(at) {
			break
		}
		ours = h.ours
	}
	return ours
}

// check holds a write of ours to what it may do.
func (w *Writes) check(o leasestesting.Observation, write Write) {
	lease := w.managed[o.Name]
	if lease == nil {
		w.lab.breaks(OnlyOurs, "%s %s", o.Verb, o.Name)
		return
	}
	if !conditional(o.Verb, o.Sent) {
		w.lab.breaks(Preconditions, "%s %s without UID and resourceVersion", o.Verb, o.Name)
	}
	if !lease.ours && strings.HasPrefix(write.From, Deployment+"-") && w.lab.Even() {
		w.lab.breaks(Idle, "%s %s, which %s leads, although the spread is even", o.Verb, o.Name, write.From)
	}
	if held := strings.HasPrefix(write.To, controllerName+"_"); held && write.taken() && w.optimum(w.lab.stable(), o.Name, lease.pod) == 0 {
		w.lab.breaks(Probation, "%s is taken from %s, and no stable replica should have it", o.Name, write.From)
	}
	if write.Code < 300 {
		lease.ours = true
		w.moved(lease, write)
	}
}

// moved follows where our controller moves a lease: what it gives to a replica by name must be a step towards an even
// spread, all that it gave before included.
func (w *Writes) moved(lease *sole, write Write) {
	if write.taken() {
		lease.taken = write.At
	}
	from, to := lease.pod, podOf(write.To)
	if to == "" || to == from {
		return
	}
	lease.pod = to
	replicas := w.lab.settled(lease.taken)
	if replicas == nil {
		return
	}
	if before, after := w.optimum(replicas, write.Lease, from), w.optimum(replicas, write.Lease, to); after >= before {
		w.lab.breaks(FewMoves, "%s went from %s to %s, and still %d moves are to be made", write.Lease, from, to, after)
	}
}

// led notes a write of an elector.
func (w *Writes) led(o leasestesting.Observation) {
	lease := w.managed[o.Name]
	if lease == nil {
		lease = &sole{}
		if w.managed == nil {
			w.managed = map[string]*sole{}
		}
		w.managed[o.Name] = lease
	}
	if pod := podOf(holderOf(o.After)); o.Code < 300 && pod != "" {
		lease.pod, lease.ours = pod, false
	}
}

// podOf returns the replica whose identity is given, "" if it is none's.
func podOf(identity string) string {
	pod, _, _ := strings.Cut(identity, "_")
	if !strings.HasPrefix(pod, Deployment+"-") {
		return ""
	}
	return pod
}

// optimum is the smallest number of moves that makes the spread even, if that lease were led by that pod.
func (w *Writes) optimum(replicas []*Replica, name, pod string) int {
	leaders := make(map[string]string, len(w.managed))
	for lease, l := range w.managed {
		leaders[lease] = l.pod
	}
	leaders[name] = pod
	return optimum(replicas, leaders)
}

func conditional(verb string, sent runtime.Object) bool {
	switch sent := sent.(type) {
	case *coordinationv1.Lease:
		return verb == "create" || verb == "update" && sent.UID != "" && sent.ResourceVersion != ""
	case *metav1.DeleteOptions:
		p := sent.Preconditions
		return p != nil && p.UID != nil && p.ResourceVersion != nil
	}
	return false
}

func holderOf(obj leasestesting.Object) string {
	if lease, ok := obj.(*coordinationv1.Lease); ok && lease != nil {
		return ptr.Deref(lease.Spec.HolderIdentity, "")
	}
	return ""
}
