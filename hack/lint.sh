#!/usr/bin/env bash

# Copyright 2026 The Tekton Authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

# Runs golangci-lint, at the version pinned here, over every module.
# Usage: hack/lint.sh [flag of golangci-lint run]...

set -o errexit -o nounset -o pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/arguments.sh"
[[ ${1:--} == -* ]] || refuse "flags of golangci-lint run, which begin with -, not \"$1\""

cd "$(dirname "$0")/.."
export CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false' GOWORK=off
readonly version=2.15.0
bin=$(realpath -m "${CACHE:-.cache}")/bin

if [[ $("$bin/golangci-lint" version --short 2>/dev/null) != "$version" ]]; then
  GOBIN=$bin go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v$version"
fi
status=0
for file in go.mod $(git ls-files '*/go.mod'); do
  module=$(dirname "$file")
  # One that only pins tools has no packages of its own.
  [[ -n $(cd "$module" && go list ./...) ]] || continue
  # The ones named here look into each dependency: in a module inside this one, that is all of Kubernetes.
  shallow=()
  [[ $module == . ]] || shallow=(--disable 'contextcheck,gosec,govet,nilerr,staticcheck,unparam,unused')
  echo "module $module"
  (cd "$module" && "$bin/golangci-lint" run --allow-parallel-runners "${shallow[@]}" "$@" ./...) || status=1
done
exit "$status"
