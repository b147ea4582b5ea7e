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
	"slices"
	"strings"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/status"
)

// headline says in a line or two how a Deployment is.
func (b board) headline() string {
	word, as := "uneven", yellow
	switch {
	case b.Blocked == balance.NotFound:
		word, as = "not found", yellow
	case b.State == status.NotApplicable:
		word, as = "nothing to balance", plain
	case len(b.Replicas) == 0:
		word, as = "no replicas", plain
	case len(b.Queues) == 0:
		word = "no leases"
	case b.Even:
		word, as = "even", green
	}
	return fmt.Sprintf("Deployment %s: %s\n", b.paint(b.Name, bold), b.paint(word, as)) + b.facts() + "\n"
}

// facts are what there is to do, in numbers.
func (b board) facts() string {
	all := b.Count(func(status.Lease) bool { return true })
	var out strings.Builder
	fact := func(n int, one, more string) {
		if n > 0 {
			out.WriteString(b.wrap("", fmt.Sprintf("%d of %s %s.", n, plural(all, "lease"), verb(n, one, more))))
		}
	}
	fact(b.Count(func(l status.Lease) bool { return l.Place == status.InHandover }), "is in a handover", "are in a handover")
	moves := b.willMove()
	fact(b.Count(status.Lease.Moves), moves, moves)
	if !b.Even {
		fact(b.Count(status.Lease.Stays), "should move, but stays for now", "should move, but stay for now")
	}
	return out.String()
}

// willMove says what comes of a plan.
func (b board) willMove() string {
	if b.acts {
		return "will move"
	}
	return "would move"
}

// why explains each reason that stands in the way, once.
func (b board) why() string {
	counts, order := map[balance.Reason]int{}, []balance.Reason{}
	count := func(r balance.Reason, n int) {
		if r != "" && !slices.Contains(order, r) {
			order = append(order, r)
		}
		counts[r] += n
	}
	count(b.Blocked, 0)
	for _, s := range b.Stays() {
		count(s.Reason, len(s.Buckets))
	}
	for _, q := range b.Queues {
		count(q.Blocked, 0)
	}
	var out strings.Builder
	for _, r := range order {
		text := r.Sentence()
		if r == b.Blocked && b.Detail != "" {
			text += " " + b.Detail
		}
		out.WriteString(b.wrap(status.Heading(r, counts[r]), text))
	}
	return out.String()
}

// unknown says what a look that was too short leaves open.
func (b board) unknown() string {
	var out strings.Builder
	switch moves := b.Count(status.Lease.Moves) > 0; {
	case b.Unseen > 0 && moves && b.acts:
		out.WriteString(b.wrap("When:", "as soon as the leases controller has seen the holders renew five times, about a minute after it or they "+
			"started. Leases of one that renews late stay (--observe 1m shows how late)."))
	case b.Unseen > 0 && moves:
		out.WriteString(b.wrap("Not known:", "how late the holders renew their leases, which takes five renewals to see (--observe 1m). "+
			"Leases of one that is late would stay."))
	}
	if b.Rolling && b.Count(func(l status.Lease) bool { return l.Reason == balance.RolloutInProgress }) > 0 {
		out.WriteString(b.wrap("Not known:", "since when the replicas have been changing. After max-rollout-wait, 10m by default, "+
			"those that are Ready are evened out nevertheless."))
	}
	return out.String()
}

// advice is what the leases controller says that only you can mend.
func (b board) advice() string {
	var out strings.Builder
	for _, text := range b.Advice {
		out.WriteString(b.wrap("Advice:", text))
	}
	return out.String()
}

// empty says why there are no queues.
func (b board) empty() string {
	switch {
	case b.State == status.NotApplicable, len(b.Replicas) == 0, len(b.Queues) > 0:
		return ""
	default:
		return b.wrap("", "None of its replicas leads anything, so its queues are not known. Did they start just now?")
	}
}

// controllerLine says whether anything will come of a plan.
func controllerLine(s Screen, c status.Controller, namespace string) string {
	switch {
	case c.ConfigError != "":
		return s.wrap("Leases controller:", "its configuration is invalid, so nothing moves unless it had a good one before. "+c.ConfigError+".")
	case !c.Installed:
		return s.wrap("Leases controller:", "not installed in namespace "+namespace+", so nothing will move.")
	case !c.Ready:
		return s.wrap("Leases controller:", "installed but not Ready, so nothing will move.")
	}
	text := "Ready, strategy " + c.Strategy + ". The command pause stops it."
	switch {
	case c.Silent != "":
		text = "Ready, but none of its processes leads, so nothing will move: it last renewed the lease of its own election " + c.Silent +
			" ago. Its log says why."
	case c.PauseError != "":
		text = "Ready, but paused: " + c.PauseError + "."
	case c.Paused == status.Forever:
		text = "Ready, but paused: nothing moves until the command resume."
	case c.Paused != "":
		text = "Ready, but paused: nothing moves until " + c.Paused + ", or the command resume."
	case c.DryRun:
		text = "Ready, but a dry run: it only tells what it would do (key dry-run of ConfigMap " + config.ConfigMapName + ")."
	}
	if !c.Known {
		text += " There is no status of it (ConfigMap " + status.ConfigMapName + "), so what it leaves alone for a while is not known."
	}
	return s.wrap("Leases controller:", text)
}
