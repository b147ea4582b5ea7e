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
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"
)

// collect reads a watch until it is quiet and returns its events as "TYPE name".
func collect(w watch.Interface) []string {
	var events []string
	for {
		synctest.Wait()
		select {
		case e, ok := <-w.ResultChan():
			if !ok {
				return append(events, "END")
			}
			events = append(events, describe(e))
		default:
			return events
		}
	}
}

func describe(e watch.Event) string {
	if e.Type == watch.Error {
		return fmt.Sprintf("ERROR %d", apierrors.FromObject(e.Object).(apierrors.APIStatus).Status().Code)
	}
	obj := e.Object.(metav1.Object)
	if e.Type == watch.Bookmark {
		return fmt.Sprintf("BOOKMARK %s %s", obj.GetResourceVersion(), obj.GetAnnotations()[metav1.InitialEventsAnnotationKey])
	}
	return fmt.Sprintf("%s %s", e.Type, obj.GetName())
}

func TestWatch(t *testing.T) {
	labelled := MakeConfigMap("labelled")
	labelled.Labels = map[string]string{"a": "b"}
	cases := map[string]struct {
		options metav1.ListOptions
		want    []string
	}{
		"from now": {
			want: []string{"ADDED labelled", "ADDED old", "ADDED new", "MODIFIED labelled", "DELETED old"},
		},
		"with a list first": {
			options: metav1.ListOptions{
				SendInitialEvents: ptr.To(true), AllowWatchBookmarks: true,
				ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
			},
			want: []string{"ADDED labelled", "ADDED old", "BOOKMARK 2 true", "ADDED new", "MODIFIED labelled", "DELETED old"},
		},
		"with a list first but no bookmarks": {
			options: metav1.ListOptions{
				SendInitialEvents: ptr.To(true), ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
			},
			want: []string{"ADDED labelled", "ADDED old", "ADDED new", "MODIFIED labelled", "DELETED old"},
		},
		"from a version": {
			options: metav1.ListOptions{ResourceVersion: "1"},
			want:    []string{"ADDED labelled", "ADDED new", "MODIFIED labelled", "DELETED old"},
		},
		"of a label that is taken away": {
			options: metav1.ListOptions{ResourceVersion: "1", LabelSelector: "a=b"},
			want:    []string{"ADDED labelled", "DELETED labelled"},
		},
		"of a name": {
			options: metav1.ListOptions{FieldSelector: "metadata.name=old"},
			want:    []string{"ADDED old", "DELETED old"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				api := NewAPI(MakeConfigMap("old"), labelled)
				c := api.NewClient("test", ClientOptions{}).Kube().CoreV1().ConfigMaps(Namespace)
				w, err := c.Watch(t.Context(), tc.options)
				if err != nil {
					t.Fatal("failed to watch:", err)
				}
				defer w.Stop()
				if err := second(c.Create(t.Context(), MakeConfigMap("new"), metav1.CreateOptions{})); err != nil {
					t.Fatal("failed to create:", err)
				}
				if err := second(c.Update(t.Context(), MakeConfigMap("labelled"), metav1.UpdateOptions{})); err != nil {
					t.Fatal("failed to update:", err)
				}
				if err := c.Delete(t.Context(), "old", metav1.DeleteOptions{}); err != nil {
					t.Fatal("failed to delete:", err)
				}
				if diff := cmp.Diff(tc.want, collect(w)); diff != "" {
					t.Error("unexpected events (-want, +got):\n", diff)
				}
			})
		})
	}
}

