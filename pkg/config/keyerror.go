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

import "fmt"

// keyError is one thing that is wrong with a ConfigMap, as an administrator needs
// to read it.
type keyError struct {
	configMap, key, problem, want string
}

// Error returns one line that says where, what and how to mend it.
func (e keyError) Error() string {
	return fmt.Sprintf("ConfigMap %s, key %s: %s, want %s", e.configMap, e.key, e.problem, e.want)
}

// notLegal is the problem of a value that its key cannot have.
func notLegal(value string) string {
	return fmt.Sprintf("%q is not legal", value)
}
