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

package leadership

import (
	"errors"
	"os"
	"path/filepath"
)

// CheckFile finds out by trying whether a picture can be written, and changes
// nothing: that is better said before something is recorded than after it.
func CheckFile(name string) error {
	file, err := os.OpenFile(name, os.O_WRONLY, 0) //nolint:gosec // who draws a picture may write what he names
	if errors.Is(err, os.ErrNotExist) {
		if file, err = os.CreateTemp(filepath.Dir(name), ".leadership-"); err == nil {
			defer func() { _ = os.Remove(file.Name()) }()
		}
	}
	// Its path would be that of the file for the trial.
	if wrong := (*os.PathError)(nil); errors.As(err, &wrong) {
		err = wrong.Err
	}
	if err != nil {
		return err
	}
	return file.Close()
}
