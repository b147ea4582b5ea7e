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
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/utils/ptr"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/handover"
	"github.com/tektoncd/leases-controller/pkg/status"
)

// explained is what "explain -o json" prints.
type explained struct {
	Deployment string   `json:"deployment"`
	Queue      string   `json:"queue"`
	Leases     []detail `json:"leases"`
}

// detail is a lease with what its record says. The times are by the clock of
// the holder.
type detail struct {
	status.Lease `json:",inline"`
	// Held is since how long the holder has it, Renewed how long ago it renewed
	// it, and Valid how long a renewal is good for.
	Held        string `json:"held,omitempty"`
	Renewed     string `json:"renewed,omitempty"`
	Valid       string `json:"valid,omitempty"`
	Transitions int32  `json:"transitions,omitempty"`
	// Next is what will become of it, When when, as far as that is known.
	Next string `json:"next"`
	When string `json:"when,omitempty"`
}

func newExplain(o Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain <queue or lease>",
		Short: "Show one queue lease by lease, or one lease, and why it stays or moves",
		Args:  cobra.ExactArgs(1),
		Example: o.examples(
			"%s explain pipelinerun",
			"%s explain pipelinerun/03",
			"%s explain pipelinerun --deployment tekton-events-controller",
		),
	}
	var deployments []string
	f, l := formats(cmd, "json", "yaml"), looks(o, cmd)
	cmd.Flags().StringSliceVar(&deployments, "deployment", nil, "The Deployments to look at, if not those that are balanced")
	cmd.ValidArgsFunction = l.completeQueues
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(); err != nil {
			return err
		}
		c, err := l.cluster(cmd.Context())
		if err != nil {
			return err
		}
		s, err := c.look(deployments, l.Clock.Now())
		if err != nil {
			return err
		}
		b, q, leases, err := find(o.Screen, s, args[0])
		if err != nil {
			return err
		}
		details, err := c.details(b, leases, l.Clock.Now())
		if err != nil {
			return err
		}
		text := b.queueText(q, details)
		if len(details) == 1 && len(q.Leases) > 1 {
			text = b.leaseText(q, details[0])
		}
		return f.print(o.Out, explained{b.Name, q.Group, details}, text+controllerLine(o.Screen, s.Controller, s.Namespace))
	}
	return cmd
}

// find finds the queue, or the one lease, that a name stands for.
func find(screen Screen, s status.Status, name string) (board, status.Queue, []status.Lease, error) {
	var known []string
	for _, d := range s.Deployments {
		for _, q := range d.Queues {
			prefix := q.Group[:strings.LastIndex(q.Group, "-of-")]
			if name == q.Name || name == q.Group || name == prefix {
				return newBoard(screen, s, d, false), q, q.Leases, nil
			}
			for _, l := range q.Leases {
				if name == l.Name || name == q.Name+"/"+l.Bucket {
					return newBoard(screen, s, d, false), q, []status.Lease{l}, nil
				}
			}
			known = append(known, q.Name)
		}
	}
	return board{}, status.Queue{}, nil, fmt.Errorf("%q is no queue and no lease here, want one of %s, or for example %s/00",
		name, strings.Join(known, ", "), strings.Join(known[:min(1, len(known))], ""))
}

// details adds what the records say.
func (c *cluster) details(b board, leases []status.Lease, now time.Time) ([]detail, error) {
	all, err := c.leases.Leases(c.namespace).List(labels.Everything())
	if err != nil {
		return nil, fmt.Errorf("failed to list the leases of namespace %s: %w", c.namespace, err)
	}
	ages := newAges(all, now)
	details := make([]detail, 0, len(leases))
	for _, l := range leases {
		d := detail{Lease: l, Next: b.next(l), When: b.when(l, ages)}
		if obj, err := c.leases.Leases(c.namespace).Get(l.Name); err == nil {
			if at := obj.Spec.AcquireTime; at != nil {
				d.Held = duration.HumanDuration(ages.of(at.Time))
			}
			if at := obj.Spec.RenewTime; at != nil {
				d.Renewed = duration.HumanDuration(ages.of(at.Time))
			}
			d.Valid = (time.Duration(ptr.Deref(obj.Spec.LeaseDurationSeconds, 0)) * time.Second).String()
			d.Transitions = ptr.Deref(obj.Spec.LeaseTransitions, 0)
		}
		details = append(details, d)
	}
	return details, nil
}

