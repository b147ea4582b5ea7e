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

package testing

import (
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

func TestServerClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := NewAPI()
		api.SetClock(-30 * time.Second)
		pods := api.NewClient("test", ClientOptions{}).Kube().CoreV1().Pods(Namespace)
		created, err := pods.Create(t.Context(), MakePod("x").Obj(), metav1.CreateOptions{})
		if err != nil {
			t.Fatal("failed to create:", err)
		}
		if want := time.Now().Add(-30 * time.Second); !created.CreationTimestamp.Time.Equal(want) {
			t.Errorf("creationTimestamp = %v, want %v", created.CreationTimestamp, want)
		}
		created.Spec.NodeName = "n"
		api.Seed(created)
		if err := pods.Delete(t.Context(), "x", metav1.DeleteOptions{GracePeriodSeconds: ptr.To[int64](10)}); err != nil {
			t.Fatal("failed to delete:", err)
		}
		got := Objects(api, created)[0].DeletionTimestamp
		if want := time.Now().Add(-20 * time.Second); got == nil || !got.Time.Equal(want) {
			t.Errorf("deletionTimestamp = %v, want %v", got, want)
		}
	})
}

// TestProcessClock has a process write a lease whose stamp was taken some time before.
func TestProcessClock(t *testing.T) {
	ahead := func(t time.Time) time.Time { return t.Add(30 * time.Second) }
	cases := map[string]struct {
		clock func(time.Time) time.Time
		// freeze is when it froze before the write, for 10 s; 0 is never. taken is when the stamp was taken before it.
		freeze, taken time.Duration
		// want is the stamp, counted from the write.
		want time.Duration
	}{
		"right":                       {taken: time.Second, want: -time.Second},
		"ahead":                       {clock: ahead, taken: time.Second, want: 29 * time.Second},
		"taken before it froze":       {freeze: 20 * time.Second, taken: 21 * time.Second, want: -21 * time.Second},
		"taken while it was frozen":   {freeze: 20 * time.Second, taken: 15 * time.Second, want: -10 * time.Second},
		"taken after it thawed":       {freeze: 20 * time.Second, taken: 9 * time.Second, want: -9 * time.Second},
		"frozen and ahead":            {clock: ahead, freeze: 20 * time.Second, taken: 15 * time.Second, want: 20 * time.Second},
		"taken when it froze exactly": {freeze: 20 * time.Second, taken: 20 * time.Second, want: -10 * time.Second},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				api := NewAPI(MakeLease("x").Obj())
				client := api.NewClient("test", ClientOptions{Clock: tc.clock})
				write := time.Now().Add(time.Minute)
				if tc.freeze > 0 {
					time.Sleep(time.Minute - tc.freeze)
					client.Freeze()
					time.Sleep(10 * time.Second)
					client.Thaw()
				}
				time.Sleep(time.Until(write))
				leases := client.Kube().CoordinationV1().Leases(Namespace)
				lease, err := leases.Get(t.Context(), "x", metav1.GetOptions{})
				if err != nil {
					t.Fatal("failed to get:", err)
				}
				acquired := metav1.NewMicroTime(write.Add(-time.Hour))
				lease.Spec.RenewTime = ptr.To(metav1.NewMicroTime(write.Add(-tc.taken)))
				lease.Spec.AcquireTime = &acquired
				lease.Annotations = map[string]string{"kept": "as it is"}
				if _, err = leases.Update(t.Context(), lease, metav1.UpdateOptions{}); err != nil {
					t.Fatal("failed to update:", err)
				}
				got := Objects(api, lease)[0]
				if stamp := got.Spec.RenewTime.Sub(write); stamp != tc.want {
					t.Errorf("renewTime is %v after the write, want %v", stamp, tc.want)
				}
				if !got.Spec.AcquireTime.Equal(&acquired) || got.Annotations["kept"] == "" {
					t.Errorf("more than the renewTime was changed: %v", got)
				}
				// What has no stamp, and what is none, goes as it is.
				lease.Spec.RenewTime = nil
				lease.ResourceVersion = got.ResourceVersion
				if _, err = leases.Update(t.Context(), lease, metav1.UpdateOptions{}); err != nil {
					t.Error("failed to update without a stamp:", err)
				}
				if _, err = leases.Patch(t.Context(), "x", types.MergePatchType, []byte(`{"spec":{}}`), metav1.PatchOptions{}); err != nil {
					t.Error("failed to patch:", err)
				}
			})
		})
	}
}
