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

package main

import (
	"errors"
	"syscall"
	"testing"
)

func TestTryNamespaces(t *testing.T) {
	if err := tryNamespaces(0); err != nil {
		t.Errorf("tryNamespaces(none) = %v, want nil", err)
	}
	// The kernel refuses a user namespace that shares its file system state,
	// for whoever asks.
	if err := tryNamespaces(syscall.CLONE_NEWUSER | syscall.CLONE_FS); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("tryNamespaces() = %v, want %v", err, syscall.EINVAL)
	}
}

// It says that all is well exactly where it is.
func TestCheckNamespaces(t *testing.T) {
	allowed := tryNamespaces(podNamespaces) == nil || tryNamespaces(podNamespaces|syscall.CLONE_NEWUSER) == nil
	if err := checkNamespaces(); (err == nil) != allowed {
		t.Errorf("checkNamespaces() = %v, want an error: %t", err, !allowed)
	}
}
