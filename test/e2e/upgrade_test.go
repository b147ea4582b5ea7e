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
	"os"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tektoncd/leases-controller/test/witness"
)

// upgrade is one way in which Tekton or we are replaced.
type upgrade struct {
	// replace does it, and returns when the new pods are Ready, where there are some.
	replace func(c *cluster)
	// balanced: there is a Deployment and one of us afterwards, so it becomes even.
	balanced bool
	// expires: neither Tekton's old pods nor we may write leases when they stop, so
	// that these have to expire, whether we are there or not.
	expires bool
	// without us, as a control.
	without bool
	// long is left out unless TRIALS is set.
	long bool
}

// holding is how many leases are held at least when it happens.
const holding = 5

// TestUpgrade: Tekton or we are replaced while five leases or more are held. No
// bucket has two leaders; when the new pods are Ready, nobody leads one for no
// longer than a lease lasts; and no lease stays ours.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	for name, u := range map[string]upgrade{
		"newer manifest":       {replace: (*cluster).newerManifest, balanced: true},
		"operator":             {replace: (*cluster).everythingAnew, balanced: true, expires: true, long: true},
		"operator without us":  {replace: (*cluster).tektonAnew, without: true, expires: true, long: true},
		"statefulset":          {replace: (*cluster).becomeStatefulSet, long: true},
		"uninstall":            {replace: (*cluster).uninstall, long: true},
		"uninstall at once":    {replace: (*cluster).uninstallAtOnce, long: true},
		"two versions of ours": {replace: (*cluster).secondOfOurs, balanced: true, long: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := connectToUpgrade(t, strings.ReplaceAll(name, " ", "-"), u.long)
			if !u.without {
				c.installOurs(map[string]string{"stabilization-window": "0s"})
				c.wait(startUp, "leases in a handover", func() bool { return c.spread()[witness.LeasesController] >= holding })
			}
			held, begun := c.spread()[witness.LeasesController], time.Now()
			u.replace(c)
			c.judgeUpgrade(u, held, begun)
		})
	}
}

// TestUpgradeRolledBack: a newer version of ours ended without a last word and left
// holds that this one cannot read: it leaves them alone until they expire.
func TestUpgradeRolledBack(t *testing.T) {
	t.Parallel()
	c := connectToUpgrade(t, "rolled-back", true)
	begun := time.Now()
	c.holdAsNewer(holding)
	c.installOurs(map[string]string{"stabilization-window": "0s"})
	c.wait(startUp, "our controller", func() bool { return c.available(witness.LeasesController) })
	c.judgeUpgrade(upgrade{balanced: true}, holding, begun)
}

// connectToUpgrade has two replicas, one of which has everything.
func connectToUpgrade(t *testing.T, name string, long bool) *cluster {
	t.Helper()
	if long && os.Getenv("TRIALS") == "" {
		t.Skip("only with TRIALS: it takes minutes")
	}
	s, _ := measurement(t)
	s.namespace, s.replicas = "upgrade-"+name, 1
	c := connectTo(t, s)
	c.led(1)
	c.scale(2)
	if spread := c.spread(); len(spread) != 1 {
		t.Fatalf("spread %v, want all on one replica: nothing to show", spread)
	}
	return c
}

// judgeUpgrade is called when the new pods are Ready.
func (c *cluster) judgeUpgrade(u upgrade, held int, begun time.Time) {
	c.t.Helper()
	ready := time.Now()
	if u.balanced {
		c.even()
	}
	c.wait(startUp, "one leader of each bucket", func() bool { return len(c.leaders()) == c.leases() })
	c.led(2)
	c.oneLeader(begun)
	gap, limit := c.timeline().Stats(ready).LongestGap, c.leaseDuration
	if u.expires {
		limit = c.longestWithoutUs()
	}
	c.t.Logf("RESULT upgrade way=%s leases=%d held=%d timings=%s ready_after_s=%.1f nobody_leads_after_ready_s=%.1f two_leaders=%d",
		c.namespace, c.leases(), held, c.timings(), ready.Sub(begun).Seconds(), gap.Seconds(), len(c.overlaps(begun)))
	if gap > limit {
		c.t.Errorf("nobody led a bucket for %s after the new pods were Ready, want %s at the most", gap, limit)
	}
}

// available tells whether a Deployment's pods are those that it should have.
func (c *cluster) available(deployment string) bool {
	d, err := c.client.AppsV1().Deployments(c.namespace).Get(c.t.Context(), deployment, metav1.GetOptions{})
	if err != nil || d.Status.ObservedGeneration < d.Generation {
		return false
	}
	want := *d.Spec.Replicas
	return d.Status.UpdatedReplicas == want && d.Status.AvailableReplicas == want && d.Status.Replicas == want
}
