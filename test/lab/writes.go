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
	managed map[string]bool
	writes  []Write
	// hands are, for each lease, when its last writer became us or somebody else.
	hands map[string][]hand
}

// hand is from when on the last write to a lease was ours, or not.
type hand struct {
	at   time.Time
	ours bool
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

// observe is called by the API for each call.
func (w *Writes) observe(o leasestesting.Observation) {
	if o.Resource != "leases" || o.Verb == "get" || o.Verb == "list" || o.Verb == "watch" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	ours := strings.HasPrefix(o.Client, controllerName)
	if o.Code < 300 {
		w.passed(o.Name, hand{o.Time, ours})
	}
	if !ours {
		if strings.HasPrefix(o.Client, Deployment) {
			w.learn(o.Name)
		}
		return
	}
	if strings.HasPrefix(o.Name, controllerName+".") {
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

func (w *Writes) learn(lease string) {
	if w.managed == nil {
		w.managed = map[string]bool{}
	}
	w.managed[lease] = true
}

func (w *Writes) check(o leasestesting.Observation, write Write) {
	vain := write.taken() && w.lab.Even()
	w.lab.mu.Lock()
	defer w.lab.mu.Unlock()
	if !w.managed[o.Name] {
		w.lab.violate(OnlyOurs, "%s %s", o.Verb, o.Name)
	}
	if !conditional(o.Verb, o.Sent) {
		w.lab.violate(Preconditions, "%s %s without UID and resourceVersion", o.Verb, o.Name)
	}
	if vain {
		w.lab.violate(FewMoves, "%s taken from %s although the spread is even", o.Name, write.From)
	}
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
