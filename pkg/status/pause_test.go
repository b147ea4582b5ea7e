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

package status

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestPauseOf(t *testing.T) {
	later := now.Add(time.Hour)
	cases := map[string]struct {
		value string
		want  Pause
		text  string
		fault string
	}{
		"for ever":          {value: "forever", want: Pause{On: true}, text: "forever"},
		"with spaces":       {value: " forever\n", want: Pause{On: true}, text: "forever"},
		"until a time":      {value: "2026-03-01T13:00:00Z", want: Pause{On: true, Until: later}, text: "2026-03-01T13:00:00Z"},
		"in another zone":   {value: "2026-03-01T15:00:00+02:00", want: Pause{On: true, Until: later}, text: "2026-03-01T13:00:00Z"},
		"it is over":        {value: "2026-03-01T12:00:00Z"},
		"it was long ago":   {value: "2025-03-01T12:00:00Z"},
		"no time":           {value: "tomorrow", want: Pause{On: true}, text: "forever", fault: `"tomorrow"`},
		"a day":             {value: "2026-03-02", want: Pause{On: true}, text: "forever", fault: `"2026-03-02"`},
		"a duration":        {value: "1h", want: Pause{On: true}, text: "forever", fault: `"1h"`},
		"nothing in it":     {value: "", want: Pause{On: true}, text: "forever", fault: `""`},
		"what looks like a": {value: "true", want: Pause{On: true}, text: "forever", fault: `"true"`},
	}
	for what, tc := range cases {
		t.Run(what, func(t *testing.T) {
			cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{PausedUntil: tc.value}}}
			got := PauseOf(cm, now)
			if got.On != tc.want.On || !got.Until.Equal(tc.want.Until) || got.String() != tc.text {
				t.Errorf("%+v %q, want %+v %q", got, got, tc.want, tc.text)
			}
			if (got.Err != nil) != (tc.fault != "") {
				t.Fatalf("error %v", got.Err)
			}
			if tc.fault == "" {
				return
			}
			for _, part := range []string{PausedUntil, ConfigMapName, tc.fault, "want forever or a time such as"} {
				if !strings.Contains(got.Err.Error(), part) {
					t.Errorf("error %q does not tell %s", got.Err, part)
				}
			}
		})
	}
	for what, cm := range map[string]*corev1.ConfigMap{"no ConfigMap": nil, "no annotation": {}} {
		if got := PauseOf(cm, now); got.On || got.Err != nil {
			t.Errorf("%s: %+v, want no pause", what, got)
		}
	}
}
