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
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

const (
	// Deployment is the managed Deployment, and also the component in its lease names.
	Deployment = "tekton-pipelines-controller"
	// ElectionConfigMap is what its processes read their election from.
	ElectionConfigMap = "config-leader-election-controller"
	// OurConfigMap is what our own controller reads.
	OurConfigMap = "config-leader-election-leases"
)

// traceLines is how many events are kept to be shown with a failure.
const traceLines = 1000

// shorten makes the events fit a line.
var shorten = strings.NewReplacer(
	Deployment+".github.com.tektoncd.pipeline.pkg.reconciler.", "", ".reconciler.", ".", Deployment+"-", "")

// Queues are the three of Tekton's controller.
var Queues = []string{
	"github.com.tektoncd.pipeline.pkg.reconciler.pipelinerun.Reconciler",
	"github.com.tektoncd.pipeline.pkg.reconciler.taskrun.Reconciler",
	"github.com.tektoncd.pipeline.pkg.reconciler.resolutionrequest.Reconciler",
}

// Options describe a run. The zero value is Tekton's default election with 10 buckets and a healthy network.
type Options struct {
	// Seed decides everything that is left to chance.
	Seed int64
	// Election is the data of ElectionConfigMap. Nil is 10 buckets; NoElection leaves the ConfigMap out.
	Election   map[string]string
	NoElection bool
	// Ours is the data of OurConfigMap.
	Ours map[string]string
	// Args are the arguments of the managed container.
	Args []string
	// Latency is what a call takes, there and back. Zero is 1 to 20 ms.
	Latency Range
	// Busy is what the processes of the first pods do besides electing, in the order of their start. The others do nothing.
	Busy []Busy
	// GapLimit is how long a bucket may be without a leader, once Strict was called. Zero is 36 s.
	GapLimit time.Duration
	// Skew is how far the clocks of the nodes, of the API server and of our controller may be ahead or behind, Drift how
	// much faster or slower those of the nodes may go, each drawn anew. Zero is no difference; 0.001 is 1 ms in a second.
	Skew  time.Duration
	Drift float64
	// Tolerate are invariants that do not fail the test: it is about breaking them.
	Tolerate []string
	// Objects are there from the beginning.
	Objects []leasestesting.Object
}

// Lab is one run: a cluster in memory, the managed Deployment's replicas, and our controller.
type Lab struct {
	T      *testing.T
	API    *leasestesting.API
	Ledger *Ledger
	// Writes are our controller's writes to leases other than its own.
	Writes *Writes

	opts  Options
	dice  dice
	ctx   context.Context
	admin kubernetes.Interface
	began time.Time

	deployment *appsv1.Deployment
	replicaSet *appsv1.ReplicaSet
	rollouts   int
	pods       int
	started    int

	mu        sync.Mutex
	replicas  []*Replica
	processes map[string]*process
	running   []*Controller
	// disturbances are those that were begun, also those that have ended.
	disturbances []*disturbance
	// members is when the replicas or their readiness changed last.
	members    time.Duration
	strict     bool
	violations []Violation
	trace      []string
}

// Violation is an invariant that did not hold.
type Violation struct {
	Invariant string
	At        time.Duration
	Detail    string
}

// The invariants.
const (
	// OneLeader: no bucket has two leaders. A process that was asked to stop and has not reported its last
	// demotions yet does not count: its electors release a lease just before they say so. Nor does one that is frozen, as
	// long as it is.
	OneLeader = "one leader"
	// ShortGap: after Strict, no bucket is without a leader for longer than GapLimit.
	ShortGap = "short gap"
	// OnlyOurs: our controller writes no lease but those that the managed processes contend for.
	OnlyOurs = "only ours"
	// Preconditions: each of its updates and deletes carries UID and resourceVersion.
	Preconditions = "preconditions"
	// Idle: it writes to no lease that a replica leads while the spread is even, not even in vain.
	Idle = "idle"
	// FewMoves: each lease that it gives to a replica by name brings the spread one move nearer to even. What chance
	// does with a lease that anybody may acquire does not count, nor what was begun when the replicas had just changed.
	FewMoves = "few moves"
	// Probation: it holds no lease of a replica while the spread over those that have been Ready for the default of
	// our stabilization window is even.
	Probation = "probation"
	// InTheDark: its status has a reason, or a move, for each surplus lease.
	InTheDark = "in the dark"
)

// probation is that default.
const probation = 30 * time.Second

// invariants are all of them.
var invariants = []string{OneLeader, ShortGap, OnlyOurs, Preconditions, Idle, FewMoves, Probation, InTheDark}