func TestWatchEnds(t *testing.T) {
	cases := map[string]struct {
		options metav1.ListOptions
		end     func(*API, *Client)
		want    []string
	}{
		"broken":              {end: func(_ *API, c *Client) { c.BreakWatches() }, want: []string{"END"}},
		"cut":                 {end: func(_ *API, c *Client) { c.Cut() }, want: []string{"END"}},
		"timed out":           {options: metav1.ListOptions{TimeoutSeconds: ptr.To[int64](30)}, end: func(*API, *Client) { time.Sleep(31 * time.Second) }, want: []string{"END"}},
		"not yet timed out":   {options: metav1.ListOptions{TimeoutSeconds: ptr.To[int64](30)}, end: func(*API, *Client) { time.Sleep(29 * time.Second) }},
		"quiet":               {options: metav1.ListOptions{AllowWatchBookmarks: true}, end: func(*API, *Client) { time.Sleep(61 * time.Second) }, want: []string{"BOOKMARK 3 "}},
		"compacted meanwhile": {end: func(a *API, _ *Client) { a.Compact() }},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				api := NewAPI(MakeConfigMap("a"), MakeConfigMap("b"), MakeConfigMap("c"))
				client := api.NewClient("test", ClientOptions{})
				tc.options.ResourceVersion = "3"
				w, err := client.Kube().CoreV1().ConfigMaps(Namespace).Watch(t.Context(), tc.options)
				if err != nil {
					t.Fatal("failed to watch:", err)
				}
				defer w.Stop()
				tc.end(api, client)
				if diff := cmp.Diff(tc.want, collect(w)); diff != "" {
					t.Error("unexpected events (-want, +got):\n", diff)
				}
			})
		})
	}
}

func TestWatchRefused(t *testing.T) {
	cases := map[string]struct {
		options metav1.ListOptions
		want    int32
	}{
		"a version that is no number": {metav1.ListOptions{ResourceVersion: "abc"}, 500},
		"a list first at any such version": {metav1.ListOptions{
			SendInitialEvents: ptr.To(true), ResourceVersion: "abc", ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
		}, 500},
		"a match without a list first": {metav1.ListOptions{ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan}, 422},
		"a list first at any version":  {metav1.ListOptions{SendInitialEvents: ptr.To(true), AllowWatchBookmarks: true}, 422},
		"a bad label":                  {metav1.ListOptions{LabelSelector: "a in"}, 400},
		"another field":                {metav1.ListOptions{FieldSelector: "spec.x=1"}, 400},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := NewAPI().NewClient("test", ClientOptions{}).Kube().CoreV1().ConfigMaps(Namespace).Watch(t.Context(), tc.options)
			if got := code(err); got != tc.want {
				t.Errorf("code = %d (%v), want %d", got, err, tc.want)
			}
		})
	}
}

func TestWatchFromACompactedVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := NewAPI(MakeConfigMap("a"), MakeConfigMap("b"))
		api.Compact()
		w, err := api.NewClient("test", ClientOptions{}).Kube().CoreV1().ConfigMaps(Namespace).
			Watch(t.Context(), metav1.ListOptions{ResourceVersion: "1"})
		if err != nil {
			t.Fatal("failed to watch:", err)
		}
		defer w.Stop()
		if diff := cmp.Diff([]string{"ERROR 410"}, collect(w)); diff != "" {
			t.Error("unexpected events (-want, +got):\n", diff)
		}
	})
}

// TestInformer runs client-go's own informer through everything that can happen to its connection.
func TestInformer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := NewAPI(MakeLease("a").Obj(), MakeLease("other").Namespace("elsewhere").Obj())
		client := api.NewClient("informer", ClientOptions{Lag: func(string, int64) time.Duration { return time.Second }})
		verbs := map[string]int{}
		api.Observe(func(o Observation) {
			if o.Client == "informer" {
				verbs[o.Verb]++
			}
		})
		informer := startInformer(t, client.Kube())
		writer := api.NewClient("writer", ClientOptions{}).Kube().CoordinationV1().Leases(Namespace)

		expect := func(want ...string) {
			t.Helper()
			if diff := cmp.Diff(want, names(informer)); diff != "" {
				t.Errorf("unexpected cache at %v (-want, +got):\n%s", time.Now(), diff)
			}
		}
		create := func(name string) {
			t.Helper()
			if err := second(writer.Create(t.Context(), MakeLease(name).Obj(), metav1.CreateOptions{})); err != nil {
				t.Fatal("failed to create:", err)
			}
		}
		expect("a")
		create("b")
		time.Sleep(999 * time.Millisecond)
		expect("a")
		time.Sleep(2 * time.Millisecond)
		expect("a", "b")

		client.BreakWatches()
		create("c")
		time.Sleep(10 * time.Second)
		expect("a", "b", "c")

		client.BreakWatches()
		create("d")
		api.Compact()
		if err := writer.Delete(t.Context(), "a", metav1.DeleteOptions{}); err != nil {
			t.Fatal("failed to delete:", err)
		}
		time.Sleep(time.Minute)
		expect("b", "c", "d")
		if verbs["list"] != 0 {
			t.Errorf("%d lists, want the watch to bring everything", verbs["list"])
		}
	})
}

