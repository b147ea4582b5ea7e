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
	"fmt"
	"os"

	"github.com/tektoncd/leases-controller/pkg/leadership"
)

// writePicture draws the timeline into a file.
func writePicture(name string, timeline leadership.Timeline, picture leadership.Picture) error {
	file, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("failed to make the picture: %w", err)
	}
	if err := leadership.WriteSVG(file, timeline, picture); err != nil {
		_ = file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("failed to write the picture: %w", err)
	}
	return nil
}

// caption says under which conditions it was drawn.
func caption(o options) string {
	return fmt.Sprintf("%d replicas of Tekton's controller, %d buckets per queue, timings %.0f/%.0f/%.0f s, strategy %s",
		o.replicas, o.buckets, o.timings.leaseDuration.Seconds(), o.timings.renewDeadline.Seconds(), o.timings.retryPeriod.Seconds(), o.strategy)
}
