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

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/leadership"
	"github.com/tektoncd/leases-controller/test/install"
	"github.com/tektoncd/leases-controller/test/witness"
)

// tektonQueues is how many queues Tekton's controller has: PipelineRuns,
// TaskRuns and ResolutionRequests.
const tektonQueues = 3

const (
	tick = 200 * time.Millisecond
	// startUp is how long pods may take to become Ready and to lead.
	startUp = 3 * time.Minute
	// settling is how long the leases controller may take.
	settling = 5 * time.Minute
	// proof is how long it must stay balanced.
	proof = 15 * time.Second
)

// story is the demo on a cluster that serves.
type story struct {
	options options
	// tektonConfig and ownConfig are the directories of the manifests.
	tektonConfig, ownConfig string
	cfg                     *rest.Config
	client                  kubernetes.Interface
	board                   *board
	journal                 *witness.Journal
	screen                  *screen
	marks                   []leadership.Mark
	// newReplica is the one that came in place of the deleted one.
	newReplica replica
	applied    time.Time
}

// play goes through the story up to the result.
func (s *story) play(ctx context.Context) (result, error) {
	follower := witness.NewFollower(s.client, s.journal)
	for _, step := range []func(context.Context) error{
		s.installTekton,
		func(ctx context.Context) error {
			return watch(ctx, s.client, s.board, func(pod *corev1.Pod) { follower.Pod(ctx, pod) })
		},
		s.waitForTekton, s.replaceReplica, s.showImbalance, s.installLeases,
	} {
		if err := step(ctx); err != nil {
			return result{}, err
		}
	}
	return s.prove(ctx)
}

func (s *story) installTekton(ctx context.Context) error {
	s.say("Installing Tekton Pipelines: %d replicas, %d buckets in each of its %d queues.", s.options.replicas, s.options.buckets, tektonQueues)
	return install.Tekton(ctx, s.cfg, s.tektonConfig, install.TektonOptions{
		Replicas: s.options.replicas, Buckets: s.options.buckets,
		LeaseDuration: s.options.timings.leaseDuration, RenewDeadline: s.options.timings.renewDeadline, RetryPeriod: s.options.timings.retryPeriod,
	})
}

// waitForTekton waits until all replicas are Ready and lead everything.
func (s *story) waitForTekton(ctx context.Context) error {
	return s.wait(ctx, startUp, "Tekton's controllers to lead all their buckets", func(state snapshot) bool {
		return len(state.ready()) == s.options.replicas && s.allLed(state)
	})
}

// replaceReplica deletes the replica that has most, and lets its successor in
// only when the others have taken everything.
func (s *story) replaceReplica(ctx context.Context) error {
	victim := s.board.snapshot().busiest()
	if err := s.closeNodes(ctx, true); err != nil {
		return err
	}
	s.mark("replica deleted", "Deleting replica %s, as when its node is drained. Its successor has to wait for a place.", shortReplica(victim.name))
	err := s.client.CoreV1().Pods(install.Namespace).Delete(ctx, victim.name, metav1.DeleteOptions{})
	if err != nil {
		return fmt.Errorf("failed to delete the replica: %w", err)
	}
	err = s.wait(ctx, startUp, "the others to take its buckets", func(state snapshot) bool {
		return s.allLed(state) && state.count("", heldBy(victim.name)) == 0 && !state.has(victim)
	})
	if err != nil {
		return err
	}
	s.say("The others have taken its leases. Now its successor may start.")
	if err := s.closeNodes(ctx, false); err != nil {
		return err
	}
	return s.wait(ctx, startUp, "the new replica to become Ready", func(state snapshot) bool {
		s.newReplica = state.youngest()
		return len(state.ready()) == s.options.replicas
	})
}

// showImbalance gives the new replica some time to show that it gets nothing.
func (s *story) showImbalance(ctx context.Context) error {
	name := s.newReplica.name
	s.mark("new replica Ready", "The new replica %s is Ready. It waits for leases that never become free.", shortReplica(name))
	deadline := time.Now().Add(3 * s.options.timings.retryPeriod / 2)
	err := s.wait(ctx, startUp, "time to pass", func(snapshot) bool { return time.Now().After(deadline) })
	state := s.board.snapshot()
	s.say("The new replica leads %d of %d buckets.", state.count("", heldBy(name)), len(state.leases))
	return err
}

