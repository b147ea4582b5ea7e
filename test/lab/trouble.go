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

package lab

import (
	"time"
)

// slowAPI is a restart while each call takes long.
func slowAPI(t *trial) {
	t.gapLimit = t.trouble()
	restart(t)
}

// slow is what a call takes when the API server is slow: half of a retry period at the most, and never more than 5 s.
func (t *trial) slow() Range {
	return Range{t.retry / 20, min(t.retry/2, 5*time.Second)}
}
