/*
Copyright 2019 The Knative Authors

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

package injection

import (
	"context"
)

// DuckFactoryInjector holds the type of a callback that attaches a particular
// duck-type informer factory to a context.
type DuckFactoryInjector func(context.Context) context.Context

func (i *impl) RegisterDuck(ii DuckFactoryInjector) {
	i.m.Lock()
	defer i.m.Unlock()

	i.ducks = append(i.ducks, ii)
}

func (i *impl) GetDucks() []DuckFactoryInjector {
	i.m.RLock()
	defer i.m.RUnlock()

	// Copy the slice before returning.
	return append(i.ducks[:0:0], i.ducks...)
}
