//go:build e2e

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
package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// cleanUp is how long leftovers are left alone, and some time to notice.
const cleanUp = 12 * time.Minute

// TestCase11BucketCount: the bucket count in Tekton's ConfigMap is changed. As long
// as nobody is restarted the old one counts (case 10), and also when the ConfigMap
// becomes invalid (case 16). During the rolling update, when leases of both are led,
// nothing moves (case 12). Then the new ones are made even; those of the old count
// are not counted and, which takes long, removed in the end.
func TestCase11BucketCount(t *testing.T) {
	t.Parallel()
	s := quick
	s.namespace, s.buckets, s.replicas = "buckets", 4, 3
	c := connectTo(t, s)
	c.led(3)
	c.must(c.edit(tektonsConfig, map[string]string{"buckets": "8"}))
	begun := time.Now()
	c.installOurs(soon)
	c.even()
	c.event("LeaderElectionAdvice", "rollout restart")

	c.must(c.edit(tektonsConfig, map[string]string{"buckets": "11"}))
	c.event("LeaderElectionConfigInvalid", "buckets")
	if n := c.count(4); n != c.leases() {
		t.Errorf("%d leases, want all %d", n, c.leases())
	}
	c.must(c.edit(tektonsConfig, map[string]string{"buckets": "8"}))

	rolled := time.Now()
	c.must(c.rollOut())
	c.wait(startUp, "the end of the rollout", c.rolledOut)
	c.setting.buckets = 8
	if early := c.takenSince(rolled); len(early) > 0 {
		t.Errorf("%d leases were taken during the rollout, first %s", len(early), early[0].lease)
	}
	c.even()
	c.oneLeader(begun)
	if n := c.count(4); n != queues*4 {
		t.Errorf("%d leases of the old bucket count, want all %d, which were used a moment ago", n, queues*4)
	}
	if os.Getenv("TRIALS") == "" {
		t.Log("the leftovers would be removed in ten minutes: with TRIALS=1 that is waited for")
		return
	}
	c.wait(cleanUp, "the end of the leftovers", func() bool { return c.count(4) == 0 })
	c.event("LeftoverLeasesDeleted", "4 leases")
	if n := c.count(8); n != c.leases() {
		t.Errorf("%d leases of the new bucket count, want all %d", n, c.leases())
	}
}

// count is how many leases there are with a bucket count.
func (c *cluster) count(buckets int) int {
	c.t.Helper()
	list, err := c.client.CoordinationV1().Leases(c.namespace).List(c.t.Context(), metav1.ListOptions{})
	c.must(err)
	n := 0
	for _, l := range list.Items {
		if strings.HasSuffix(l.Name, fmt.Sprintf("-of-%02d", buckets)) {
			n++
		}
	}
	return n
}
