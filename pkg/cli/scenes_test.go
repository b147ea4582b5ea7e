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
	"time"

	"github.com/tektoncd/leases-controller/pkg/config"
	"github.com/tektoncd/leases-controller/pkg/handover"
	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// own is a hold of the leases controller.
const own = "tekton-leases-controller_0aef"

// situation is a scene to look at.
type situation struct {
	replicas []string
	set      func(*scene)
	// even is what "status --exit-code" says; failed is an error.
	even, failed bool
}

var two = []string{"x7k2p", "9zq4c"}

// situations are what a namespace can be like.
var situations = map[string]situation{
	"even": {replicas: two, even: true, set: func(s *scene) {
		s.installed()
		s.spreadAll("x7k2p", 5, "9zq4c", 5)
	}},
	"one has all": {replicas: two, set: func(s *scene) {
		s.spreadAll("x7k2p", 10)
	}},
	"fresh": {replicas: two, set: func(s *scene) {
		s.installed()
		s.pod(s.make("9zq4c").Ready(there.Add(-5 * time.Second)).Obj())
		s.spreadAll("x7k2p", 10)
	}},
	"not ready": {replicas: two, set: func(s *scene) {
		s.installed()
		s.deploy(leasestesting.MakeDeployment(deployment).Replicas(2).ReadyReplicas(1).Env("CONFIG_LEADERELECTION_NAME", electionMap).Obj())
		s.pod(s.make("9zq4c").NotReady(there.Add(-5 * time.Second)).Obj())
		s.spreadAll("x7k2p", 10)
	}},
	"in handover": {replicas: two, set: func(s *scene) {
		s.installed()
		s.spreadAll("x7k2p", 10)
		for i := range 5 {
			s.hold("taskrun", i, 10, "x7k2p")
		}
	}},
	"held by another version": {replicas: two, set: func(s *scene) {
		s.installed()
		s.spreadAll("x7k2p", 5, "9zq4c", 5)
		s.api.Seed(s.lease("taskrun", 3, 10, own, 1).Obj())
	}},
	"nobody has some": {replicas: two, set: func(s *scene) {
		s.installed()
		s.spreadAll("x7k2p", 5, "9zq4c", 5)
		s.api.Seed(s.lease("taskrun", 0, 10, "", 3).Duration(1).Obj(), s.lease("pipelinerun", 1, 10, identity("gone1", "pipelinerun"), 30).Obj())
	}},
	"three replicas": {replicas: []string{"x7k2p", "9zq4c", "m4v8d"}, set: func(s *scene) {
		s.installed()
		s.spread("pipelinerun", "x7k2p", 6, "9zq4c", 4)
		s.spread("taskrun", "x7k2p", 2, "9zq4c", 8)
		s.spread("resolutionrequest", "m4v8d", 10)
	}},
	"leftovers": {replicas: two, even: true, set: func(s *scene) {
		s.installed()
		s.spreadAll("x7k2p", 5, "9zq4c", 5)
		for i := range 4 { // a container that restarted in place keeps its hostname
			s.api.Seed(s.lease("taskrun", i, 4, identity("x7k2p", "old"), 3600).Obj())
		}
	}},
	"two bucket counts": {replicas: two, set: func(s *scene) {
		s.installed()
		s.spread("taskrun", "x7k2p", 10)
		s.spread("taskrun", "9zq4c", 4)
	}},
	"single bucket": {replicas: two, even: true, set: func(s *scene) {
		s.installed()
		s.spreadAll("x7k2p", 1)
	}},
	"no election": {replicas: two, even: true, set: func(s *scene) {
		s.deploy(leasestesting.MakeDeployment(deployment).Replicas(2).Args("-disable-ha").Obj())
		s.spreadAll("gone1", 10)
	}},
	"no leases": {replicas: two},
	"no replicas": {even: true, set: func(s *scene) {
		s.spreadAll("gone1", 10)
	}},
	"invalid configuration": {replicas: two, set: func(s *scene) {
		s.installed()
		s.api.Seed(leasestesting.MakeConfigMap(config.ConfigMapName, "strategy", "guess"))
		s.spreadAll("x7k2p", 10)
	}},
	"not managed": {replicas: two, failed: true, set: func(s *scene) {
		s.api.Seed(leasestesting.MakeConfigMap(config.ConfigMapName, "deployments", "another-controller"))
	}},
	"many queues": {replicas: two, set: func(s *scene) {
		s.installed()
		for i := range 7 {
			s.spread(fmt.Sprintf("kind%d", i), "x7k2p", 10)
		}
	}},
}

// hold has the leases controller hold a lease.
func (s *scene) hold(queue string, ordinal, buckets int, from string) {
	const format = `{"version":1,"holder":%q,"step":"hold","age":"12s","old":{"holderIdentity":%q,"leaseDurationSeconds":60,"renewTime":%q}}`
	stamp := s.there().Add(-12 * time.Second).Format("2006-01-02T15:04:05.000000Z07:00")
	value := fmt.Sprintf(format, own, identity(from, queue), stamp)
	s.api.Seed(s.lease(queue, ordinal, buckets, own, 12).Annotation(handover.Annotation, value).Obj())
}
