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

package observe

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// Sign is a sign of life of a process: something that it surely wrote itself.
type Sign struct {
	// Stamp is the renewTime that it wrote, by its own clock.
	Stamp time.Time
	// Seen is when this process saw it.
	Seen time.Time
}

// Alive are the signs of life since the stamp given of the process that has the
// identity, in the order of their stamps. pod is its own, nil if that is not
// known.
//
// Each queue of a process has another identity, and so have the queues of another
// process in the same pod. So what was written under another identity with the
// same hostname counts only where the pod can have no other process at a time.
func (t *Tracker) Alive(pod *corev1.Pod, identity string, since time.Time) []Sign {
	t.mu.Lock()
	defer t.mu.Unlock()
	var signs []Sign
	for name, k := range t.identities {
		if name != identity && !(onlyProcess(pod) && k.Hostname == bucket.HostnameOf(identity)) {
			continue
		}
		for _, s := range k.wrote {
			if s.Stamp.After(since) {
				signs = append(signs, s)
			}
		}
	}
	slices.SortFunc(signs, func(a, b Sign) int { return a.Stamp.Compare(b.Stamp) })
	return signs
}

// onlyProcess tells whether no two processes of a pod can elect at once: it has one
// container, and none that is started before it goes on beside it.
func onlyProcess(pod *corev1.Pod) bool {
	return pod != nil && len(pod.Spec.Containers) == 1 &&
		!slices.ContainsFunc(pod.Spec.InitContainers, func(c corev1.Container) bool { return c.RestartPolicy != nil })
}

// forget drops the signs of life that were seen before the time given.
func (k *known) forget(before time.Time) {
	k.wrote = slices.DeleteFunc(k.wrote, func(s Sign) bool { return s.Seen.Before(before) })
}
