//go:build e2e

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
package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/tektoncd/leases-controller/test/witness"
)

// soak is a cluster in which things happen.
type soak struct {
	*cluster
	processes, controlPlane string
	random                  *rand.Rand
	begun                   time.Time
	// deck are the kinds of events that come next.
	deck []int

	mu      sync.Mutex
	freezes []freeze
	frozen  sync.WaitGroup
}

// freeze is a time in which a replica's process was stopped.
type freeze struct {
	pod         string
	from, until time.Time
}

func newSoak(c *cluster, random *rand.Rand) *soak {
	c.t.Helper()
	processes := c.processes()
	s := &soak{
		cluster: c, random: random, begun: time.Now(),
		processes: processes, controlPlane: filepath.Join(filepath.Dir(processes), "control-plane"),
	}
	c.must(os.WriteFile(filepath.Join(s.controlPlane, apiServer+".restart"), nil, 0o600))
	return s
}

const apiServer = "kube-apiserver"

// happen lets something happen, and logs it. Each kind of event comes once before
// any comes again.
func (s *soak) happen() {
	s.t.Helper()
	events := []func() (string, error){
		s.deletePod, s.killProcess, s.freezeProcess, s.scaleTekton, s.restartTekton,
		s.editOurs, s.editTektons, s.killLeasesController, s.restartAPIServer,
	}
	if len(s.deck) == 0 {
		s.deck = s.random.Perm(len(events))
	}
	event := events[s.deck[0]]
	s.deck = s.deck[1:]
	what, err := event()
	s.t.Logf("%4.0f s: %s", time.Since(s.begun).Seconds(), what)
	if err != nil {
		s.t.Errorf("failed to %s: %v", what, err)
	}
}

// settle undoes what would keep it from becoming even.
func (s *soak) settle() {
	s.t.Helper()
	s.frozen.Wait()
	s.must(s.again(func() error {
		return s.edit(oursConfig, map[string]string{"strategy": "handover", "fast-failover": "true"})
	}))
}

// victim is a Ready replica, with its pod.
func (s *soak) victim() (corev1.Pod, bool) {
	replicas := s.replicas()
	pods := slices.DeleteFunc(s.pods(s.t.Context()), func(p corev1.Pod) bool { return !slices.Contains(replicas, p.Name) })
	if len(pods) == 0 {
		return corev1.Pod{}, false
	}
	slices.SortFunc(pods, func(a, b corev1.Pod) int { return strings.Compare(a.Name, b.Name) })
	return pods[s.random.IntN(len(pods))], true
}

func (s *soak) deletePod() (string, error) {
	pod, ok := s.victim()
	if !ok {
		return "delete a pod, but none is Ready", nil
	}
	return "delete pod " + pod.Name, s.again(func() error {
		return s.client.CoreV1().Pods(s.namespace).Delete(s.t.Context(), pod.Name, metav1.DeleteOptions{})
	})
}

// killProcess spares those that were restarted before: their containers would have
// to wait longer and longer until they are started again.
func (s *soak) killProcess() (string, error) {
	pod, ok := s.victim()
	if !ok || pod.Status.ContainerStatuses[0].RestartCount > 0 {
		return s.deletePod()
	}
	s.signal(s.processes, pod.Name, witness.TektonController, syscall.SIGKILL)
	return "kill the process of " + pod.Name, nil
}

// longestFreeze is twice as long as a lease lasts.
const longestFreeze = 30

func (s *soak) freezeProcess() (string, error) {
	pod, ok := s.victim()
	seconds := time.Duration(1+s.random.IntN(longestFreeze)) * time.Second
	pid := s.pid(s.processes, pod.Name, witness.TektonController)
	if !ok || pid == 0 {
		return "stop a process, but none is Ready", nil
	}
	from := time.Now()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		return "stop the process of " + pod.Name, err
	}
	s.frozen.Go(func() {
		time.Sleep(seconds)
		_ = syscall.Kill(pid, syscall.SIGCONT) // it may be gone
		s.mu.Lock()
		defer s.mu.Unlock()
		s.freezes = append(s.freezes, freeze{pod: pod.Name, from: from, until: time.Now()})
	})
	return fmt.Sprintf("stop the process of %s for %s", pod.Name, seconds), nil
}

func (s *soak) scaleTekton() (string, error) {
	const most = 5
	replicas := 1 + s.random.IntN(most)
	return fmt.Sprintf("scale to %d replicas", replicas), s.again(func() error {
		return s.patch(fmt.Sprintf(`{"spec":{"replicas":%d}}`, replicas))
	})
}

func (s *soak) restartTekton() (string, error) {
	return "restart the rollout", s.again(s.rollOut)
}

const (
	oursConfig    = "config-leader-election-leases"
	tektonsConfig = "config-leader-election-controller"
)

func (s *soak) editOurs() (string, error) {
	edits := []map[string]string{
		{"fast-failover": "false"}, {"fast-failover": "true"}, {"strategy": "hope"}, {"strategy": "handover"}, {"max-handovers-in-flight": "10"},
	}
	return s.editOne(oursConfig, edits)
}

// slower are timings other than the quick ones.
var slower = setting{leaseDuration: 18 * time.Second, renewDeadline: 12 * time.Second, retryPeriod: 3 * time.Second}

// editTektons has those that start from then on use other timings.
func (s *soak) editTektons() (string, error) {
	return s.editOne(tektonsConfig, []map[string]string{quick.election(), slower.election()})
}

func (s setting) election() map[string]string {
	return map[string]string{
		"lease-duration": s.leaseDuration.String(), "renew-deadline": s.renewDeadline.String(), "retry-period": s.retryPeriod.String(),
	}
}

func (s *soak) editOne(name string, edits []map[string]string) (string, error) {
	edit := edits[s.random.IntN(len(edits))]
	return fmt.Sprintf("edit ConfigMap %s: %v", name, edit), s.again(func() error { return s.edit(name, edit) })
}

// edit changes keys of a ConfigMap.
func (c *cluster) edit(name string, data map[string]string) error {
	patch, err := json.Marshal(map[string]any{"data": data})
	if err != nil {
		return err
	}
	_, err = c.client.CoreV1().ConfigMaps(c.namespace).Patch(c.t.Context(), name, types.MergePatchType, patch, metav1.PatchOptions{})
	return err
}

func (s *soak) killLeasesController() (string, error) {
	if !s.killOurs(s.processes) {
		return "kill the leases controller, but it does not run", nil
	}
	return "kill the leases controller", nil
}

// restartAPIServer kills it. The cluster starts it again.
func (s *soak) restartAPIServer() (string, error) {
	const what = "restart the API server"
	text, err := os.ReadFile(filepath.Join(s.controlPlane, apiServer+".pid"))
	if err != nil {
		return what, err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return what, err
	}
	return what, syscall.Kill(pid, syscall.SIGKILL)
}
