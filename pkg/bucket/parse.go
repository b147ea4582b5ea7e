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

package bucket

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// nameForm finds the parts of a name. It is laxer than the legal form.
var nameForm = regexp.MustCompile(`^(.+)\.([0-9]+)-of-([0-9]+)$`)

// maxBuckets is far above what any controller uses (knative allows 10 unless a
// binary raises its limit). It keeps a stray name in the cluster from making
// anybody list billions of buckets.
const maxBuckets = 999

// Parse returns the group that a lease belongs to and the ordinal of its
// bucket, by the lease's name.
func Parse(name string) (Group, uint32, error) {
	if faults := validation.IsDNS1123Subdomain(name); len(faults) > 0 {
		return Group{}, 0, fmt.Errorf("%q is no name of a lease: %s", name, strings.Join(faults, "; "))
	}
	group, ordinal := split(name)
	// Only what we would write ourselves is legal: "3-of-10" and "003-of-010"
	// give another text.
	if ordinal >= group.Buckets || group.Buckets > maxBuckets || group.Name(ordinal) != name {
		return Group{}, 0, fmt.Errorf("%q is no name of a bucket: want <prefix>.<NN>-of-<MM> with NN less than MM "+
			"and MM at most %d, both with two digits or as many as they need", name, maxBuckets)
	}
	return group, ordinal, nil
}

// split takes a name apart. The result has no buckets if the name has not the
// form.
func split(name string) (Group, uint32) {
	parts := nameForm.FindStringSubmatch(name)
	if parts == nil {
		return Group{}, 0
	}
	return Group{Prefix: parts[1], Buckets: number(parts[3])}, number(parts[2])
}

// number reads digits. What is too large becomes the largest number.
func number(digits string) uint32 {
	n, err := strconv.ParseUint(digits, 10, 32)
	if err != nil {
		return math.MaxUint32
	}
	return uint32(n)
}