// Run runs a scenario in virtual time and fails the test for each invariant that did not hold. SYSTEM_NAMESPACE and
// CONFIG_LEADERELECTION_NAME are set for the process: scenarios run one after the other.
func Run(t *testing.T, opts Options, scenario func(l *Lab)) {
	t.Helper()
	t.Setenv("SYSTEM_NAMESPACE", leasestesting.Namespace)
	t.Setenv("CONFIG_LEADERELECTION_NAME", OurConfigMap)
	// The electors log each renewal that fails, and formatting that takes longer than all the rest.
	klog.SetLogger(klog.Logger{})
	// client-go sleeps until a millisecond after the last error in the process, which for the next bubble is in the far
	// future.
	utilruntime.ErrorHandlers = nil
	seedGlobalRand(opts.Seed)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		l := newLab(ctx, t, opts)
		defer l.report()
		defer l.end(cancel)
		scenario(l)
	})
}

func newLab(ctx context.Context, t *testing.T, opts Options) *Lab {
	if opts.Latency == (Range{}) {
		opts.Latency = Range{time.Millisecond, 20 * time.Millisecond}
	}
	if opts.GapLimit == 0 {
		opts.GapLimit = 36 * time.Second
	}
	if opts.Election == nil {
		opts.Election = map[string]string{"buckets": "10"}
	}
	l := &Lab{
		T: t, API: leasestesting.NewAPI(opts.Objects...), Writes: &Writes{},
		opts: opts, dice: dice{opts.Seed}, ctx: ctx, began: time.Now(),
		processes: map[string]*process{},
	}
	l.Ledger = NewLedger(l.changed)
	l.Writes.lab = l
	l.API.Observe(l.Writes.observe)
	l.API.Observe(l.shows)
	l.API.SetClock(l.skew("server"))
	l.admin = l.API.NewClient("admin", leasestesting.ClientOptions{}).Kube()
	l.createDeployment()
	return l
}

// Kube returns a clientset that acts at once: an administrator's.
func (l *Lab) Kube() kubernetes.Interface { return l.admin }

// Strict has the gaps that begin from now on held to the limit: the natural ones are over.
func (l *Lab) Strict() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.strict = true
}

// Lax ends Strict: what comes now makes longer gaps also without our controller.
func (l *Lab) Lax() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.strict = false
}

// Now returns the virtual time since the run began.
func (l *Lab) Now() time.Duration { return time.Since(l.began) }

// changed checks the invariants at each promotion and demotion.
func (l *Lab) changed(c Change) {
	verb := "stops leading"
	if c.Promoted {
		verb = "leads"
	}
	l.tracef("%s %s %s; leaders %v", c.Process, verb, c.Bucket, c.Leaders)
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.Promoted && l.leading(c.Leaders) > 1 {
		l.violate(OneLeader, "%s is led by %v", c.Bucket, c.Leaders)
	}
	if gap := c.Ended; l.strict && len(gap.Leaders) == 0 && gap.Length() > l.opts.GapLimit {
		l.violate(ShortGap, "nobody led %s for %v", c.Bucket, gap.Length())
	}
}

// leading counts the leaders that were not asked to stop and are not frozen.
func (l *Lab) leading(leaders []string) int {
	n := 0
	for _, name := range leaders {
		if p := l.processes[name]; p != nil && !p.stopping.Load() && !p.frozen.Load() {
			n++
		}
	}
	return n
}

// breaks notes a violation.
func (l *Lab) breaks(invariant, format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.violate(invariant, format, args...)
}

// violate notes a violation; l.mu is held.
func (l *Lab) violate(invariant, format string, args ...any) {
	l.violations = append(l.violations, Violation{invariant, l.Now(), fmt.Sprintf(format, args...)})
}

// Violations returns the invariants that did not hold so far.
func (l *Lab) Violations() []Violation {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Violation(nil), l.violations...)
}

// tracef adds a line to what is shown when the test fails.
func (l *Lab) tracef(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trace = append(l.trace, fmt.Sprintf("%10.3fs ", l.Now().Seconds())+fmt.Sprintf(format, args...))
	if len(l.trace) > traceLines {
		l.trace = l.trace[len(l.trace)-traceLines:]
	}
}

// end stops everything that runs, so that the bubble can end.
func (l *Lab) end(cancel context.CancelFunc) {
	l.mu.Lock()
	strict := l.strict
	processes, running := l.processes, slices.Clone(l.running)
	l.mu.Unlock()
	for _, gap := range l.Ledger.Gaps(time.Now()) {
		if strict && gap.Length() > l.opts.GapLimit {
			l.breaks(ShortGap, "nobody has led %s for %v", gap.Bucket, gap.Length())
		}
	}
	cancel()
	for _, c := range running {
		c.Kill()
	}
	for _, p := range processes {
		p.kill()
	}
	synctest.Wait()
}

// report fails the test for each violation and shows the last events.
func (l *Lab) report() {
	for _, v := range l.Violations() {
		if slices.Contains(l.opts.Tolerate, v.Invariant) {
			continue
		}
		l.T.Errorf("seed %d: invariant %q broken at %v: %s", l.opts.Seed, v.Invariant, v.At, v.Detail)
	}
	if l.T.Failed() {
		l.T.Logf("seed %d, the last events:\n%s", l.opts.Seed, shorten.Replace(strings.Join(l.trace, "\n")))
	}
}
