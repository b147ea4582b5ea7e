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

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/status"
)

// board is a Deployment on a screen: a row per replica, a column per queue.
type board struct {
	Screen
	status.Deployment
	// now is when it was so.
	now time.Time
	// acts: there is a leases controller that does what is planned.
	acts  bool
	short map[string]string
	wide  bool
}

func newBoard(screen Screen, s status.Status, d status.Deployment, wide bool) board {
	c := s.Controller
	acts := c.Ready && c.Silent == "" && c.ConfigError == "" && c.Paused == "" && !c.DryRun
	b := board{Screen: screen, Deployment: d, now: s.Time.Time, acts: acts, short: shorten(d.Replicas), wide: wide}
	if wide {
		b.short = nil
	}
	return b
}

// table draws the board: with bars if there is room for them, else with numbers,
// and with fewer queues side by side if need be.
func (b board) table() string {
	for _, bars := range []bool{true, false} {
		if g := b.grid(b.Queues, bars, true); g.width() <= b.Width || b.wide {
			return g.render(b.Screen) + b.legend(bars)
		}
	}
	var out strings.Builder
	for queues := b.Queues; len(queues) > 0; {
		if out.Len() > 0 {
			out.WriteString("\n")
		}
		n := len(queues)
		for n > 1 && b.grid(queues[:n], true, n == len(queues)).width() > b.Width {
			n--
		}
		out.WriteString(b.grid(queues[:n], true, n == len(queues)).render(b.Screen))
		queues = queues[n:]
	}
	return out.String() + b.legend(true)
}

// legend explains the sign for leases in a handover, if there are any.
func (b board) legend(bars bool) string {
	if b.Count(func(l status.Lease) bool { return l.Place == status.InHandover && l.From != "" }) == 0 {
		return ""
	}
	sign := b.glyphs().handover
	if !bars {
		sign = "+n"
	}
	return b.wrap(sign, "in a handover: held by the leases controller until the old leader has stopped")
}

// grid is the table of some queues. The totals are those of all.
func (b board) grid(queues []status.Queue, bars, totals bool) grid {
	head := heads("REPLICA", "STANDING")
	for _, q := range queues {
		head = append(head, cell{text: strings.ToUpper(q.Name), as: bold})
	}
	if totals {
		head = append(head, cell{text: "ALL", as: bold, right: true})
	}
	if b.wide {
		head = append(head, heads("RENEWS LATE BY", "NODE")...)
	}
	g := grid{head}
	for _, r := range b.Replicas {
		row := []cell{{text: named(b.short, r.Name)}, b.standing(r)}
		for _, q := range queues {
			row = append(row, b.share(q, heldBy(r.Name), takenFrom(r.Name), bars))
		}
		if totals {
			row = append(row, cell{text: fmt.Sprint(r.Leases), right: true})
		}
		if b.wide {
			row = append(row, cell{text: known(r.Lateness)}, cell{text: r.Node})
		}
		g = append(g, row)
	}
	for _, o := range others {
		if b.Count(o.is) > 0 {
			g = append(g, b.rest(queues, o, bars, totals))
		}
	}
	return g
}

// other is a row for leases that no replica has.
type other struct {
	name string
	is   func(status.Lease) bool
}

var others = []other{
	{"(handover)", func(l status.Lease) bool { return l.Place == status.InHandover && l.From == "" }},
	{"(nobody)", func(l status.Lease) bool { return l.Place == status.Unowned }},
	{"(missing)", func(l status.Lease) bool { return l.Place == status.Missing }},
	{"(elsewhere)", func(l status.Lease) bool { return l.Place == status.Elsewhere }},
}

func (b board) rest(queues []status.Queue, o other, bars, totals bool) []cell {
	row := []cell{{text: o.name, as: yellow}, {}}
	for _, q := range queues {
		row = append(row, b.share(q, o.is, func(status.Lease) bool { return false }, bars))
	}
	if totals {
		row = append(row, cell{text: fmt.Sprint(b.Count(o.is)), right: true})
	}
	return row
}

func heldBy(replica string) func(status.Lease) bool {
	return func(l status.Lease) bool { return l.Place == status.Led && l.Holder == replica }
}

func takenFrom(replica string) func(status.Lease) bool {
	return func(l status.Lease) bool { return l.Place == status.InHandover && l.From == replica }
}

// share is what a replica has of a queue, as a bar and a number.
func (b board) share(q status.Queue, has, taken func(status.Lease) bool, bars bool) cell {
	held, moving := q.Count(has), q.Count(taken)
	number := cell{text: fmt.Sprintf("%2d", held)}
	if !bars {
		if moving > 0 {
			number.text += fmt.Sprintf("+%d", moving)
		}
		return number
	}
	signs, none, used := b.glyphs(), cell{as: dim}, held+moving
	if used == 0 {
		none.text, used = signs.none, 1
	}
	number.text = strings.Repeat(" ", max(0, len(q.Leases)-used)+1) + number.text
	bar := cell{text: strings.Repeat(signs.held, held), as: cyan}
	return cell{parts: []cell{bar, {text: strings.Repeat(signs.handover, moving), as: yellow}, none, number}}
}

// standing is whether a replica counts, in a word or two.
func (b board) standing(r status.Replica) cell {
	switch {
	case r.Standing == "":
		return cell{text: "eligible"}
	case r.EligibleAt != nil:
		return cell{text: "eligible in " + r.EligibleAt.Sub(b.now).Round(time.Second).String(), as: yellow}
	case r.Standing == balance.HolderNotReady:
		return cell{text: "not Ready", as: yellow}
	default:
		return cell{text: string(r.Standing), as: yellow}
	}
}

// known is a value that may be unknown.
func known(value string) string {
	if value == "" {
		return "not known"
	}
	return value
}
