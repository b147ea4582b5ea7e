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

package observe

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// BalanceAnnotation on a Deployment or a Lease opts out, with the value false:
// nothing of it is written.
const BalanceAnnotation = "leases.tekton.dev/balance"

// OptsOut tells whether an object asks to be left alone. A value that is neither
// true nor false counts as false, since whoever set it wanted a change; the error
// says what is legal.
func OptsOut(kind string, obj metav1.Object) (bool, error) {
	value, set := obj.GetAnnotations()[BalanceAnnotation]
	switch strings.TrimSpace(value) {
	case "true":
		return false, nil
	case "false":
		return true, nil
	}
	if !set {
		return false, nil
	}
	return true, fmt.Errorf("annotation %s of %s %s is %q, which is not legal: want true or false; until then it counts as false",
		BalanceAnnotation, kind, obj.GetName(), value)
}

// optedOut tells whether the lease, as it is or was last, asks to be left alone.
func (l Lease) optedOut() (bool, error) {
	switch {
	case l.Object != nil:
		return OptsOut("Lease", l.Object)
	case l.Lost != nil:
		return OptsOut("Lease", l.Lost)
	case l.Vacant != nil && l.Vacant.Record != nil:
		return OptsOut("Lease", l.Vacant.Record)
	default:
		return false, nil
	}
}

// optOut marks the leases that ask to be left alone: they stay with their
// holders, and nobody is given them.
func (g *Group) optOut() {
	for i := range g.Leases {
		l := &g.Leases[i]
		var err error
		if l.OptedOut, err = l.optedOut(); err != nil {
			l.Fault = err.Error()
		}
	}
}
