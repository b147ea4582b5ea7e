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

package lab

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	leasestesting "github.com/tektoncd/leases-controller/pkg/testing"
)

// Busy is what a process does besides electing: workers that call the API all the time, as Tekton's reconcilers do when
// there is much to do. They and its electors share one client, and with it one rate limit: each call waits its turn.
type Busy struct {
	Workers int
	// QPS and Burst are client-go's rate limit for the process.
	QPS   float32
	Burst int
}

// idle is a process that does nothing else, with Tekton's rate limit.
var idle = Busy{QPS: 50, Burst: 50}

// busy returns what the processes of the nth pod do, counted from 0.
func (o Options) busy(n int) Busy {
	if n < len(o.Busy) {
		return o.Busy[n]
	}
	return idle
}

// work is what one worker does, until its process ends.
func work(ctx context.Context, kc kubernetes.Interface) {
	for ctx.Err() == nil {
		_, err := kc.CoreV1().ConfigMaps(leasestesting.Namespace).Get(ctx, ElectionConfigMap, metav1.GetOptions{})
		if errors.Is(err, leasestesting.ErrCut) {
			return
		}
	}
}
