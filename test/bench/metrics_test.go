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

package bench

import "testing"

func TestReadMetrics(t *testing.T) {
	const text = `# TYPE kn_workqueue_depth gauge
kn_workqueue_depth{name="pipelinerun",otel_scope_name="x"} 40
kn_workqueue_depth{name="taskrun",otel_scope_name="x"} 2
kn_workqueue_depths{name="taskrun"} 1000
# TYPE kn_k8s_client_http_response_status_code_total counter
kn_k8s_client_http_response_status_code_total{http_request_method="GET",server_address="{10.96.0.1}:443"} 3
kn_k8s_client_http_response_status_code_total{http_request_method="PUT"} 1.5e+03
go_goroutine_count 186
`
	got, err := ReadMetrics(text)
	if want := (Metrics{Depth: 42, Requests: 1503}); err != nil || got != want {
		t.Errorf("ReadMetrics() = %+v, %v, want %+v", got, err, want)
	}
	for _, broken := range []string{"kn_workqueue_depth{", `kn_workqueue_depth{name="x"} many`} {
		if _, err := ReadMetrics(broken); err == nil {
			t.Errorf("ReadMetrics(%q): no error", broken)
		}
	}
}