// next says what will become of a lease.
func (b board) next(l status.Lease) string {
	to := named(b.short, l.To)
	switch {
	case l.Moves():
		return b.willMove() + " to " + to
	case l.Stays():
		return fmt.Sprintf("should move to %s, but stays: %s", to, l.Reason)
	case l.Place == status.InHandover && l.To != "" && l.To == l.From:
		return "goes back to " + to
	case l.Place == status.InHandover && l.To != "":
		return "goes to " + to
	case l.Place == status.InHandover:
		return "goes to another replica"
	case l.Place == status.Led:
		return "stays"
	case l.Place == status.Elsewhere:
		return "stays until it expires"
	default:
		return "goes to whoever tries first"
	}
}

// when is when that will be. The controller tells the ends of its steps by its
// clock.
func (b board) when(l status.Lease, ages ages) string {
	if l.Reason == balance.ReplicaOnProbation {
		for _, r := range b.Replicas {
			if (r.Name == l.To || r.Name == l.Holder) && r.EligibleAt != nil {
				return "not before " + named(b.short, r.Name) + " is eligible, in " + r.EligibleAt.Sub(b.now).Round(time.Second).String()
			}
		}
	}
	for _, h := range b.Handovers {
		left := ages.local(h.Until.Time).Sub(b.now).Round(time.Second)
		switch {
		case h.Lease != l.Name || l.Place != status.InHandover || left < 0:
		case h.Step == string(handover.Held):
			return "in " + left.String() + " at the earliest"
		default:
			return "within " + left.String()
		}
	}
	return ""
}

// by is who has a lease.
func (b board) by(l status.Lease) cell {
	for _, o := range others {
		if o.is(l) {
			return cell{text: o.name, as: yellow}
		}
	}
	if l.Place == status.InHandover {
		return cell{text: "(from " + named(b.short, l.From) + ")", as: yellow}
	}
	return cell{text: named(b.short, l.Holder)}
}

// spread is how many leases of a queue each replica leads.
func (b board) spread(q status.Queue) string {
	parts := make([]string, 0, len(b.Replicas))
	for _, r := range b.Replicas {
		parts = append(parts, fmt.Sprintf("%s: %d", named(b.short, r.Name), q.Count(heldBy(r.Name))))
	}
	return strings.Join(parts, ", ")
}

// queueText explains a queue.
func (b board) queueText(q status.Queue, leases []detail) string {
	word := "even"
	if !q.Even {
		word = "uneven"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "Queue %s of Deployment %s: %s\n", b.paint(q.Name, bold), b.Name, word)
	out.WriteString(b.wrap("", b.spread(q)))
	out.WriteString(q.Leases[0].Name + "\n\n")
	b.Queues = []status.Queue{q} // the reasons of the others do not matter here
	g := make(grid, 0, 1+len(leases))
	g = append(g, heads("BUCKET", "LED BY", "FOR", "RENEWED", "NEXT"))
	for _, l := range leases {
		g = append(g, []cell{{text: l.Bucket}, b.by(l.Lease), {text: l.Held}, {text: ago(l.Renewed)}, {text: l.Next}})
	}
	out.WriteString(g.render(b.Screen) + "\n")
	return out.String() + b.why() + b.unknown()
}

// leaseText explains a lease.
func (b board) leaseText(q status.Queue, l detail) string {
	var out strings.Builder
	fmt.Fprintf(&out, "Lease %s\n\n", b.paint(l.Name, bold))
	line := func(head, text string) {
		if text != "" {
			out.WriteString(b.fold(fmt.Sprintf("%-11s", head), text, 12))
		}
	}
	line("queue", fmt.Sprintf("%s of Deployment %s, bucket %s of %d", q.Name, b.Name, l.Bucket, len(q.Leases)))
	led := l.Holder
	switch {
	case l.Place == status.InHandover && l.From != "":
		led = l.From + ", until it has stopped; the leases controller holds the lease"
	case l.Place != status.Led:
		led = b.by(l.Lease).text
	}
	line("spread", b.spread(q))
	line("led by", led)
	line("identity", l.Identity)
	line("held for", l.Held)
	line("renewed", ago(l.Renewed))
	line("valid for", l.Valid)
	line("next", l.Next)
	line("when", l.When)
	others := func(o status.Lease) bool { return o.Place == status.Led && o.Holder == l.Holder && o.To != "" }
	switch {
	case l.Reason != "":
		line("why", l.Reason.Sentence())
	case l.Place == status.Led && !l.Moves() && q.Count(others) > 0:
		line("why", fmt.Sprintf("It is enough that %d of its replica's other leases should move.", q.Count(others)))
	case l.Place == status.Led && !l.Moves():
		line("why", "Its replica has no more than its share.")
	}
	out.WriteString("\n")
	if l.Moves() {
		out.WriteString(b.unknown())
	}
	return out.String()
}

func ago(text string) string {
	if text == "" {
		return ""
	}
	return text + " ago"
}
