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

package bucket_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"knative.dev/pkg/leaderelection"

	"github.com/tektoncd/leases-controller/pkg/bucket"
)

// taskruns is a queue of Tekton's controller, as the leases show it.
const taskruns = "tekton-pipelines-controller.github.com.tektoncd.pipeline.pkg.reconciler.taskrun.reconciler"

func TestGroup(t *testing.T) {
	for name, tc := range map[string]struct {
		group      bucket.Group
		wantString string
		wantNames  []string
	}{
		"one bucket": {
			group:      bucket.Group{Prefix: taskruns, Buckets: 1},
			wantString: taskruns + "-of-01",
			wantNames:  []string{taskruns + ".00-of-01"},
		},
		"three buckets": {
			group:      bucket.Group{Prefix: "pac", Buckets: 3},
			wantString: "pac-of-03",
			wantNames:  []string{"pac.00-of-03", "pac.01-of-03", "pac.02-of-03"},
		},
		"none": {wantString: "-of-00", wantNames: []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.wantString, tc.group.String()); diff != "" {
				t.Error("String() (-want, +got):", diff)
			}
			if diff := cmp.Diff(tc.wantNames, tc.group.Names()); diff != "" {
				t.Error("Names() (-want, +got):", diff)
			}
		})
	}
}

func TestNewGroup(t *testing.T) {
	mapping := map[string]string{"controller.pkg.Reconciler": "Short.Name", "controller.empty": ""}
	for name, tc := range map[string]struct {
		queue string
		cfg   leaderelection.Config
		want  bucket.Group
	}{
		"lower case": {
			queue: "pkg.Reconciler",
			cfg:   leaderelection.Config{Buckets: 10},
			want:  bucket.Group{Prefix: "controller.pkg.reconciler", Buckets: 10},
		},
		"mapped, in lower case": {
			queue: "pkg.Reconciler",
			cfg:   leaderelection.Config{Buckets: 2, LeaseNamesPrefixMapping: mapping},
			want:  bucket.Group{Prefix: "short.name", Buckets: 2},
		},
		"the mapping's keys are case sensitive": {
			queue: "pkg.reconciler",
			cfg:   leaderelection.Config{Buckets: 2, LeaseNamesPrefixMapping: mapping},
			want:  bucket.Group{Prefix: "controller.pkg.reconciler", Buckets: 2},
		},
		"mapped to nothing is not mapped": {
			queue: "empty",
			cfg:   leaderelection.Config{Buckets: 2, LeaseNamesPrefixMapping: mapping},
			want:  bucket.Group{Prefix: "controller.empty", Buckets: 2},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, bucket.NewGroup("controller", tc.queue, &tc.cfg)); diff != "" {
				t.Error("NewGroup() (-want, +got):", diff)
			}
		})
	}
}
