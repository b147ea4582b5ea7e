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

package install

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// read returns the objects of all files in dir that match the patterns, in
// the order of the patterns, then of the names. A pattern that matches
// nothing is an error: the directory is not the one that was meant.
func read(dir string, patterns []string) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, fmt.Errorf("failed to look for %s: %w", pattern, err)
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("failed to find manifests: no %s in %s", pattern, dir)
		}
		for _, file := range files {
			more, err := readFile(file)
			if err != nil {
				return nil, fmt.Errorf("failed to read %s: %w", file, err)
			}
			objects = append(objects, more...)
		}
	}
	return objects, nil
}

func readFile(name string) ([]*unstructured.Unstructured, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	const bufferSize = 4096
	decoder := yaml.NewYAMLOrJSONDecoder(file, bufferSize)
	var objects []*unstructured.Unstructured
	for {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		// A file may begin or end with an empty document.
		if len(object.Object) > 0 {
			objects = append(objects, object)
		}
	}
}
