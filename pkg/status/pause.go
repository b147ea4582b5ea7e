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

package status

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

const (
	// PausedUntil is the annotation on the ConfigMap that pauses the leases
	// controller: until a time (RFC 3339), or Forever.
	PausedUntil = "leases.tekton.dev/paused-until"
	// Forever pauses until the annotation is removed.
	Forever = "forever"
)

// Pause is what the ConfigMap asks for.
type Pause struct {
	// On: nothing moves.
	On bool
	// Until is when it ends, zero if it does not end by itself.
	Until time.Time
	// Err is what is wrong with the annotation. It counts as Forever then: whoever
	// wrote it wanted a pause.
	Err error
}

// PauseOf reads the annotation. There may be no ConfigMap.
func PauseOf(cm *corev1.ConfigMap, now time.Time) Pause {
	if cm == nil {
		return Pause{}
	}
	value, set := cm.Annotations[PausedUntil]
	if value = strings.TrimSpace(value); !set || value == Forever {
		return Pause{On: set}
	}
	until, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return Pause{On: true, Err: fmt.Errorf(
			"annotation %s of ConfigMap %s is %q, which is not legal: want %s or a time such as 2026-01-31T18:00:00Z; until then it counts as %s",
			PausedUntil, ConfigMapName, value, Forever, Forever)}
	}
	if !now.Before(until) {
		return Pause{}
	}
	return Pause{On: true, Until: until}
}

// String is the time or Forever, and empty without a pause.
func (p Pause) String() string {
	switch {
	case !p.On:
		return ""
	case p.Until.IsZero():
		return Forever
	default:
		return p.Until.UTC().Format(time.RFC3339)
	}
}
