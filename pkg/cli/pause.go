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
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/tektoncd/leases-controller/pkg/status"
)

func newPause(o Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pause",
		Short: "Have the leases controller move nothing for a while",
		Long: "Pauses the leases controller: no lease is moved, and what is in a handover is\n" +
			"given back to its old leader. It goes on after the time given, or with resume.\n" +
			"The pause is an annotation on the ConfigMap " + status.ConfigMapName + ", which\n" +
			"outlives restarts and upgrades of the controller.",
		Args: cobra.NoArgs,
		Example: o.examples(
			"%s pause",
			"%s pause --for 1h",
		),
	}
	length := cmd.Flags().Duration("for", 0, "How long, such as 1h; without it until resumed")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if cmd.Flags().Changed("for") && *length <= 0 {
			return fmt.Errorf("--for is %s, want more than 0s, such as 1h", *length)
		}
		until := status.Forever
		if *length > 0 {
			until = o.Clock.Now().Add(*length).UTC().Format(time.RFC3339)
		}
		if err := o.annotate(cmd.Context(), &until); err != nil {
			return err
		}
		if until == status.Forever {
			return o.say("Paused in namespace %s: no lease is moved until \"%s resume\".\n", o.namespace(), o.name())
		}
		return o.say("Paused in namespace %s: no lease is moved until %s, or \"%s resume\".\n", o.namespace(), until, o.name())
	}
	return cmd
}

func newResume(o Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "resume",
		Short:   "Have the leases controller go on after a pause",
		Args:    cobra.NoArgs,
		Example: o.examples("%s resume"),
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := o.annotate(cmd.Context(), nil); err != nil {
			return err
		}
		return o.say("Resumed in namespace %s.\n", o.namespace())
	}
	return cmd
}

// annotate sets the annotation that pauses, and with nil removes it.
func (o Options) annotate(ctx context.Context, until *string) error {
	client, err := o.client()
	if err != nil {
		return err
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": map[string]any{status.PausedUntil: until}}})
	if err != nil {
		return fmt.Errorf("failed to write the annotation: %w", err)
	}
	maps := client.CoreV1().ConfigMaps(o.namespace())
	_, err = maps.Patch(ctx, status.ConfigMapName, types.MergePatchType, patch, metav1.PatchOptions{})
	if apierrors.IsNotFound(err) {
		err = o.create(ctx, client, until)
	}
	if err != nil {
		return fmt.Errorf("failed to annotate ConfigMap %s of namespace %s: %w", status.ConfigMapName, o.namespace(), err)
	}
	return nil
}

// create makes the ConfigMap for a controller that was not there yet.
func (o Options) create(ctx context.Context, client kubernetes.Interface, until *string) error {
	if until == nil {
		return nil // without it nothing is paused
	}
	cm := status.NewConfigMap("")
	cm.Annotations = map[string]string{status.PausedUntil: *until}
	_, err := client.CoreV1().ConfigMaps(o.namespace()).Create(ctx, cm, metav1.CreateOptions{})
	return err
}

// say prints a line.
func (o Options) say(format string, args ...any) error {
	if _, err := fmt.Fprintf(o.Out, format, args...); err != nil {
		return fmt.Errorf("failed to print: %w", err)
	}
	return nil
}
