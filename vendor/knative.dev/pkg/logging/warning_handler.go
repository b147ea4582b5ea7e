/*
Copyright 2021 The Knative Authors

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

package logging

import "go.uber.org/zap"

// WarningHandler is a warning handler to forward client-go's warning logs into a zap logger.
type WarningHandler struct {
	Logger *zap.SugaredLogger
}

func (h *WarningHandler) HandleWarningHeader(code int, agent string, message string) {
	// This condition is copied from K8s' default WarningLogger.
	if code != 299 || len(message) == 0 {
		return
	}

	h.Logger.Warn("API Warning: " + message)
}
