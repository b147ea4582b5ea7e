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
	"fmt"
	"strings"

	"go.uber.org/zap/zapcore"
)

// traceCore is a log that goes into the lab's trace, next to what it is about.
type traceCore struct {
	lab    *Lab
	name   string
	fields []zapcore.Field
}

var _ zapcore.Core = (*traceCore)(nil)

// Enabled implements zapcore.Core.
func (c *traceCore) Enabled(level zapcore.Level) bool { return level >= zapcore.InfoLevel }

// With implements zapcore.Core.
func (c *traceCore) With(fields []zapcore.Field) zapcore.Core {
	with := *c
	with.fields = append(append([]zapcore.Field(nil), c.fields...), fields...)
	return &with
}

// Check implements zapcore.Core.
func (c *traceCore) Check(e zapcore.Entry, checked *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(e.Level) {
		return checked.AddCore(e, c)
	}
	return checked
}

// Write implements zapcore.Core.
func (c *traceCore) Write(e zapcore.Entry, fields []zapcore.Field) error {
	if strings.HasPrefix(e.Message, "Reconcile succeeded") {
		return nil
	}
	line := e.Level.String() + " " + e.Message
	for _, field := range append(append([]zapcore.Field(nil), c.fields...), fields...) {
		if !strings.HasPrefix(field.Key, "knative.dev/") {
			line += " " + show(field)
		}
	}
	c.lab.tracef("%s: %s", c.name, line)
	return nil
}

// show writes a field as key=value.
func show(field zapcore.Field) string {
	encoder := zapcore.NewMapObjectEncoder()
	field.AddTo(encoder)
	return fmt.Sprintf("%s=%v", field.Key, encoder.Fields[field.Key])
}

// Sync implements zapcore.Core.
func (c *traceCore) Sync() error { return nil }
