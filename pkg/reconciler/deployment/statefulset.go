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

package deployment

import (
	"fmt"
	"slices"
	"sync"

	"go.uber.org/zap"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/tektoncd/leases-controller/pkg/balance"
	"github.com/tektoncd/leases-controller/pkg/config"
)

// statefulSets says of each StatefulSet that we are told to manage why we do not.
// Its replicas take their buckets by their ordinals; and where they elect, we do
// not know their owner. Either way nothing of theirs is ever written.
type statefulSets struct {
	named  func() []string
	logger *zap.SugaredLogger

	mu   sync.Mutex
	said map[types.UID]string
}

func (s *statefulSets) seen(set *appsv1.StatefulSet) {
	s.mu.Lock()
	defer s.mu.Unlock()
	why := ""
	if slices.Contains(s.named(), set.Name) {
		why = notApplicable(set)
	}
	if why == "" {
		delete(s.said, set.UID)
		return
	}
	if s.said[set.UID] != why {
		s.said[set.UID] = why
		s.logger.Warnw("StatefulSet is left alone", "statefulSet", set.Name, "reason", string(balance.NotApplicable), "meaning", why)
	}
}

func (s *statefulSets) gone(set *appsv1.StatefulSet) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.said, set.UID)
}

// notApplicable is why the leases of a StatefulSet are not evened out.
func notApplicable(set *appsv1.StatefulSet) string {
	if elects, why := config.Elects(&set.Spec.Template); !elects {
		return fmt.Sprintf("It has no leases to balance: %s.", why)
	}
	return "It is a StatefulSet: only the leases of Deployments are balanced."
}
