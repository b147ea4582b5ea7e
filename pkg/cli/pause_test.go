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
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/status"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// statusMap is the status ConfigMap, nil for none.
func (s *scene) statusMap() *corev1.ConfigMap {
	for _, cm := range leasestesting.Objects(s.api, &corev1.ConfigMap{}) {
		if cm.Name == status.ConfigMapName {
			return cm
		}
	}
	return nil
}

// remembers has the leases controller show something of the Deployment.
func (s *scene) remembers(d status.Deployment) {
	d.Name = deployment
	text, err := status.Status{APIVersion: status.APIVersion, Kind: status.Kind, Deployments: []status.Deployment{d}}.Document()
	if err != nil {
		s.t.Fatal(err)
	}
	cm := status.NewConfigMap(text)
	cm.Namespace = leasestesting.Namespace
	s.api.Seed(cm)
}

// pauses has somebody pause the leases controller.
func (s *scene) pauses(value string) {
	s.remembers(status.Deployment{})
	cm := s.statusMap().DeepCopy()
	metav1.SetMetaDataAnnotation(&cm.ObjectMeta, status.PausedUntil, value)
	s.api.Seed(cm)
}

func TestPauseAndResume(t *testing.T) {
	cases := map[string]struct {
		set    func(*scene)
		args   []string
		want   string
		exists bool
	}{
		"for ever":        {set: func(s *scene) { s.remembers(status.Deployment{}) }, args: []string{"pause"}, want: "forever", exists: true},
		"for an hour":     {set: func(s *scene) { s.remembers(status.Deployment{}) }, args: []string{"pause", "--for", "1h"}, want: "2026-03-01T13:00:00Z", exists: true},
		"without status":  {set: func(*scene) {}, args: []string{"pause"}, want: "forever", exists: true},
		"once more":       {set: func(s *scene) { s.pauses("forever") }, args: []string{"pause", "--for", "30m"}, want: "2026-03-01T12:30:00Z", exists: true},
		"resume":          {set: func(s *scene) { s.pauses("forever") }, args: []string{"resume"}, exists: true},
		"resume anything": {set: func(*scene) {}, args: []string{"resume"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, narrow, two...)
			tc.set(s)
			s.run(t.Context(), ExitOK, tc.args...)
			cm := s.statusMap()
			if (cm != nil) != tc.exists {
				t.Fatalf("ConfigMap %v", cm)
			}
			if cm != nil && cm.Annotations[status.PausedUntil] != tc.want {
				t.Errorf("annotations %v, want %q", cm.Annotations, tc.want)
			}
			golden(t, s.out.String()+s.errOut.String())
		})
	}
}

func TestPauseFaults(t *testing.T) {
	for _, length := range []string{"0s", "-1h", "soon"} {
		t.Run(length, func(t *testing.T) {
			s := newScene(t, narrow, two...)
			s.run(t.Context(), ExitError, "pause", "--for="+length)
			if got := s.errOut.String(); !strings.Contains(got, length) || strings.Count(got, "\n") != 1 || s.statusMap() != nil {
				t.Errorf("stderr %q, want one line with %s, and no pause", got, length)
			}
		})
	}
}

