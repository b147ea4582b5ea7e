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

package config

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// disableHAFlag is knative's flag to do without leader election.
const disableHAFlag = "disable-ha"

// arguments returns what a container's process gets behind its own name, as far
// as its spec shows it.
func arguments(container *corev1.Container) []string {
	if len(container.Command) == 0 {
		return container.Args
	}
	return slices.Concat(container.Command[1:], container.Args)
}

// disableHA returns the value of -disable-ha as Go's flag package would find it
// in the arguments: one or two dashes, the last one wins, and nothing behind the
// first word that is neither a flag nor the value of one.
//
// Which of the other flags take a value is unknown. All are taken to do so, unless
// another flag follows: "-entrypoint-image <image>" is common in Tekton, a boolean
// flag with a word behind it is a mistake.
func disableHA(args []string) (value string, set bool) {
	for len(args) > 0 && isFlag(args[0]) {
		name, text, inline := strings.Cut(flagName(args[0]), "=")
		args = args[1:]
		switch {
		case name == disableHAFlag && inline:
			value, set = text, true
		case name == disableHAFlag:
			value, set = "true", true
		case !inline && len(args) > 0 && !isFlag(args[0]) && args[0] != "--":
			args = args[1:]
		}
	}
	return value, set
}

// isFlag reports whether an argument is a flag. "-" and "--" are none.
func isFlag(arg string) bool {
	return strings.HasPrefix(arg, "-") && flagName(arg) != ""
}

// flagName cuts the one or two dashes off.
func flagName(arg string) string {
	return strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-")
}