func (s *story) installLeases(ctx context.Context) error {
	s.mark("controller applied", "Applying the leases controller, strategy %s.", s.options.strategy)
	s.applied = time.Now()
	return install.Leases(ctx, s.cfg, s.ownConfig, install.LeasesOptions{Data: map[string]string{"strategy": s.options.strategy}})
}

// prove waits until it has been balanced for a while, by the electors' own
// words, and sums up.
func (s *story) prove(ctx context.Context) (result, error) {
	var since time.Time
	err := s.wait(ctx, settling+proof, "the leases to be even", func(state snapshot) bool {
		now := time.Now()
		at, ok := s.timeline(now).BalancedSince(state.ready())
		if ok && !at.Equal(since) && at.After(s.applied) {
			s.say("Even, and one leader each. Watching on for %.0f s.", proof.Seconds())
			since = at
		}
		return ok && now.Sub(at) >= proof && now.Sub(s.applied) >= proof
	})
	var late *lateError
	if err != nil && !errors.As(err, &late) {
		return result{}, err
	}
	timeline := s.timeline(time.Now())
	replicas := s.board.snapshot().ready()
	if at, ok := timeline.BalancedSince(replicas); ok {
		s.marks = append(s.marks, leadership.Mark{Time: at, Text: "even"})
	}
	picture := leadership.Picture{Title: "Who led which bucket, by the log lines of Tekton's electors", Subtitle: caption(s.options), Marks: s.marks}
	if err := writePicture(s.options.out, timeline, picture); err != nil {
		return result{}, err
	}
	window := config.Default().StabilizationWindow
	allowed := moveAllowed(s.journal.RoundsBegun(), s.newReplica.readyAt, s.board.ownStartedAt(), window, s.options.timings.retryPeriod)
	return newResult(timeline, s.applied, allowed, replicas, s.board.takenSince(s.applied)), nil
}

// timeline is who led what; a lease that is there and was never led counts.
func (s *story) timeline(now time.Time) leadership.Timeline {
	leases := s.board.snapshot().leases
	names := make([]string, 0, len(leases))
	for _, l := range leases {
		names = append(names, l.name)
	}
	return s.journal.Timeline(now, names...)
}

// allLed tells whether each bucket has a holder, and one leader by the logs.
func (s *story) allLed(state snapshot) bool {
	if len(state.leases) != tektonQueues*s.options.buckets || state.count("", lease.isHeld) != len(state.leases) {
		return false
	}
	now := time.Now()
	return !slices.ContainsFunc(s.timeline(now).Buckets, func(b leadership.Bucket) bool { return len(b.LeadersAt(now.Add(-time.Millisecond))) != 1 })
}

// closeNodes says whether new pods may start.
func (s *story) closeNodes(ctx context.Context, closed bool) error {
	nodes, err := s.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("failed to list the nodes: %w", err)
	}
	patch := fmt.Appendf(nil, `{"spec":{"unschedulable":%t}}`, closed)
	for _, node := range nodes.Items {
		if _, err := s.client.CoreV1().Nodes().Patch(ctx, node.Name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			return fmt.Errorf("failed to close or open node %s: %w", node.Name, err)
		}
	}
	return nil
}

// lateError says that something did not come true in time.
type lateError struct{ what string }

func (e *lateError) Error() string { return "timed out waiting for " + e.what }

// wait shows the table until done, which is asked with each tick.
func (s *story) wait(ctx context.Context, timeout time.Duration, what string, done func(snapshot) bool) error {
	deadline := time.Now().Add(timeout)
	ticks := time.NewTicker(tick)
	defer ticks.Stop()
	for {
		state, now := s.board.snapshot(), time.Now()
		s.screen.show(now, state, s.board.moves())
		if done(state) {
			return nil
		}
		if now.After(deadline) {
			return &lateError{what}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticks.C:
		}
	}
}

func (s *story) say(format string, args ...any) { s.screen.say(time.Now(), format, args...) }

// mark says something that shall be in the picture as well.
func (s *story) mark(text, format string, args ...any) {
	s.marks = append(s.marks, leadership.Mark{Time: time.Now(), Text: text})
	s.say(format, args...)
}
