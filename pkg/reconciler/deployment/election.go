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
	"context"
	"fmt"
	"log"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"knative.dev/pkg/leaderelection"
	"knative.dev/pkg/system"

	"github.com/tektoncd/leases-controller/pkg/config"
)

// readWithin bounds how long the start waits for our ConfigMap.
const readWithin = 10 * time.Second

// WithOwnElection puts the configuration of our own leader election into the
// context, where knative looks for it before it reads the ConfigMap. knative
// ends the process when the ConfigMap is invalid; we run with its defaults,
// move nothing and say why. The error is that of reading the ConfigMap.
func WithOwnElection(ctx context.Context, cfg *rest.Config) (context.Context, error) {
	client, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return ctx, fmt.Errorf("failed to make a client: %w", err)
	}
	timed, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	cm, err := client.CoreV1().ConfigMaps(system.Namespace()).Get(timed, leaderelection.ConfigMapName(), metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		cm, err = nil, nil
	}
	if err != nil {
		return ctx, fmt.Errorf("failed to read ConfigMap %q: %w", leaderelection.ConfigMapName(), err)
	}
	election, err := config.OwnElection(cm)
	if err != nil {
		log.Printf("Running with the defaults of leader election: %v", err)
	}
	return leaderelection.WithConfig(ctx, election), nil
}
