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

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func TestPatch(t *testing.T) {
	event := &corev1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: "e"}, Reason: "Done", Count: 1}
	cases := map[string]struct {
		kind types.PatchType
		body string
		code int32
		want int32
	}{
		"strategic":                  {kind: types.StrategicMergePatchType, body: `{"count":2}`, want: 2},
		"merge":                      {kind: types.MergePatchType, body: `{"count":3,"metadata":{"labels":{"a":"b"}}}`, want: 3},
		"merge that removes":         {kind: types.MergePatchType, body: `{"count":null}`, want: 0},
		"with another version":       {kind: types.MergePatchType, body: `{"count":4,"metadata":{"resourceVersion":"99"}}`, code: 409, want: 1},
		"with another UID":           {kind: types.MergePatchType, body: `{"count":5,"metadata":{"uid":"another"}}`, code: 422, want: 1},
		"without the UID":            {kind: types.MergePatchType, body: `{"count":6,"metadata":{"uid":null}}`, want: 6},
		"nothing":                    {kind: types.MergePatchType, body: `null`, code: 400, want: 1},
		"another name":               {kind: types.MergePatchType, body: `{"metadata":{"name":"f"}}`, code: 400, want: 1},
		"another kind":               {kind: types.MergePatchType, body: `{"kind":"Pod"}`, code: 422, want: 1},
		"a value of another type":    {kind: types.MergePatchType, body: `{"count":"x"}`, code: 422, want: 1},
		"broken":                     {kind: types.MergePatchType, body: `{`, code: 400, want: 1},
		"a kind that is unsupported": {kind: types.JSONPatchType, body: `[]`, code: 415, want: 1},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			api := NewAPI(event)
			kc := api.NewClient("test", ClientOptions{}).Kube()
			_, err := kc.CoreV1().Events(Namespace).Patch(t.Context(), "e", tc.kind, []byte(tc.body), metav1.PatchOptions{})
			if got := code(err); got != tc.code {
				t.Errorf("code = %d (%v), want %d", got, err, tc.code)
			}
			if got := Objects(api, event)[0].Count; got != tc.want {
				t.Errorf("count = %d, want %d", got, tc.want)
			}
		})
	}
}

// TestRefusedBodies: what a typed client would not send.
func TestRefusedBodies(t *testing.T) {
	cases := map[string]struct {
		content, body string
		want          int32
	}{
		"without saying what it is": {content: "application/json", body: `{"metadata":{"name":"x"}}`},
		"another kind":              {content: "application/json", body: `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"}}`, want: 400},
		"no object":                 {content: "application/json", body: `[]`, want: 400},
		"nothing":                   {content: "application/json", want: 400},
		"another format":            {content: "text/plain", body: `{"metadata":{"name":"x"}}`, want: 415},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			kc := NewAPI().NewClient("test", ClientOptions{}).Kube()
			err := kc.CoordinationV1().RESTClient().Post().Namespace(Namespace).Resource("leases").
				SetHeader("Content-Type", tc.content).Body([]byte(tc.body)).Do(t.Context()).Error()
			if got := code(err); got != tc.want {
				t.Errorf("code = %d (%v), want %d", got, err, tc.want)
			}
		})
	}
}