func startInformer(t *testing.T, kc kubernetes.Interface) cache.SharedIndexInformer {
	t.Helper()
	factory := informers.NewSharedInformerFactoryWithOptions(kc, 0, informers.WithNamespace(Namespace))
	informer := factory.Coordination().V1().Leases().Informer()
	factory.Start(t.Context().Done())
	factory.WaitForCacheSync(t.Context().Done())
	t.Cleanup(factory.Shutdown)
	return informer
}

func names(informer cache.SharedIndexInformer) []string {
	var got []string
	for _, obj := range informer.GetStore().List() {
		got = append(got, obj.(*coordinationv1.Lease).Name)
	}
	slices.Sort(got)
	return got
}

func TestList(t *testing.T) {
	labelled := MakeConfigMap("labelled")
	labelled.Labels = map[string]string{"a": "b"}
	elsewhere := MakeConfigMap("elsewhere")
	elsewhere.Namespace = "other"
	api := NewAPI(labelled, MakeConfigMap("plain"), elsewhere)
	kc := api.NewClient("test", ClientOptions{}).Kube()
	cases := map[string]struct {
		namespace string
		options   metav1.ListOptions
		want      []string
		code      int32
	}{
		"everything":         {want: []string{"elsewhere", "labelled", "plain"}},
		"a namespace":        {namespace: Namespace, want: []string{"labelled", "plain"}},
		"a label":            {namespace: Namespace, options: metav1.ListOptions{LabelSelector: "a"}, want: []string{"labelled"}},
		"a name":             {namespace: Namespace, options: metav1.ListOptions{FieldSelector: "metadata.name=plain"}, want: []string{"plain"}},
		"all but a name":     {namespace: Namespace, options: metav1.ListOptions{FieldSelector: "metadata.name!=plain"}, want: []string{"labelled"}},
		"a namespace's name": {options: metav1.ListOptions{FieldSelector: "metadata.namespace=other"}, want: []string{"elsewhere"}},
		"a name and a label": {namespace: Namespace, options: metav1.ListOptions{FieldSelector: "metadata.name=plain", LabelSelector: "a"}},
		"any version":        {namespace: "other", options: metav1.ListOptions{ResourceVersion: "0"}, want: []string{"elsewhere"}},
		"no such version":    {namespace: Namespace, options: metav1.ListOptions{ResourceVersion: "abc"}, code: 400},
		"a match of nothing": {namespace: Namespace, options: metav1.ListOptions{ResourceVersionMatch: metav1.ResourceVersionMatchExact}, code: 422},
		"first as events":    {namespace: Namespace, options: metav1.ListOptions{SendInitialEvents: ptr.To(true)}, code: 422},
		"another field":      {namespace: Namespace, options: metav1.ListOptions{FieldSelector: "spec.x=1"}, code: 400},
		"a bad label":        {namespace: Namespace, options: metav1.ListOptions{LabelSelector: "a in"}, code: 400},
		"an empty namespace": {namespace: "nothing"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			list, err := kc.CoreV1().ConfigMaps(tc.namespace).List(t.Context(), tc.options)
			if got := code(err); got != tc.code {
				t.Fatalf("code = %d (%v), want %d", got, err, tc.code)
			}
			if err != nil {
				return
			}
			var got []string
			for _, cm := range list.Items {
				got = append(got, cm.Name)
			}
			slices.Sort(got)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error("unexpected list (-want, +got):\n", diff)
			}
			if list.ResourceVersion != "3" {
				t.Errorf("version = %q, want that of the last write", list.ResourceVersion)
			}
		})
	}
}