// TestMemory: what only the controller knows is taken into account.
func TestMemory(t *testing.T) {
	later := metav1.Time{Time: there.Add(20 * 60e9)}
	lease := func(s *scene, i int) string { return s.lease("taskrun", i, 10, "", 0).Obj().Name }
	cases := map[string]func(*scene){
		"no status": func(s *scene) {
			maps := s.client.Kube().CoreV1().ConfigMaps(leasestesting.Namespace)
			if err := maps.Delete(s.t.Context(), status.ConfigMapName, metav1.DeleteOptions{}); err != nil {
				s.t.Fatal(err)
			}
		},
		"a pause":         func(s *scene) { s.pauses("forever") },
		"a pause for now": func(s *scene) { s.pauses("2026-03-01T12:00:00Z") },
		"a pause that is over": func(s *scene) {
			s.pauses("2026-03-01T11:50:00Z")
		},
		"a bad pause": func(s *scene) { s.pauses("tomorrow") },
		"a dry run": func(s *scene) {
			s.api.Seed(leasestesting.MakeConfigMap(config.ConfigMapName, "dry-run", "true"))
		},
		"muted": func(s *scene) {
			s.remembers(status.Deployment{
				Muted: []status.Muted{
					{Lease: lease(s, 0), Identity: identity("x7k2p", "taskrun"), Reason: "Muted", Until: later},
					{Group: prefix + "pipelinerun.reconciler-of-10", Reason: "BackingOff", Until: later},
					{Group: prefix + "resolutionrequest.reconciler-of-10", Reason: "BackingOff", Until: metav1.Time{Time: there.Add(-1e9)}},
				},
				Advice: []string{"Do something."},
			})
		},
		"probation": func(s *scene) {
			s.remembers(status.Deployment{Replicas: []status.Replica{{Name: hash + "9zq4c", Standing: "ReplicaOnProbation", EligibleAt: &later}}})
		},
		"opted out": func(s *scene) {
			d := s.deployment.DeepCopy()
			metav1.SetMetaDataAnnotation(&d.ObjectMeta, "leases.tekton.dev/balance", "false")
			s.deploy(d)
		},
		"no process that leads": func(s *scene) {
			s.api.Seed(leasestesting.MakeLease(controllerName + ".github.com.tektoncd.00-of-01").Holder("gone").Duration(60).
				Renewed(there.Add(-10 * time.Minute)).Obj())
		},
		"a name that is not there": func(s *scene) {
			s.api.Seed(leasestesting.MakeConfigMap(config.ConfigMapName, "deployments", deployment+", tekton-event-controller"))
		},
	}
	for name, set := range cases {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, narrow, two...)
			s.installed()
			s.spreadAll("x7k2p", 10)
			set(s)
			s.run(t.Context(), ExitOK, "plan")
			s.run(t.Context(), ExitOK, "status")
			golden(t, s.out.String()+s.errOut.String())
			fits(t, narrow, s.out.String())
		})
	}
}

// TestWhen: of a lease that waits or is on its way, as far as it is known, it is
// said when it goes on, and of one that stays while others go, not that its
// replica has its share.
func TestWhen(t *testing.T) {
	soon := metav1.Time{Time: there.Add(20 * time.Second)}
	cases := map[string]struct {
		set   func(*scene)
		lease string
		want  string
	}{
		"probation": {
			set: func(s *scene) {
				s.remembers(status.Deployment{Replicas: []status.Replica{{Name: hash + "9zq4c", Standing: "ReplicaOnProbation", EligibleAt: &soon}}})
			},
			lease: "taskrun/00", want: "when        not before 9zq4c is eligible, in 20s\n",
		},
		"a hold": {
			set: func(s *scene) {
				s.hold("taskrun", 0, 10, "x7k2p")
				s.remembers(status.Deployment{Handovers: []status.Handover{{Lease: s.lease("taskrun", 0, 10, "", 0).Obj().Name, Step: "hold", Until: soon}}})
			},
			lease: "taskrun/00", want: "when        in 20s at the earliest\n",
		},
		"another one's hold": {set: func(s *scene) { s.hold("taskrun", 1, 10, "x7k2p") }, lease: "taskrun/09", want: "next        will move to 9zq4c\n\n"},
		"others move":        {set: func(*scene) {}, lease: "taskrun/00", want: "why         It is enough that 5 of its replica's other leases should move.\n"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, narrow, two...)
			s.installed()
			s.spreadAll("x7k2p", 10)
			tc.set(s)
			s.run(t.Context(), ExitOK, "explain", tc.lease)
			if got := s.out.String(); !strings.Contains(got, tc.want) {
				t.Errorf("want %q in\n%s", tc.want, got)
			}
		})
	}
}
